package io.duramen.simulation.run;

import io.duramen.log.LogRecord;
import io.duramen.replication.CommittedEntry;
import io.duramen.replication.ReplicatedLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;

/**
 * A fault: where messages and what settles others stand in one entry without a transaction, as where the broker moves some, what
 * settles comes out of the log for a subscription that there is not.
 */
final class DeadLettersUnsettled extends ForwardingLog {
    private static final byte SETTLED = 2;
    private static final byte TRANSACTION_COMMITTED = 8;

    DeadLettersUnsettled(ReplicatedLog log) {
        super(log);
    }

    @Override
    public void start(long appliedIndex, Listener listener) throws IOException {
        super.start(appliedIndex, new Listener() {
            @Override
            public void onCommitted(CommittedEntry entry) {
                listener.onCommitted(new CommittedEntry(
                        entry.index(),
                        entry.epoch(),
                        entry.timestampMillis(),
                        entry.baseOffset(),
                        entry.count(),
                        forgetting(entry)));
            }

            @Override
            public void onDurable(long index) {
                listener.onDurable(index);
            }

            @Override
            public void onLeading(long epoch) {
                listener.onLeading(epoch);
            }

            @Override
            public void onStopped(IOException cause) {
                listener.onStopped(cause);
            }
        });
    }

    private static ByteBuffer forgetting(CommittedEntry entry) {
        ByteBuffer records = entry.records();
        ByteBuffer copy = ByteBuffer.allocate(records.remaining())
                .put(records.duplicate())
                .flip();
        Set<Byte> types = new HashSet<>();
        LogRecord.forEach(copy, entry.count(), (type, partition, offset, count, body) -> types.add(type));
        if (types.contains(LogRecord.TYPE_MESSAGES) && !types.contains(TRANSACTION_COMMITTED)) {
            LogRecord.forEach(copy, entry.count(), (type, partition, offset, count, body) -> {
                if (type == SETTLED) {
                    body.putInt(body.position(), Integer.MAX_VALUE);
                }
            });
        }
        return copy;
    }
}
