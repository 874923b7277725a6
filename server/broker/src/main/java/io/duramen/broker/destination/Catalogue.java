package io.duramen.broker.destination;

import io.duramen.metadata.ShardImage.DestinationRow;
import io.duramen.runtime.Invariant;
import java.util.Collection;
import java.util.Optional;
import java.util.TreeMap;
import org.agrona.collections.Int2ObjectHashMap;

/** The destinations of a shard, by name, and their partitions, by id. Hard state; confined to the shard's agent. */
public final class Catalogue {
    private final TreeMap<String, Destination> destinations = new TreeMap<>();
    private final Int2ObjectHashMap<Partition> partitions = new Int2ObjectHashMap<>();
    private int nextPartition = 1;

    public Optional<Destination> find(String name) {
        return Optional.ofNullable(destinations.get(name));
    }

    /** @return null where no such partition exists; asked for every published batch */
    public Partition partition(int id) {
        return partitions.get(id);
    }

    /** Sorted by name. */
    public Collection<Destination> destinations() {
        return destinations.values();
    }

    public int size() {
        return destinations.size();
    }

    /** The id that the next partition gets. */
    public int nextPartition() {
        return nextPartition;
    }

    /** Ids below are taken, whether or not their partitions still exist. */
    public void reserveBelow(int partition) {
        nextPartition = Math.max(nextPartition, partition);
    }

    public Destination add(DestinationRow row) {
        Destination destination = new Destination(row);
        Invariant.hold(
                destinations.putIfAbsent(destination.name(), destination) == null,
                "destination %s was created twice",
                destination.name());
        for (Partition partition : destination.partitions()) {
            Invariant.hold(
                    partitions.put(partition.id(), partition) == null,
                    "partition %d was created twice",
                    partition.id());
            reserveBelow(partition.id() + 1);
        }
        return destination;
    }

    public Optional<Destination> remove(String name) {
        Destination destination = destinations.remove(name);
        if (destination != null) {
            destination.partitions().forEach(partition -> partitions.remove(partition.id()));
        }
        return Optional.ofNullable(destination);
    }
}
