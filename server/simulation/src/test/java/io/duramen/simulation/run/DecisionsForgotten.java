package io.duramen.simulation.run;

import io.duramen.log.LogRecord;
import io.duramen.replication.CommittedEntry;
import io.duramen.replication.ReplicatedLog;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A fault: the records that say how branches ended come out of the log with the names of branches that there are not. */
final class DecisionsForgotten extends ForwardingLog {
    private static final byte BRANCH_ENDED = 21;

    DecisionsForgotten(ReplicatedLog log) {
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
        LogRecord.forEach(copy, entry.count(), (type, partition, offset, count, body) -> {
            if (type == BRANCH_ENDED) {
                int format = body.position();
                body.putInt(format, body.getInt(format) + 1);
            }
        });
        return copy;
    }
}
