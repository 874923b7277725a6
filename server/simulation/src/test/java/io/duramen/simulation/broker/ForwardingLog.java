package io.duramen.simulation.broker;

import io.duramen.log.EntryBuffer;
import io.duramen.log.PartitionChunk;
import io.duramen.replication.LogStatus;
import io.duramen.replication.ReplicatedLog;
import java.io.IOException;
import java.util.Optional;
import java.util.function.IntToLongFunction;

/** A log that does what another does. */
public class ForwardingLog implements ReplicatedLog {
    private final ReplicatedLog log;

    public ForwardingLog(ReplicatedLog log) {
        this.log = log;
    }

    @Override
    public void release(long imageIndex, IntToLongFunction neededFrom) {
        log.release(imageIndex, neededFrom);
    }

    @Override
    public void start(long appliedIndex, Listener listener) throws IOException {
        log.start(appliedIndex, listener);
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
        return log.isWritable();
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
    public int poll() {
        return log.poll();
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
