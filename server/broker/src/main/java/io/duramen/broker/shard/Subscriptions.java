package io.duramen.broker.shard;

import io.duramen.broker.subscription.Subscription;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The subscriptions of a shard, durable and not, found by id, by destination and by name. Confined to the agent. */
final class Subscriptions {
    /** Scope and name of a named subscription. */
    record Name(String clientId, String name) {}

    private final TreeMap<Integer, Subscription> durable = new TreeMap<>();
    private final Map<Name, Subscription> durableByName = new HashMap<>();
    private final Map<Name, Subscription> sharedByName = new HashMap<>();
    private final Map<String, List<Subscription>> byDestination = new HashMap<>();
    private int nextId = 1;
    private int nextSoftId = -1;

    /** @return null where it is not, or no longer, there */
    Subscription durable(int id) {
        return durable.get(id);
    }

    /** Sorted by id. */
    Collection<Subscription> durables() {
        return durable.values();
    }

    /** Those of higher ids than this, sorted by id. */
    Collection<Subscription> durablesBehind(int id) {
        return durable.tailMap(id, false).values();
    }

    int namedDurables() {
        return durableByName.size();
    }

    Optional<Subscription> durable(Name name) {
        return Optional.ofNullable(durableByName.get(name));
    }

    /** The shared subscription that is not durable. */
    Optional<Subscription> shared(Name name) {
        return Optional.ofNullable(sharedByName.get(name));
    }

    List<Subscription> of(String destination) {
        return byDestination.getOrDefault(destination, List.of());
    }

    /** The built-in subscription of a queue. */
    Subscription ofQueue(String queue) {
        return byDestination.get(queue).get(0);
    }

    int nextId() {
        return nextId;
    }

    void reserveBelow(int id) {
        nextId = Math.max(nextId, id);
    }

    /** Ids of subscriptions that are not durable are negative and mean nothing to the log. */
    int takeSoftId() {
        return nextSoftId--;
    }

    void add(Subscription subscription) {
        byDestination
                .computeIfAbsent(subscription.destination().name(), none -> new ArrayList<>(1))
                .add(subscription);
        if (subscription.isDurable()) {
            durable.put(subscription.row().subscription(), subscription);
            reserveBelow(subscription.row().subscription() + 1);
        }
        Map<Name, Subscription> names = names(subscription);
        if (names != null) {
            names.put(nameOf(subscription), subscription);
        }
    }

    void remove(Subscription subscription) {
        subscription.close();
        durable.remove(subscription.row().subscription(), subscription);
        Map<Name, Subscription> names = names(subscription);
        if (names != null) {
            names.remove(nameOf(subscription), subscription);
        }
        byDestination.computeIfPresent(subscription.destination().name(), (name, all) -> {
            all.remove(subscription);
            return all.isEmpty() ? null : all;
        });
    }

    private Map<Name, Subscription> names(Subscription subscription) {
        return switch (subscription.kind()) {
            case DURABLE, SHARED_DURABLE -> durableByName;
            case SHARED -> sharedByName;
            case QUEUE, EXCLUSIVE -> null;
        };
    }

    private static Name nameOf(Subscription subscription) {
        return new Name(subscription.row().clientId(), subscription.row().name());
    }
}
