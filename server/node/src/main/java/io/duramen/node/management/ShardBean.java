package io.duramen.node.management;

import io.duramen.broker.shard.ShardCounters;
import io.duramen.broker.shard.ShardCounters.Counter;
import io.duramen.management.ShardMXBean;
import io.duramen.runtime.disk.SyncTimes;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Thread-safe. */
final class ShardBean implements ShardMXBean {
    private final int number;
    private final ShardCounters counters;
    private final SyncTimes syncTimes;
    private final BooleanSupplier failed;

    /** @param failed whether its agent met an error in the node itself */
    ShardBean(int number, ShardCounters counters, SyncTimes syncTimes, BooleanSupplier failed) {
        this.number = number;
        this.counters = counters;
        this.syncTimes = syncTimes;
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
    public long getLogSyncs() {
        return syncTimes.count();
    }

    @Override
    public long getLogSyncMillis() {
        return TimeUnit.NANOSECONDS.toMillis(syncTimes.nanos());
    }

    @Override
    public long getLogSlowSyncs() {
        return syncTimes.slow();
    }

    @Override
    public long getLogLongestSyncMillis() {
        return TimeUnit.NANOSECONDS.toMillis(syncTimes.longestNanos());
    }

    @Override
    public long getUncommittedBytes() {
        return counters.get(Counter.UNCOMMITTED_BYTES);
    }

    @Override
    public boolean isDiskFull() {
        return counters.get(Counter.LOG_FULL) != 0;
    }

    @Override
    public String getLogDamaged() {
        return counters.damage();
    }
}
