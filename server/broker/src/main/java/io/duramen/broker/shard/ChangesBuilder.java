package io.duramen.broker.shard;

import io.duramen.broker.body.OpenBody;
import io.duramen.broker.destination.Partition;
import io.duramen.broker.shard.ChangedRows.Gathered;
import io.duramen.broker.subscription.Cursor;
import io.duramen.broker.subscription.Subscription;
import io.duramen.broker.transaction.ProducerSequences;
import io.duramen.metadata.DedupBlock;
import io.duramen.metadata.ShardChanges;
import io.duramen.metadata.ShardChanges.BodyKey;
import io.duramen.metadata.ShardChanges.HomePins;
import io.duramen.metadata.ShardChanges.Removed;
import io.duramen.metadata.ShardHead;
import io.duramen.metadata.ShardImage.CursorRow;
import io.duramen.metadata.ShardImage.DedupRow;
import io.duramen.metadata.ShardImage.OpenBodyRow;
import io.duramen.metadata.ShardImage.PartitionRow;
import io.duramen.protocol.frame.BranchId;
import io.duramen.protocol.record.BodyName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Makes rows of what changed, a few at a time, each as it was when this was made. Confined to the agent. */
final class ChangesBuilder {
    private final ShardState state;
    private final Gathered from;
    private final ShardHead head;
    private final long sinceIndex;
    private final boolean whole;
    private final ProducerSequences.Changes producers;
    private final List<PartitionRow> partitions;
    private final List<CursorRow> cursors;
    private final List<OpenBodyRow> bodies = new ArrayList<>();
    private final List<HomePins> pins = new ArrayList<>();
    private final List<DedupRow> dedup = new ArrayList<>();
    private final List<DedupBlock> dedupBlocks;
    private int nextPartition;
    private int nextCursor;

    /** @param from what is to be built; belongs to this from here on */
    ChangesBuilder(
            ShardState state, Gathered from, long sinceIndex, boolean whole, ProducerSequences.Changes producers) {
        this.state = state;
        this.from = from;
        this.head = state.head();
        this.sinceIndex = sinceIndex;
        this.whole = whole;
        this.producers = producers;
        this.partitions = new ArrayList<>(from.partitions.size());
        this.cursors = new ArrayList<>(from.cursors.size());
        this.dedupBlocks = state.dedup.unkept();
    }

    /** The partition is about to change: its row is made now, unless that was done. */
    void partition(int id) {
        if (from.partitions.remove(id)) {
            Partition partition = state.catalogue.partition(id);
            if (partition != null) {
                partitions.add(partition.toRow());
            }
        }
    }

    /** The cursor is about to change: its row is made now, unless that was done. */
    void cursor(long key) {
        if (from.cursors.remove(key)) {
            int partition = (int) key;
            Subscription subscription = state.subscriptions.durable((int) (key >>> 32));
            if (subscription != null) {
                Cursor cursor = subscription.partition(partition).cursor();
                cursors.add(ShardState.row(subscription, partition, cursor));
            }
        }
    }

    /** The large body is about to change: its row is made now, unless that was done. */
    void body(BodyName name) {
        if (from.bodies.remove(name)) {
            OpenBody body = state.openBodies.find(name);
            if (body != null && body.isCommitted()) {
                bodies.add(body.toRow());
            }
        }
    }

    /** The pins of the partition's parts are about to change: their row is made now, unless that was done. */
    void pins(int home) {
        if (from.pinHomes.remove(home)) {
            pins.add(new HomePins(home, state.pins.of(home)));
        }
    }

    /** The partition's dedup ids are about to change: their row is made now, unless that was done. */
    void dedup(int partition) {
        if (from.dedup.remove(partition)) {
            DedupRow row = state.dedup.row(partition);
            if (row != null) {
                dedup.add(row);
            }
        }
    }

    /** Makes some rows; returns how many keys were looked at. */
    int build(int rowsMax) {
        int rows = 0;
        while (rows < rowsMax && nextPartition < from.partitionOrder.size()) {
            partition(from.partitionOrder.getInt(nextPartition++));
            rows++;
        }
        while (rows < rowsMax && nextCursor < from.cursorOrder.size()) {
            cursor(from.cursorOrder.getLong(nextCursor++));
            rows++;
        }
        while (rows < rowsMax && !from.bodies.isEmpty()) {
            body(from.bodies.iterator().next());
            rows++;
        }
        while (rows < rowsMax && !from.pinHomes.isEmpty()) {
            pins(from.pinHomes.iterator().next());
            rows++;
        }
        while (rows < rowsMax && !from.dedup.isEmpty()) {
            dedup(from.dedup.iterator().next());
            rows++;
        }
        return rows;
    }

    boolean isBuilt() {
        return from.bodies.isEmpty()
                && from.dedup.isEmpty()
                && from.pinHomes.isEmpty()
                && nextPartition == from.partitionOrder.size()
                && nextCursor == from.cursorOrder.size();
    }

    ShardChanges changes() {
        return new ShardChanges(
                head,
                sinceIndex,
                whole,
                new Removed(
                        List.copyOf(from.removedDestinations),
                        List.copyOf(from.removedSubscriptions),
                        producers.forgotten(),
                        from.removedBodies.stream()
                                .map(name -> new BodyKey(name.high(), name.low()))
                                .toList(),
                        from.removedBranches.stream().map(BranchId::toString).toList(),
                        from.facts.entrySet().stream()
                                .filter(fact -> fact.getValue() == null)
                                .map(Map.Entry::getKey)
                                .toList()),
                List.copyOf(from.destinations.values()),
                partitions,
                List.copyOf(from.subscriptions.values()),
                cursors,
                producers.rows(),
                bodies,
                pins,
                from.branches.values().stream().map(ShardState::row).toList(),
                from.facts.entrySet().stream()
                        .filter(fact -> fact.getValue() != null)
                        .map(fact -> ShardState.row(fact.getKey(), fact.getValue()))
                        .toList(),
                dedup,
                dedupBlocks);
    }
}
