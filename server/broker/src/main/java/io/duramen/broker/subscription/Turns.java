package io.duramen.broker.subscription;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.TreeSet;

/**
 * Which subscriptions of a shard get their turn: now, because there may be something to hand out, or at a time, because
 * something falls due. Confined to the shard's agent.
 */
public final class Turns {
    /** A subscription has at most one. */
    record Later(long millis, Subscription subscription) {
        int id() {
            return subscription.row().subscription();
        }
    }

    private final ArrayDeque<Subscription> now = new ArrayDeque<>();
    private final TreeSet<Later> later =
            new TreeSet<>(Comparator.comparingLong(Later::millis).thenComparingInt(Later::id));

    private long nanos;
    private long millis = Long.MIN_VALUE;

    /** Called by the subscription itself, once until its turn. */
    void now(Subscription subscription) {
        now.add(subscription);
    }

    /**
     * Wakes the subscription at that time, unless something wakes it before.
     *
     * @param already what was returned the last time, or null
     * @return what stands now
     */
    Later at(long millis, Subscription subscription, Later already) {
        if (already != null && already.millis <= millis) {
            return already;
        }
        forget(already);
        Later next = new Later(millis, subscription);
        later.add(next);
        return next;
    }

    void forget(Later entry) {
        if (entry != null) {
            later.remove(entry);
        }
    }

    /**
     * Gives those their turn whose time has come; all of them where the clock was put back, which say anew when they want the next: what
     * was reckoned from a clock that went ahead would come late by as much as that was ahead.
     *
     * @param nowNanos the same moment on the clock for intervals
     */
    public void wake(long nowMillis, long nowNanos) {
        nanos = nowNanos;
        boolean putBack = nowMillis < millis;
        millis = nowMillis;
        while (!later.isEmpty() && (putBack || later.first().millis <= nowMillis)) {
            later.pollFirst().subscription.wakeUp();
        }
    }

    /** When the next one is to be woken, in milliseconds since 1970; {@link Long#MAX_VALUE} for none. */
    public long nextMillis() {
        return later.isEmpty() ? Long.MAX_VALUE : later.first().millis;
    }

    /** When the turns that are being taken began, on {@link io.duramen.runtime.Clock#nanos}. */
    long nanos() {
        return nanos;
    }

    /** How many have their turn now. */
    public int count() {
        return now.size();
    }

    /** The next of them. */
    public Subscription take() {
        return now.poll();
    }
}
