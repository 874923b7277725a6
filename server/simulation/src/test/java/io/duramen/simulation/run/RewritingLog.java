package io.duramen.simulation.run;

import io.duramen.log.LogRecord;
import io.duramen.replication.CommittedEntry;
import io.duramen.replication.ReplicatedLog;
import io.duramen.simulation.broker.ForwardingLog;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A log from which records come out otherwise than they were appended. Confined as the log. */
abstract class RewritingLog extends ForwardingLog {
    RewritingLog(ReplicatedLog log) {
        super(log);
    }

    /** What does it to the records of an entry, in their order; may write to their bodies, which are copies. */
    abstract LogRecord.Visitor rewriter();

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
                        rewritten(entry)));
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

    private ByteBuffer rewritten(CommittedEntry entry) {
        ByteBuffer records = entry.records();
        ByteBuffer copy = ByteBuffer.allocate(records.remaining())
                .put(records.duplicate())
                .flip();
        LogRecord.forEach(copy, entry.count(), rewriter());
        return copy;
    }
}
