package io.duramen.simulation.run;

import io.duramen.replication.ReplicatedLog;
import io.duramen.simulation.broker.ForwardingLog;
import java.util.function.IntToLongFunction;

/** A log that forgets nothing, so that it can be replayed from its beginning. */
final class KeepingLog extends ForwardingLog {
    KeepingLog(ReplicatedLog log) {
        super(log);
    }

    @Override
    public void release(long imageIndex, IntToLongFunction neededFrom) {}
}
