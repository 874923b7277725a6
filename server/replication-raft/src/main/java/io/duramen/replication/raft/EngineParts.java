package io.duramen.replication.raft;

import com.alipay.sofa.jraft.JRaftServiceFactory;
import com.alipay.sofa.jraft.entity.codec.LogEntryCodecFactory;
import com.alipay.sofa.jraft.entity.codec.v2.LogEntryV2CodecFactory;
import com.alipay.sofa.jraft.option.NodeOptions;
import com.alipay.sofa.jraft.option.RaftOptions;
import com.alipay.sofa.jraft.storage.LogStorage;
import com.alipay.sofa.jraft.storage.RaftMetaStorage;
import com.alipay.sofa.jraft.storage.SnapshotStorage;

/** What one replica gives the engine in place of its own parts. Immutable. */
record EngineParts(LogStorage log, RaftMetaStorage vote, SnapshotStorage mark) implements JRaftServiceFactory {
    @Override
    public LogStorage createLogStorage(String uri, RaftOptions options) {
        return log;
    }

    @Override
    public SnapshotStorage createSnapshotStorage(NodeOptions options) {
        return mark;
    }

    @Override
    public RaftMetaStorage createRaftMetaStorage(String uri, RaftOptions options) {
        return vote;
    }

    @Override
    public LogEntryCodecFactory createLogEntryCodecFactory() {
        return LogEntryV2CodecFactory.getInstance();
    }
}
