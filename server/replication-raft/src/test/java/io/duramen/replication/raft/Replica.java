package io.duramen.replication.raft;

import com.alipay.sofa.jraft.rpc.RpcClient;
import io.duramen.log.EntryBuffer;
import io.duramen.log.LogConfig;
import io.duramen.log.LogRecord;
import io.duramen.replication.CommittedEntry;
import io.duramen.replication.ReplicatedLog;
import io.duramen.runtime.SystemClock;
import io.duramen.runtime.disk.FileDisk;
import io.duramen.runtime.settings.Bytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A log under test, and what it told. Confined to the test's thread, which is its agent. */
final class Replica implements ReplicatedLog.Listener, AutoCloseable {
    static final LogConfig CONFIG = LogConfig.defaults()
            .withSegmentSize(new Bytes(64 * 1024))
            .withReserve(new Bytes(4096))
            .withCacheSize(new Bytes(64 * 1024));

    final RaftLog log;
    final List<Long> indexes = new ArrayList<>();
    final List<Integer> bodies = new ArrayList<>();
    final List<Long> epochs = new ArrayList<>();
    long epoch;
    long durable;
    long ended;
    Optional<IOException> stopped = Optional.empty();

    private Replica(RaftLog log) {
        this.log = log;
    }

    static Replica open(RaftConfig config, Path directory, RpcClient client, LogConfig logConfig, long applied)
            throws IOException {
        Files.createDirectories(directory);
        FileDisk disk = new FileDisk(directory);
        RaftLog log =
                new RaftLog(disk, new SystemClock(), logConfig, 7, new RaftReplica.Place(config, directory, client));
        Replica replica = new Replica(log);
        try {
            log.start(applied, replica);
        } catch (IOException e) {
            log.close();
            throw e;
        }
        return replica;
    }

    /** An entry of one record, whose body begins with the number; returns its index. */
    long append(int number, int length, boolean synced) {
        EntryBuffer entry = log.newEntry();
        entry.addControl((byte) 9, ByteBuffer.allocate(length).putInt(0, number));
        return log.append(entry, synced ? ReplicatedLog.Durability.SYNCED : ReplicatedLog.Durability.WRITTEN);
    }

    boolean leads() {
        return log.isWritable();
    }

    @Override
    public void onCommitted(CommittedEntry entry) {
        indexes.add(entry.index());
        epochs.add(entry.epoch());
        LogRecord.forEach(
                entry.records(), entry.count(), (type, partition, offset, count, body) -> bodies.add(body.getInt(0)));
    }

    @Override
    public void onDurable(long index) {
        durable = index;
    }

    @Override
    public void onLeading(long newEpoch) {
        epoch = newEpoch;
        ended = 0;
    }

    @Override
    public void onFollowing(long endedEpoch) {
        ended = endedEpoch;
    }

    @Override
    public void onStopped(IOException cause) {
        stopped = Optional.of(cause);
    }

    @Override
    public String toString() {
        return "[epoch " + epoch + (leads() ? ", leads" : "") + ", ended " + ended + ", " + bodies.size() + " bodies, "
                + log.status() + stopped.map(cause -> ", stopped: " + cause).orElse("") + "]";
    }

    @Override
    public void close() {
        log.close();
    }
}
