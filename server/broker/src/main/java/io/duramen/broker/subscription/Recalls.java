package io.duramen.broker.subscription;

import io.duramen.runtime.Clock;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * Watches audiences of which one consumer waits with credit while nothing is available and another holds deliveries that
 * its application has not seen. When that has lasted for a time, those who will not be done with theirs in as long
 * again are asked for some. What came before something that a waiting consumer has had is not asked for. But a consumer
 * may be handed later messages between the question and its answer, and what comes back then is out of its order: so this
 * is done only where the node is told to. Soft state of the leader; confined to the shard's agent.
 */
public final class Recalls {
    /** @param seenBefore what each consumer was known to have seen, by consumer */
    private record Watched(Audience audience, long sinceNanos, Map<Consumer, Long> seenBefore) {}

    private final long afterNanos;
    private final ArrayDeque<Audience> found = new ArrayDeque<>();
    private final ArrayDeque<Watched> watched = new ArrayDeque<>();

    /** @param afterNanos how long a consumer waits before others are asked for what they hold; with 0 they never are */
    public Recalls(long afterNanos) {
        this.afterNanos = afterNanos;
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
        if (last < 0) {
            return false;
        }
        for (Consumer consumer : audience.consumers()) {
            if (consumer.unseen() > 0 && consumer.heldSince() > last) {
                return !audience.mayHaveMore();
            }
        }
        return false;
    }

    /** Number of the last message handed to any that waits; -1 where none does. */
    private static long lastOfWaiting(Audience audience) {
        long last = -1;
        for (Consumer consumer : audience.consumers()) {
            if (isWaiting(consumer)) {
                last = Math.max(last, consumer.lastHandout());
            }
        }
        return last;
    }

    private static boolean isWaiting(Consumer consumer) {
        return consumer.mayTake() && consumer.unseen() == 0;
    }

    /** Asks for what is due by now. */
    public int doWork(Clock clock) {
        if (found.isEmpty() && watched.isEmpty()) {
            return 0;
        }
        int work = 0;
        long now = clock.nanos();
        while (!watched.isEmpty() && now - watched.peek().sinceNanos >= afterNanos) {
            Watched due = watched.poll();
            due.audience.watched(false);
            if (oneWaitsAnotherHolds(due.audience)) {
                recall(due);
                look(due.audience);
            }
            work++;
        }
        for (Audience audience = found.poll(); audience != null; audience = found.poll()) {
            Map<Consumer, Long> seen = new HashMap<>();
            audience.consumers().forEach(consumer -> seen.put(consumer, consumer.lastSeen()));
            watched.add(new Watched(audience, now, seen));
        }
        return work;
    }

    private static void recall(Watched due) {
        long last = lastOfWaiting(due.audience);
        for (Consumer consumer : due.audience.consumers()) {
            Long before = due.seenBefore.get(consumer);
            if (before == null || isWaiting(consumer) || consumer.heldSince() <= last) {
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
        return watched.isEmpty() ? Long.MAX_VALUE : watched.peek().sinceNanos + afterNanos;
    }
}
