package io.duramen.simulation.run;

import io.duramen.log.LogRecord;
import io.duramen.protocol.record.RecordBatch;
import io.duramen.replication.CommittedEntry;
import io.duramen.replication.ReplicatedLog;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A fault: what settles messages that the broker moves, which stands behind the moved ones, comes out of the log for a
 * subscription that there is not.
 */
final class DeadLettersUnsettled extends ForwardingLog {
    private static final byte SETTLED = 2;

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
        boolean[] moved = new boolean[1];
        LogRecord.forEach(copy, entry.count(), (type, partition, offset, count, body) -> {
            if (type == LogRecord.TYPE_MESSAGES) {
                moved[0] = partition > 0 && RecordBatch.producerId(body) == 0;
            } else if (type == SETTLED && moved[0]) {
                body.putInt(body.position(), Integer.MAX_VALUE);
                moved[0] = false;
            }
        });
        return copy;
    }
}
