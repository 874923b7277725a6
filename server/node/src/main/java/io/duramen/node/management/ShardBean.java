package io.duramen.node.management;

import io.duramen.broker.shard.ShardCounters;
import io.duramen.broker.shard.ShardCounters.Counter;
import io.duramen.management.ShardMXBean;
import java.util.function.BooleanSupplier;

/** Thread-safe. */
final class ShardBean implements ShardMXBean {
    private final int number;
    private final ShardCounters counters;
    private final BooleanSupplier failed;

    /** @param failed whether its agent met an error in the node itself */
    ShardBean(int number, ShardCounters counters, BooleanSupplier failed) {
        this.number = number;
        this.counters = counters;
        this.failed = failed;
    }

    @Override
    public int getNumber() {
        return number;
    }

    @Override
    public String getState() {
        if (failed.getAsBoolean() || counters.get(Counter.LOG_STOPPED) != 0) {
            return "STOPPED";
        }
        return counters.get(Counter.LEADING) != 0 ? "LEADING" : "RECOVERING";
    }

    @Override
    public long getDestinations() {
        return counters.get(Counter.DESTINATIONS);
    }

    @Override
    public long getDurableSubscriptions() {
        return counters.get(Counter.DURABLE_SUBSCRIPTIONS);
    }

    @Override
    public long getConnections() {
        return counters.get(Counter.CONNECTIONS);
    }

    @Override
    public long getPreparedBranches() {
        return counters.get(Counter.PREPARED_BRANCHES);
    }

    @Override
    public long getMessagesStored() {
        return counters.get(Counter.MESSAGES_STORED);
    }

    @Override
    public long getMessagesSettled() {
        return counters.get(Counter.MESSAGES_SETTLED);
    }

    @Override
    public long getLogFirstIndex() {
        return counters.get(Counter.LOG_FIRST_INDEX);
    }

    @Override
    public long getLogLastIndex() {
        return counters.get(Counter.LOG_LAST_INDEX);
    }

    @Override
    public long getLogDurableIndex() {
        return counters.get(Counter.LOG_DURABLE_INDEX);
    }

    @Override
    public long getLogSegments() {
        return counters.get(Counter.LOG_SEGMENTS);
    }

    @Override
    public long getLogBytes() {
        return counters.get(Counter.LOG_BYTES);
    }

    @Override
    public long getUncommittedBytes() {
        return counters.get(Counter.UNCOMMITTED_BYTES);
    }

    @Override
    public boolean isDiskFull() {
        return counters.get(Counter.LOG_FULL) != 0;
    }
}
