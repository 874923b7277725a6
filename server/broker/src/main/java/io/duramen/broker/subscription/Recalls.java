package io.duramen.broker.subscription;

import io.duramen.runtime.Clock;
import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * Watches audiences of which one consumer waits with credit while nothing is available and another holds deliveries that
 * its application has not seen. When that has lasted for a time, those who did not get on with theirs fast enough in the
 * second half of it are asked for some, unless all who wait have had something behind those. What is heard in the first
 * half may be news of before: clients tell what their applications have seen a moment later. Whom what comes back may go
 * to, so that nobody meets it out of order, is {@link Reclaimed}'s to say. Soft state of the leader; confined to the
 * shard's agent.
 */
public final class Recalls {
    private record Watched(Audience audience, long sinceNanos) {}

    /** @param seenBefore what each consumer was known to have seen at half time */
    private record Measured(Audience audience, long sinceNanos, Map<Consumer, Long> seenBefore) {}

    private final long afterNanos;
    private final long halfNanos;
    private final ArrayDeque<Audience> found = new ArrayDeque<>();
    private final ArrayDeque<Watched> watched = new ArrayDeque<>();
    private final ArrayDeque<Measured> measured = new ArrayDeque<>();

    /** @param afterNanos how long a consumer waits before others are asked for what they hold; with 0 they never are */
    public Recalls(long afterNanos) {
        this.afterNanos = afterNanos;
        this.halfNanos = afterNanos / 2;
    }

    /** An audience has handed out what it could; cheap where it is watched already. */
    void look(Audience audience) {
        if (afterNanos > 0 && !audience.isWatched() && oneWaitsAnotherHolds(audience)) {
            audience.watched(true);
            found.add(audience);
        }
    }

    private static boolean oneWaitsAnotherHolds(Audience audience) {
        long last = lastOfWaiting(audience);
        for (Consumer consumer : audience.consumers()) {
            if (mayBeAsked(consumer, last)) {
                return !audience.mayHaveMore();
            }
        }
        return false;
    }

    /**
     * The lowest number of those handed last to one that waits: others may be handed what was handed out after it.
     *
     * @return {@link Long#MAX_VALUE} where nobody waits
     */
    private static long lastOfWaiting(Audience audience) {
        long last = Long.MAX_VALUE;
        for (Consumer consumer : audience.consumers()) {
            if (isWaiting(consumer)) {
                last = Math.min(last, consumer.lastHandout());
            }
        }
        return last;
    }

    private static boolean isWaiting(Consumer consumer) {
        return consumer.mayTake() && consumer.unseen() == 0;
    }

    private static boolean mayBeAsked(Consumer consumer, long last) {
        return consumer.unseen() > 0
                && consumer.heldSince() > last
                && !consumer.isRecalling()
                && !consumer.isDraining();
    }

    /** Asks for what is due by now. */
    public int doWork(Clock clock) {
        if (found.isEmpty() && watched.isEmpty() && measured.isEmpty()) {
            return 0;
        }
        int work = 0;
        long now = clock.nanos();
        while (!measured.isEmpty() && now - measured.peek().sinceNanos >= afterNanos - halfNanos) {
            Measured due = measured.poll();
            due.audience.watched(false);
            if (oneWaitsAnotherHolds(due.audience)) {
                recall(due);
                look(due.audience);
            }
            work++;
        }
        while (!watched.isEmpty() && now - watched.peek().sinceNanos >= halfNanos) {
            measure(watched.poll().audience, now);
            work++;
        }
        for (Audience audience = found.poll(); audience != null; audience = found.poll()) {
            watched.add(new Watched(audience, now));
        }
        return work;
    }

    private void measure(Audience audience, long now) {
        if (oneWaitsAnotherHolds(audience)) {
            Map<Consumer, Long> seen = new IdentityHashMap<>();
            audience.consumers().forEach(consumer -> seen.put(consumer, consumer.lastSeen()));
            measured.add(new Measured(audience, now, seen));
        } else {
            audience.watched(false);
        }
    }

    private static void recall(Measured due) {
        long last = lastOfWaiting(due.audience);
        for (Consumer consumer : due.audience.consumers()) {
            Long before = due.seenBefore.get(consumer);
            if (before == null || !mayBeAsked(consumer, last)) {
                continue;
            }
            long progress = consumer.lastSeen() - before;
            long surplus = consumer.unseen() - progress;
            if (surplus > 0) {
                consumer.recall(progress == 0 ? surplus : (surplus + 1) / 2);
            }
        }
    }

    /** When {@link #doWork} has something to do; {@link Long#MAX_VALUE} for nothing. */
    public long deadlineNanos() {
        long next = watched.isEmpty() ? Long.MAX_VALUE : watched.peek().sinceNanos + halfNanos;
        return measured.isEmpty() ? next : Math.min(next, measured.peek().sinceNanos + afterNanos - halfNanos);
    }
}
