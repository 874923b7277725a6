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

/**
 * Tells the engine, in the form of a snapshot, up to which entry the state machine has applied when it starts. The state itself
 * is the state machine's affair: nothing is written here, and nothing can be copied from here. Immutable.
 */
final class AppliedMark implements SnapshotStorage {
    private final SnapshotMeta mark;

    /** @param index 0 where nothing was applied yet */
    AppliedMark(long index, long epoch, Members members) {
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
        return mark.getLastIncludedIndex() == 0 ? null : new Reader();
    }

    @Override
    public SnapshotWriter create() {
        throw new UnsupportedOperationException("the engine saves no snapshots");
    }

    @Override
    public SnapshotReader copyFrom(String uri, SnapshotCopierOptions options) {
        throw new UnsupportedOperationException("the engine copies no snapshots");
    }

    @Override
    public SnapshotCopier startToCopyFrom(String uri, SnapshotCopierOptions options) {
        throw new UnsupportedOperationException("the engine copies no snapshots");
    }

    @Override
    public boolean setFilterBeforeCopyRemote() {
        return false;
    }

    @Override
    public void setSnapshotThrottle(SnapshotThrottle throttle) {
        // Nothing is copied.
    }

    private final class Reader extends SnapshotReader {
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
            return mark;
        }

        @Override
        public String generateURIForCopy() {
            return null;
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
