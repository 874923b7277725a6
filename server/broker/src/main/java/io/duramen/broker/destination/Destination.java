package io.duramen.broker.destination;

import io.duramen.metadata.ShardImage.DestinationRow;
import io.duramen.metadata.ShardImage.PartitionRow;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.PartitionRef;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A named queue or topic. Confined to the shard's agent; its definition changes by partitions that are added and by what
 * operators change of its settings, and its partitions' ends do.
 */
public final class Destination {
    private static final DestinationKind[] KINDS = DestinationKind.values();

    private final String name;
    private final DestinationKind kind;
    private final long incarnation;
    private final List<Partition> partitions = new ArrayList<>();
    private final List<PartitionRef> places = new ArrayList<>();

    private DestinationSettings settings = DestinationSettings.NONE;

    // Soft: its deletion is appended, not yet committed.
    private boolean leaving;

    /** @param shard whose partitions are here */
    public Destination(DestinationRow row, int shard) {
        name = row.name();
        kind = KINDS[row.kind()];
        incarnation = row.incarnation();
        add(row.partitions(), shard);
    }

    /** Adds partitions; returns those in this shard. */
    List<Partition> add(List<PartitionRow> rows, int shard) {
        List<Partition> here = new ArrayList<>();
        for (PartitionRow row : rows) {
            places.add(new PartitionRef(row.partition(), row.home()));
            if (row.home() == shard) {
                here.add(new Partition(row, this));
            }
        }
        partitions.addAll(here);
        return here;
    }

    public String name() {
        return name;
    }

    public DestinationKind kind() {
        return kind;
    }

    /** What was changed of it by itself. */
    public DestinationSettings settings() {
        return settings;
    }

    /** Replays a change. */
    public void change(DestinationSettings to) {
        settings = to;
    }

    /** Of the client that made a temporary destination; 0 otherwise. */
    public long incarnation() {
        return incarnation;
    }

    /** Whether its deletion is decided: nothing more is stored in it. */
    public boolean isLeaving() {
        return leaving;
    }

    public void leave() {
        leaving = true;
    }

    /** Those in this shard, in the order of their index. */
    public List<Partition> partitions() {
        return Collections.unmodifiableList(partitions);
    }

    /**
     * Where its partitions are, in the order of their index; at least one. All of them in the shard with the catalogue, in
     * others their own.
     */
    public List<PartitionRef> places() {
        return Collections.unmodifiableList(places);
    }

    public DestinationRow toRow() {
        Map<Integer, Partition> here = new HashMap<>();
        partitions.forEach(partition -> here.put(partition.id(), partition));
        return new DestinationRow(
                name,
                kind.ordinal(),
                incarnation,
                places.stream().map(place -> row(place, here)).toList());
    }

    private static PartitionRow row(PartitionRef place, Map<Integer, Partition> here) {
        Partition partition = here.get(place.partition());
        return partition == null ? PartitionRow.empty(place.partition(), place.shard()) : partition.toRow();
    }
}
