package io.duramen.broker.shard;

import io.duramen.broker.transaction.Facts;
import io.duramen.broker.transaction.ProducerIdentities.Changed;
import java.util.List;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** Whose delivery an operator has paused. Hard state; confined to the agent. */
final class Pauses implements Facts<Pauses.Paused> {
    private static final int KIND = 8;

    /** A whole destination: all its subscriptions, those to come as well. */
    static final int ALL = 0;

    /** @param subscription its id; {@link #ALL} for the whole destination */
    record Paused(String destination, int subscription) {}

    private final Changed changed;
    private final TreeMap<String, Paused> byKey = new TreeMap<>();

    Pauses(Changed changed) {
        this.changed = changed;
    }

    private static String key(String destination, int subscription) {
        return subscription == ALL ? "destination " + destination : "subscription " + subscription;
    }

    @Override
    public int kind() {
        return KIND;
    }

    @Override
    public Class<Paused> type() {
        return Paused.class;
    }

    @Override
    public Paused get(String key) {
        return byKey.get(key);
    }

    /** Whether this was paused by itself. */
    boolean has(String destination, int subscription) {
        return byKey.containsKey(key(destination, subscription));
    }

    /** Whether a subscription hands out nothing, for its own or for its destination's sake. */
    boolean isPaused(String destination, int subscription) {
        return !byKey.isEmpty() && (has(destination, ALL) || subscription > ALL && has(destination, subscription));
    }

    /** What is paused of a destination. */
    List<Paused> of(String destination) {
        return byKey.values().stream()
                .filter(one -> one.destination.equals(destination))
                .toList();
    }

    List<Paused> all() {
        return List.copyOf(byKey.values());
    }

    /** Replays a pause, or its end. */
    void set(Paused one, boolean paused) {
        String key = key(one.destination, one.subscription);
        if (paused) {
            byKey.put(key, one);
            changed.fact(KIND, key, one);
        } else if (byKey.remove(key) != null) {
            changed.fact(KIND, key, null);
        }
    }

    /** A destination is no more. */
    void forget(String destination) {
        of(destination).forEach(one -> set(one, false));
    }

    /** A subscription is no more. */
    void forget(String destination, int subscription) {
        if (subscription > ALL) {
            set(new Paused(destination, subscription), false);
        }
    }

    @Override
    public void forEach(BiConsumer<String, Paused> action) {
        byKey.forEach(action);
    }

    @Override
    public void load(Paused one) {
        byKey.put(key(one.destination, one.subscription), one);
    }
}
