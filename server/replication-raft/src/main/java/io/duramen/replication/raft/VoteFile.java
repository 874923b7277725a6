package io.duramen.replication.raft;

import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.option.RaftMetaStorageOptions;
import com.alipay.sofa.jraft.storage.RaftMetaStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The epoch that a replica knows of and whom it voted for in it, on disk before anybody is told. From any thread.
 *
 * <p>The engine does not look at whether storing succeeded, and would go on with a vote that a restart forgets: two leaders of
 * one epoch may come of that. So every failure is thrown, from there on always, and told to the owner, who stops.
 *
 * <pre>
 *   0       8             10
 *   | epoch | name length | whom it voted for, as the engine names it; nothing for nobody
 * </pre>
 */
final class VoteFile implements RaftMetaStorage {
    private static final Logger LOG = LoggerFactory.getLogger(VoteFile.class);
    private static final long MAGIC = 0x4475_5265_566F_7465L;
    private static final int HEADER_LENGTH = 10;

    private final SmallFile file;
    private final long epochMin;
    private final Consumer<IOException> onFailure;
    private long epoch;
    private PeerId votedFor = PeerId.emptyPeer();
    private IOException failure;

    /**
     * @param epochMin that of the log's last entry: a log may have been without an engine before
     * @param onFailure called once, by the thread that failed
     */
    VoteFile(SmallFile file, long epochMin, Consumer<IOException> onFailure) {
        this.file = file;
        this.epochMin = epochMin;
        this.onFailure = onFailure;
    }

    /**
     * Reads it, and writes it where it is not there, or behind the log.
     *
     * @param voted whether the replica may have voted before, so that it must be there
     * @throws IOException where it is not there, cannot be read or is not intact
     */
    synchronized void load(boolean voted) throws IOException {
        var found = file.read();
        if (found.isEmpty() && voted) {
            throw new IOException(
                    file + " is missing. A node that has lost it must not vote as if it were new: remove it"
                            + " from the cluster and add it again, empty");
        }
        if (found.isPresent()) {
            ByteBuffer content = Sealed.unwrap(MAGIC, found.get(), file.toString());
            byte[] name = new byte[Math.max(0, content.limit() - HEADER_LENGTH)];
            content.get(content.limit() - name.length, name);
            if (content.limit() < HEADER_LENGTH
                    || content.getShort(8) != name.length
                    || name.length > 0 && !votedFor.parse(new String(name, StandardCharsets.UTF_8))) {
                throw new IOException(file + " is damaged: its checksum is right, but not what stands in it");
            }
            epoch = content.getLong(0);
        }
        boolean behind = epoch < epochMin;
        if (behind) {
            epoch = epochMin;
            votedFor = PeerId.emptyPeer();
        }
        if (found.isEmpty() || behind) {
            file.replace(Sealed.wrap(MAGIC, content(epoch, votedFor)));
        }
    }

    @Override
    public boolean init(RaftMetaStorageOptions options) {
        return true;
    }

    @Override
    public void shutdown() {
        // Everything is stored at once.
    }

    @Override
    public synchronized boolean setTerm(long newEpoch) {
        return setTermAndVotedFor(newEpoch, votedFor);
    }

    @Override
    public synchronized long getTerm() {
        return epoch;
    }

    @Override
    public synchronized boolean setVotedFor(PeerId peer) {
        return setTermAndVotedFor(epoch, peer);
    }

    @Override
    public synchronized PeerId getVotedFor() {
        return votedFor;
    }

    /** What this replica has cannot be told any more, and with that not either whom it may vote for: from here on for nobody. */
    synchronized void refuse(IOException cause) {
        if (failure == null) {
            failure = cause;
        }
    }

    /** @throws UncheckedIOException where that failed, now or before, or is refused; what is on disk is then not known */
    @Override
    public synchronized boolean setTermAndVotedFor(long newEpoch, PeerId peer) {
        if (failure != null) {
            throw new UncheckedIOException("this replica votes no more", failure);
        }
        if (newEpoch == epoch && peer.equals(votedFor)) {
            return true;
        }
        if (newEpoch < epoch || newEpoch == epoch && !votedFor.isEmpty()) {
            throw new IllegalStateException("epoch " + newEpoch + " with a vote for " + peer + ", after epoch " + epoch
                    + " with a vote for " + votedFor);
        }
        try {
            file.replace(Sealed.wrap(MAGIC, content(newEpoch, peer)));
        } catch (IOException e) {
            failure = e;
            LOG.error("{} could not be written: this replica votes no more", file, e);
            onFailure.accept(e);
            throw new UncheckedIOException("a vote could not be stored", e);
        }
        epoch = newEpoch;
        votedFor = peer.copy();
        return true;
    }

    private static ByteBuffer content(long epoch, PeerId peer) {
        byte[] name = peer.isEmpty() ? new byte[0] : peer.toString().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(HEADER_LENGTH + name.length)
                .putLong(epoch)
                .putShort((short) name.length)
                .put(name)
                .flip();
    }
}
