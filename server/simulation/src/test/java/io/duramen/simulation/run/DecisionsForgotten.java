package io.duramen.simulation.run;

import io.duramen.log.LogRecord;
import io.duramen.replication.CommittedEntry;
import io.duramen.replication.ReplicatedLog;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A fault: records that say how branches ended come out of the log with the names of branches that there are not. */
final class DecisionsForgotten extends ForwardingLog {
    /** Of a branch's end in its shard. */
    static final byte BRANCH_ENDED = 21;

    /** Of what was decided about a transaction of several shards. */
    static final byte TRANSACTION_DECIDED = 22;

    private final byte forgotten;

    /** @param forgotten type of the records */
    DecisionsForgotten(ReplicatedLog log, byte forgotten) {
        super(log);
        this.forgotten = forgotten;
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

    private ByteBuffer forgetting(CommittedEntry entry) {
        ByteBuffer records = entry.records();
        ByteBuffer copy = ByteBuffer.allocate(records.remaining())
                .put(records.duplicate())
                .flip();
        LogRecord.forEach(copy, entry.count(), (type, partition, offset, count, body) -> {
            if (type == forgotten) {
                int format = body.position();
                body.putInt(format, body.getInt(format) + 1);
            }
        });
        return copy;
    }
}
