package io.duramen.simulation.run;

import io.duramen.log.LogRecord;
import io.duramen.replication.ReplicatedLog;

/** A fault: records that say how branches ended come out of the log with the names of branches that there are not. */
final class DecisionsForgotten extends RewritingLog {
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
    LogRecord.Visitor rewriter() {
        return (type, partition, offset, count, body) -> {
            if (type == forgotten) {
                int format = body.position();
                body.putInt(format, body.getInt(format) + 1);
            }
        };
    }
}
