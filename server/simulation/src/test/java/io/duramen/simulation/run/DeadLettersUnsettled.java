package io.duramen.simulation.run;

import io.duramen.log.LogRecord;
import io.duramen.protocol.record.RecordBatch;
import io.duramen.replication.ReplicatedLog;

/**
 * A fault: what settles messages that the broker moves, which stands behind the moved ones, comes out of the log for a
 * subscription that there is not.
 */
final class DeadLettersUnsettled extends RewritingLog {
    private static final byte SETTLED = 2;

    DeadLettersUnsettled(ReplicatedLog log) {
        super(log);
    }

    @Override
    LogRecord.Visitor rewriter() {
        boolean[] moved = new boolean[1];
        return (type, partition, offset, count, body) -> {
            if (type == LogRecord.TYPE_MESSAGES) {
                moved[0] = partition > 0 && RecordBatch.producerId(body) == 0;
            } else if (type == SETTLED && moved[0]) {
                body.putInt(body.position(), Integer.MAX_VALUE);
                moved[0] = false;
            }
        };
    }
}
