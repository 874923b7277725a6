package io.duramen.broker.destination;

import io.duramen.broker.transaction.Facts;
import io.duramen.broker.transaction.ProducerIdentities.Changed;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * Over how many of its partitions, from the first on, a destination spreads what has a key, where it has got further ones
 * since it was made: so no key ever moves to another partition. Hard state, of the catalogue; confined to the shard's agent.
 */
public final class KeyedPartitions implements Facts<KeyedPartitions.Keyed> {
    private static final int KIND = 4;

    private final TreeMap<String, Keyed> byName = new TreeMap<>();
    private final Changed changed;

    /** @param partitions how many it was made with */
    public record Keyed(String name, int partitions) {}

    public KeyedPartitions(Changed changed) {
        this.changed = changed;
    }

    /** How many of the destination's partitions take what has a key. */
    public int of(Destination destination) {
        Keyed keyed = byName.get(destination.name());
        return keyed == null ? destination.places().size() : keyed.partitions();
    }

    /** Replays that the destination, which has so many partitions, gets further ones. */
    public void grows(Destination destination) {
        String name = destination.name();
        if (!byName.containsKey(name)) {
            Keyed keyed = new Keyed(name, destination.places().size());
            byName.put(name, keyed);
            changed.fact(KIND, name, keyed);
        }
    }

    /** Replays that the destination is no more. */
    public void remove(String name) {
        if (byName.remove(name) != null) {
            changed.fact(KIND, name, null);
        }
    }

    @Override
    public int kind() {
        return KIND;
    }

    @Override
    public Class<Keyed> type() {
        return Keyed.class;
    }

    @Override
    public Keyed get(String key) {
        return byName.get(key);
    }

    @Override
    public void forEach(BiConsumer<String, Keyed> action) {
        byName.forEach(action);
    }

    @Override
    public void load(Keyed keyed) {
        byName.put(keyed.name(), keyed);
    }
}
