package io.duramen.replication.raft;

import com.alipay.sofa.jraft.error.RaftError;
import com.alipay.sofa.jraft.storage.snapshot.SnapshotCopier;
import com.alipay.sofa.jraft.storage.snapshot.SnapshotReader;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the engine takes for the copying of a snapshot. Meanwhile it takes no entries of anybody. When log and image of the leader
 * have arrived, this replica is to be closed and begun anew with them; so the engine never sees the copy end well. Called by the engine's threads.
 */
final class Arrival extends SnapshotCopier {
    private static final Logger LOG = LoggerFactory.getLogger(Arrival.class);

    private final Copy copy;
    private final ReplicaFiles files;
    private final Receiver receiver;
    private final CountDownLatch done = new CountDownLatch(1);
    private final CountDownLatch givenUp = new CountDownLatch(1);

    /** The replica that is to be replaced. From any thread. */
    interface Receiver {
        /**
         * Whether it lacks something of a log that ends so. Where that is answered with true, it stores nothing of anybody from there
         * on.
         */
        CompletableFuture<Boolean> mayReplace(Copy copy, Copy.End end);

        /** What is to replace it is there, or could not be put there. */
        void arrived(IOException failure);
    }

    Arrival(Copy copy, ReplicaFiles files, Receiver receiver) {
        this.copy = copy;
        this.files = files;
        this.receiver = receiver;
    }

    @Override
    public void start() {
        Thread thread = new Thread(this::run, "arrival");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        String reason = "the replica begins anew with what was copied";
        try {
            if (receiver.mayReplace(copy, copy.run()).get()) {
                replace();
                givenUp.await();
            } else {
                reason = "the replica lacks nothing of what was copied";
            }
        } catch (IOException | ExecutionException e) {
            LOG.warn("The log of the leader was not copied; it is tried again: {}", e.getMessage());
            reason = e.getMessage();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            reason = "interrupted";
        } catch (RuntimeException e) {
            LOG.error("The log of the leader could not be copied", e);
            reason = e.toString();
        } finally {
            setError(RaftError.ECANCELED, "%s", reason);
            done.countDown();
        }
    }

    private void replace() {
        try {
            files.arrive();
            receiver.arrived(null);
        } catch (IOException e) {
            receiver.arrived(e);
        }
    }

    /** By the end of the replica, too. */
    @Override
    public void cancel() {
        copy.cancel();
        givenUp.countDown();
    }

    @Override
    public void join() throws InterruptedException {
        done.await();
    }

    @Override
    public SnapshotReader getReader() {
        return null;
    }

    @Override
    public void close() {
        // Holds nothing.
    }
}
