package io.duramen.broker.shard;

import io.duramen.runtime.Clock;
import java.time.Duration;
import java.util.BitSet;
import java.util.function.BooleanSupplier;

/**
 * The other shards, who need not hear everything at once: what is only mentioned to them stands in their inboxes, before
 * whatever is asked of them from then on; what comes next wakes them, as much does where there is much to do, or a moment later
 * this. A wake-up of a thread costs more than what it does upon it. Confined to the agent.
 */
final class Asides implements Neighbours {
    private final Neighbours others;
    private final BooleanSupplier busy;
    private final Clock clock;
    private final long lingerNanos;
    private final BitSet unwoken = new BitSet();
    private long dueNanos;

    /**
     * @param busy whether others will be told something before long
     * @param linger how long others may sleep over it
     */
    Asides(Neighbours others, BooleanSupplier busy, Clock clock, Duration linger) {
        this.others = others;
        this.busy = busy;
        this.clock = clock;
        this.lingerNanos = linger.toNanos();
    }

    @Override
    public int shards() {
        return others.shards();
    }

    @Override
    public void leave(int shard, ShardMessage message) {
        others.leave(shard, message);
    }

    @Override
    public void wake(int shard) {
        unwoken.clear(shard);
        others.wake(shard);
    }

    @Override
    public boolean areFar() {
        return others.areFar();
    }

    @Override
    public boolean hears(int shard) {
        return others.hears(shard);
    }

    @Override
    public long meetings(int shard) {
        return others.meetings(shard);
    }

    @Override
    public void whenHeard(int shard, Runnable then) {
        others.whenHeard(shard, then);
    }

    /** As {@link #tell}, but a shard that will soon be told something anyway may hear it then. */
    void mention(int shard, ShardMessage message) {
        if (!busy.getAsBoolean()) {
            tell(shard, message);
            return;
        }
        leave(shard, message);
        if (unwoken.isEmpty()) {
            dueNanos = clock.nanos() + lingerNanos;
        }
        unwoken.set(shard);
    }

    /** Wakes those that nothing has woken, and that may have slept long enough. */
    int wakeDue() {
        if (unwoken.isEmpty() || clock.nanos() - dueNanos < 0) {
            return 0;
        }
        unwoken.stream().forEach(others::wake);
        unwoken.clear();
        return 1;
    }

    @Override
    public long deadlineNanos() {
        return unwoken.isEmpty() ? Long.MAX_VALUE : dueNanos;
    }
}
