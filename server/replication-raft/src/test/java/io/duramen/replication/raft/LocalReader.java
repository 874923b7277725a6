package io.duramen.replication.raft;

import io.duramen.log.EntryBuffer;
import io.duramen.log.LogRecord;
import io.duramen.replication.CommittedEntry;
import io.duramen.replication.LocalLog;
import io.duramen.replication.ReplicatedLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Reads and appends to a log without an engine. Confined to the test's thread. */
final class LocalReader implements ReplicatedLog.Listener {
    final List<Integer> bodies = new ArrayList<>();
    private long committed;
    private boolean leads;

    /** Appends an entry once all before has been read, and waits until so many are committed. */
    void appendTo(LocalLog log, int number, long expectedCount) {
        while (!leads) {
            poll(log);
        }
        EntryBuffer entry = log.newEntry();
        entry.addControl((byte) 9, ByteBuffer.allocate(4).putInt(0, number));
        long index = log.append(entry, ReplicatedLog.Durability.SYNCED);
        while (committed < Math.max(index, expectedCount)) {
            poll(log);
        }
    }

    private static void poll(LocalLog log) {
        if (log.poll() == 0) {
            LockSupport.parkNanos(100_000);
        }
    }

    @Override
    public void onCommitted(CommittedEntry entry) {
        committed = entry.index();
        LogRecord.forEach(
                entry.records(), entry.count(), (type, partition, offset, count, body) -> bodies.add(body.getInt(0)));
    }

    @Override
    public void onDurable(long index) {}

    @Override
    public void onLeading(long epoch) {
        leads = true;
    }

    @Override
    public void onStopped(IOException cause) {
        throw new AssertionError(cause);
    }
}
