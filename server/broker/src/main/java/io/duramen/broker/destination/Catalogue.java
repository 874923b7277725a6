package io.duramen.broker.destination;

import io.duramen.metadata.ShardImage.DestinationRow;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.runtime.Invariant;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.agrona.collections.Int2ObjectHashMap;

/** The destinations of a shard, by name, and their partitions, by id. Hard state; confined to the shard's agent. */
public final class Catalogue {
    private final TreeMap<String, Destination> destinations = new TreeMap<>();
    private final Int2ObjectHashMap<Partition> partitions = new Int2ObjectHashMap<>();
    private final int shard;

    /** Partitions by the shard that carries them, temporary ones included. */
    private final int[] load;

    private int nextPartition = 1;

    /**
     * @param shard whose partitions are here
     * @param shards how many the node has
     */
    public Catalogue(int shard, int shards) {
        this.shard = shard;
        this.load = new int[shards];
    }

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

    public Set<String> names() {
        return destinations.keySet();
    }

    public int size() {
        return destinations.size();
    }

    /** How many partitions each shard carries, as far as this catalogue knows. */
    public int[] load() {
        return load.clone();
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
        Destination destination = new Destination(row, shard);
        Invariant.hold(
                destinations.putIfAbsent(destination.name(), destination) == null,
                "destination %s was created twice",
                destination.name());
        for (Partition partition : destination.partitions()) {
            Invariant.hold(
                    partitions.put(partition.id(), partition) == null,
                    "partition %d was created twice",
                    partition.id());
        }
        for (PartitionRef place : destination.places()) {
            reserveBelow(place.partition() + 1);
            load[place.shard()]++;
        }
        return destination;
    }

    public Optional<Destination> remove(String name) {
        Destination destination = destinations.remove(name);
        if (destination != null) {
            destination.partitions().forEach(partition -> partitions.remove(partition.id()));
            destination.places().forEach(place -> load[place.shard()]--);
        }
        return Optional.ofNullable(destination);
    }
}
