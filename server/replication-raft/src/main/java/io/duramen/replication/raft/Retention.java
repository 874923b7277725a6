package io.duramen.replication.raft;

import io.duramen.log.ShardLog;
import io.duramen.runtime.Clock;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.IntToLongFunction;

/**
 * How much of its log a replica keeps: what others may lack that were away for a while, what is lent, and what the engine may be reading.
 * Confined to the agent.
 *
 * <p>The engine reads entries without a lock; so it is told first that it needs not read some any more, and they go a while later. What
 * it calls a snapshot moves that along: it lets go of what lies before the snapshot before, which never is to be behind the image.
 */
final class Retention {
    /** What the engine was told that it reads no more is released after so many election timeouts: it may have begun to. */
    private static final int TIMEOUTS_TO_RELEASE = 10;

    private final Parts parts;
    private final Forgotten forgotten;
    private final Clock clock;
    private final BooleanSupplier leads;
    private final Runnable snapshot;

    /** What of a replica tells who needs what. */
    record Parts(
            ShardLog log,
            StoredLog stored,
            Lending lending,
            HandOver handOver,
            AppliedMark mark,
            Following following) {}

    /** @param snapshot has the engine forget what lies before the one before */
    Retention(Parts parts, Duration electionTimeout, Clock clock, BooleanSupplier leads, Runnable snapshot) {
        this.parts = parts;
        this.forgotten = new Forgotten(electionTimeout.multipliedBy(TIMEOUTS_TO_RELEASE), parts.stored.readFrom() - 1);
        this.clock = clock;
        this.leads = leads;
        this.snapshot = snapshot;
    }

    /** As {@link io.duramen.replication.ReplicatedLog#release}. */
    void release(long imageIndex, IntToLongFunction neededFrom) {
        if (parts.stored.isOfOne()) {
            parts.log.release(imageIndex, neededFrom);
        } else if (parts.lending.mayRelease() && !parts.stored.isReading()) {
            forget(imageIndex);
            parts.log.release(Math.min(imageIndex, forgotten.index(clock.nanos())), neededFrom);
        }
        parts.stored.released();
    }

    /** Where nothing came since, the engine would let go of all there is; and of a leader's follower see {@link Following}. */
    private void forget(long imageIndex) {
        forgotten.told(parts.stored.readFrom() - 1, clock.nanos());
        long marked = parts.mark.index();
        boolean news = parts.handOver.committedIndex() > marked
                && (leads.getAsBoolean() || parts.following.isFurtherThan(marked));
        if (imageIndex >= marked && news) {
            snapshot.run();
        }
    }
}
