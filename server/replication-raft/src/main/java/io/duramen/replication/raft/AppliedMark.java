package io.duramen.replication.raft;

import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.entity.RaftOutter.SnapshotMeta;
import com.alipay.sofa.jraft.option.SnapshotCopierOptions;
import com.alipay.sofa.jraft.storage.SnapshotStorage;
import com.alipay.sofa.jraft.storage.SnapshotThrottle;
import com.alipay.sofa.jraft.storage.snapshot.SnapshotCopier;
import com.alipay.sofa.jraft.storage.snapshot.SnapshotReader;
import com.alipay.sofa.jraft.storage.snapshot.SnapshotWriter;
import com.google.protobuf.Message;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the engine, in the form of a snapshot, up to which entry the state machine had applied when it started, and later which
 * entries it needs not be able to read any more. The state itself is the state machine's affair: nothing is written here. What one replica
 * copies from another that sends it a snapshot is told by {@link Copying}. From any thread.
 */
final class AppliedMark implements SnapshotStorage {
    private static final Logger LOG = LoggerFactory.getLogger(AppliedMark.class);

    private final Copying copying;
    private volatile SnapshotMeta mark;

    /**
     * How a replica that lacks what was deleted comes by it.
     *
     * @param uri names this replica as one to copy from
     * @param copier begins to copy from one that was named so; null for a name that is none
     */
    record Copying(Supplier<String> uri, Function<String, SnapshotCopier> copier) {}

    /** @param index 0 where nothing was applied yet */
    AppliedMark(long index, long epoch, Members members, Copying copying) {
        this.copying = copying;
        mark = SnapshotMeta.newBuilder()
                .setLastIncludedIndex(index)
                .setLastIncludedTerm(epoch)
                .addAllPeers(names(members.peers()))
                .addAllLearners(names(members.learners()))
                .addAllOldPeers(names(members.oldPeers()))
                .addAllOldLearners(names(members.oldLearners()))
                .build();
    }

    private static List<String> names(List<PeerId> peers) {
        return peers.stream().map(PeerId::toString).toList();
    }

    /** Up to where the engine has been told last that all was applied. */
    long index() {
        return mark.getLastIncludedIndex();
    }

    @Override
    public boolean init(Void options) {
        return true;
    }

    @Override
    public void shutdown() {
        // Holds nothing.
    }

    /** The engine's word for "none" is null. */
    @Override
    public SnapshotReader open() {
        SnapshotMeta now = mark;
        return now.getLastIncludedIndex() == 0 ? null : new Reader(now);
    }

    @Override
    public SnapshotWriter create() {
        return new Writer();
    }

    /**
     * Never asked for: what the engine copies it copies in the background, by {@link #startToCopyFrom}, and nothing in it calls this
     * (SOFAJRaft 1.3.15). Tells that nothing was copied, by its word for that.
     */
    @Override
    public SnapshotReader copyFrom(String uri, SnapshotCopierOptions options) {
        LOG.error("The engine would wait for a copy from {}, which it never should; there is none", uri);
        return null;
    }

    @Override
    public SnapshotCopier startToCopyFrom(String uri, SnapshotCopierOptions options) {
        SnapshotCopier copier = copying.copier().apply(uri);
        if (copier != null) {
            copier.start();
        }
        return copier;
    }

    @Override
    public boolean setFilterBeforeCopyRemote() {
        return false;
    }

    @Override
    public void setSnapshotThrottle(SnapshotThrottle throttle) {
        // Copying keeps a rate of its own.
    }

    private final class Reader extends SnapshotReader {
        private final SnapshotMeta read;

        Reader(SnapshotMeta read) {
            this.read = read;
        }

        @Override
        public boolean init(Void options) {
            return true;
        }

        @Override
        public void shutdown() {
            // Holds nothing.
        }

        @Override
        public void close() {
            // Holds nothing.
        }

        @Override
        public SnapshotMeta load() {
            return read;
        }

        @Override
        public String generateURIForCopy() {
            return copying.uri().get();
        }

        @Override
        public String getPath() {
            return "";
        }

        @Override
        public Set<String> listFiles() {
            return Set.of();
        }

        @Override
        public Message getFileMeta(String name) {
            return null;
        }
    }

    /** Moves the mark on. */
    private final class Writer extends SnapshotWriter {
        @Override
        public boolean init(Void options) {
            return true;
        }

        @Override
        public void shutdown() {
            // Holds nothing.
        }

        @Override
        public boolean saveMeta(SnapshotMeta meta) {
            mark = meta;
            return true;
        }

        @Override
        public boolean addFile(String name, Message meta) {
            return false;
        }

        @Override
        public boolean removeFile(String name) {
            return false;
        }

        @Override
        public void close(boolean keepDataOnError) {
            // Holds nothing.
        }

        @Override
        public void close() {
            // Holds nothing.
        }

        @Override
        public String getPath() {
            return "";
        }

        @Override
        public Set<String> listFiles() {
            return Set.of();
        }

        @Override
        public Message getFileMeta(String name) {
            return null;
        }
    }
}
