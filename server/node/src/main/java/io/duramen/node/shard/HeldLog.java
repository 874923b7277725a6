package io.duramen.node.shard;

import io.duramen.log.EntryBuffer;
import io.duramen.log.PartitionChunk;
import io.duramen.replication.CommittedEntry;
import io.duramen.replication.LogStatus;
import io.duramen.replication.ReplicatedLog;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntToLongFunction;

/**
 * A log that does not tell its shard that it leads before it is let: the node's other shards are to lead as well. Until then the shard
 * follows, with all that is committed. That it leads no more is told at once, whether it was let or not. Confined to the shard's agent, but for
 * what says otherwise.
 */
final class HeldLog implements ReplicatedLog {
    private final ReplicatedLog log;
    private final CompletableFuture<Void> elected = new CompletableFuture<>();
    private volatile boolean let;

    /** Whether it leads, and its shard was not told. */
    private boolean held;

    private volatile long epoch;
    private Listener listener;

    HeldLog(ReplicatedLog log) {
        this.log = log;
    }

    /** Completed, on the agent's thread, once it leads and has handed over what was committed before. */
    CompletableFuture<Void> elected() {
        return elected;
    }

    /** Of the leadership that it was elected for. From any thread. */
    long epoch() {
        return epoch;
    }

    /** It may tell so from here on; the agent is to be woken. From any thread. */
    void let() {
        let = true;
    }

    @Override
    public void start(long appliedIndex, Listener toTell) throws IOException {
        listener = toTell;
        log.start(appliedIndex, new Holding());
    }

    private final class Holding implements Listener {
        @Override
        public void onCommitted(CommittedEntry entry) {
            listener.onCommitted(entry);
        }

        @Override
        public void onDurable(long index) {
            listener.onDurable(index);
        }

        @Override
        public void onLeading(long newEpoch) {
            epoch = newEpoch;
            held = true;
            elected.complete(null);
        }

        @Override
        public void onFollowing(long ended) {
            held = false;
            listener.onFollowing(ended);
        }

        @Override
        public void onReplaced() {
            held = false;
            listener.onReplaced();
        }

        @Override
        public void onStopped(IOException cause) {
            held = false;
            listener.onStopped(cause);
        }
    }

    @Override
    public int poll() {
        int done = log.poll();
        if (held && let) {
            held = false;
            listener.onLeading(epoch);
            done++;
        }
        return done;
    }

    @Override
    public EntryBuffer newEntry() {
        return log.newEntry();
    }

    @Override
    public long append(EntryBuffer entry, Durability durability) {
        return log.append(entry, durability);
    }

    @Override
    public boolean isWritable() {
        return !held && log.isWritable();
    }

    @Override
    public boolean isLeased() {
        return log.isLeased();
    }

    @Override
    public long writtenIndex() {
        return log.writtenIndex();
    }

    @Override
    public long keptIndex() {
        return log.keptIndex();
    }

    @Override
    public Optional<Shortage> shortage() {
        return log.shortage();
    }

    @Override
    public boolean hasRoomFor(int entryBytes) {
        return log.hasRoomFor(entryBytes);
    }

    @Override
    public long deadlineNanos() {
        return log.deadlineNanos();
    }

    @Override
    public Optional<PartitionChunk> read(int partition, long offset, int maxBytes, Runnable ready) {
        return log.read(partition, offset, maxBytes, ready);
    }

    @Override
    public void release(long imageIndex, IntToLongFunction neededFrom) {
        log.release(imageIndex, neededFrom);
    }

    @Override
    public long bytesSince(long index) {
        return log.bytesSince(index);
    }

    @Override
    public LogStatus status() {
        return log.status();
    }

    @Override
    public void close() {
        log.close();
    }
}
