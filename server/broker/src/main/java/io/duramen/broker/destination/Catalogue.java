package io.duramen.broker.destination;

import io.duramen.broker.transaction.ProducerIdentities.Changed;
import io.duramen.metadata.ShardImage.DestinationRow;
import io.duramen.metadata.ShardImage.PartitionRow;
import io.duramen.protocol.frame.ForShard;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.runtime.Invariant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.agrona.collections.Int2ObjectHashMap;

/** The destinations of a shard, by name, and their partitions, by id. Hard state; confined to the shard's agent. */
public final class Catalogue {
    private final TreeMap<String, Destination> destinations = new TreeMap<>();
    private final Int2ObjectHashMap<Partition> partitions = new Int2ObjectHashMap<>();
    private final int shard;
    private final Predicate<String> uncounted;
    private final KeyedPartitions keyed;

    /** Partitions by the shard that carries them, temporary ones included. */
    private final int[] load;

    private int nextPartition = 1;

    /**
     * @param shard whose partitions are here
     * @param shards how many the node has
     * @param uncounted names of queues that have a partition in every shard, which make none fuller than another
     * @param changed told of what is kept of destinations beside their rows
     */
    public Catalogue(int shard, int shards, Predicate<String> uncounted, Changed changed) {
        this.keyed = new KeyedPartitions(changed);
        this.shard = shard;
        this.uncounted = uncounted;
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

    /** Those whose names come behind this one, sorted by name. */
    public Collection<Destination> behind(String name) {
        return destinations.tailMap(name, false).values();
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
        destination.partitions().forEach(this::add);
        destination.places().forEach(place -> placed(destination.name(), place));
        return destination;
    }

    /** Adds partitions to a destination; returns those in this shard. */
    public List<Partition> add(Destination destination, List<PartitionRow> rows) {
        if (shard == ForShard.CATALOGUE) {
            keyed.grows(destination); // others do not know all of its partitions
        }
        List<Partition> here = destination.add(rows, shard);
        here.forEach(this::add);
        rows.forEach(row -> placed(destination.name(), new PartitionRef(row.partition(), row.home())));
        return here;
    }

    private void add(Partition partition) {
        Invariant.hold(
                partitions.put(partition.id(), partition) == null, "partition %d was created twice", partition.id());
    }

    private void placed(String name, PartitionRef place) {
        reserveBelow(place.partition() + 1);
        if (!uncounted.test(name)) {
            load[place.shard()]++;
        }
    }

    /** Which partitions take what has a key; of the shard with the catalogue. */
    public KeyedPartitions keyed() {
        return keyed;
    }

    public Optional<Destination> remove(String name) {
        keyed.remove(name);
        Destination destination = destinations.remove(name);
        if (destination != null) {
            destination.partitions().forEach(partition -> partitions.remove(partition.id()));
            if (!uncounted.test(name)) {
                destination.places().forEach(place -> load[place.shard()]--);
            }
        }
        return Optional.ofNullable(destination);
    }
}
