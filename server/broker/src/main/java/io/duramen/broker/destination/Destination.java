package io.duramen.broker.destination;

import io.duramen.metadata.ShardImage.DestinationRow;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.PartitionRef;
import java.util.List;

/**
 * A named queue or topic. Confined to the shard's agent; its definition never changes,
 * its partitions' ends do.
 */
public final class Destination {
    private static final DestinationKind[] KINDS = DestinationKind.values();

    private final String name;
    private final DestinationKind kind;
    private final long incarnation;
    private final List<Partition> partitions;

    // Soft: its deletion is appended, not yet committed.
    private boolean leaving;

    public Destination(DestinationRow row) {
        name = row.name();
        kind = KINDS[row.kind()];
        incarnation = row.incarnation();
        partitions = row.partitions().stream()
                .map(partition -> new Partition(partition, this))
                .toList();
    }

    public String name() {
        return name;
    }

    public DestinationKind kind() {
        return kind;
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

    /** In the order of their index; at least one. */
    public List<Partition> partitions() {
        return partitions;
    }

    public List<PartitionRef> partitionRefs(int shard) {
        return partitions.stream()
                .map(partition -> new PartitionRef(partition.id(), shard))
                .toList();
    }

    public DestinationRow toRow() {
        return new DestinationRow(
                name,
                kind.ordinal(),
                incarnation,
                partitions.stream().map(Partition::toRow).toList());
    }
}
