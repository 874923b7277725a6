package io.duramen.metadata;

import io.duramen.metadata.ShardChanges.BodyKey;
import io.duramen.metadata.ShardChanges.FactKey;
import io.duramen.metadata.ShardChanges.HomePins;
import io.duramen.metadata.ShardChanges.ProducerKey;
import io.duramen.metadata.ShardImage.BranchRow;
import io.duramen.metadata.ShardImage.CursorRow;
import io.duramen.metadata.ShardImage.DedupRow;
import io.duramen.metadata.ShardImage.DestinationRow;
import io.duramen.metadata.ShardImage.FactRow;
import io.duramen.metadata.ShardImage.OpenBodyRow;
import io.duramen.metadata.ShardImage.PartitionRow;
import io.duramen.metadata.ShardImage.PinRow;
import io.duramen.metadata.ShardImage.ProducerRow;
import io.duramen.metadata.ShardImage.SubscriptionRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A shard's hard state as rows in memory, to which changes are applied. Not thread-safe. */
public final class ShardRows {
    private final TreeMap<String, DestinationRow> destinations = new TreeMap<>();
    private final Map<Integer, PartitionRow> partitions = new HashMap<>();
    private final TreeMap<Integer, SubscriptionRow> subscriptions = new TreeMap<>();
    private final TreeMap<Long, CursorRow> cursors = new TreeMap<>();
    private final LinkedHashMap<ProducerKey, ProducerRow> producers = new LinkedHashMap<>();
    private final TreeMap<BodyKey, OpenBodyRow> openBodies =
            new TreeMap<>(Comparator.comparingLong(BodyKey::high).thenComparingLong(BodyKey::low));
    private final TreeMap<Integer, List<PinRow>> pins = new TreeMap<>();
    private final TreeMap<String, BranchRow> branches = new TreeMap<>();
    private final TreeMap<FactKey, FactRow> facts = new TreeMap<>();
    private final TreeMap<Integer, DedupRow> dedup = new TreeMap<>();
    private ShardHead head;

    /** Nothing, as before the first entry. */
    public ShardRows(int shard) {
        head = new ShardHead(shard, 0, 0, 0, 0, 1, 1);
    }

    public static ShardRows of(ShardImage image) {
        ShardRows rows = new ShardRows(image.shard());
        rows.applyRows(ShardChanges.whole(image));
        return rows;
    }

    /** @param whole see {@link ShardChanges#whole} */
    public static ShardRows of(ShardChanges whole) {
        ShardRows rows = new ShardRows(whole.head().shard());
        rows.applyRows(whole);
        return rows;
    }

    public ShardHead head() {
        return head;
    }

    /** @throws StateLostException where changes between these rows and the given ones are missing; nothing was changed */
    public void apply(ShardChanges changes) throws StateLostException {
        StateLostException.requireFollows(changes, head.appliedIndex());
        applyRows(changes);
    }

    private void applyRows(ShardChanges changes) {
        if (changes.whole()) {
            clear();
        }
        changes.removed().destinations().forEach(this::removeDestination);
        changes.removed().subscriptions().forEach(this::removeSubscription);
        changes.removed().producers().forEach(producers::remove);
        changes.destinations().forEach(this::put);
        changes.partitions().forEach(row -> partitions.put(row.partition(), row));
        changes.subscriptions().forEach(row -> subscriptions.put(row.subscription(), row));
        changes.cursors().forEach(row -> cursors.put(key(row.subscription(), row.partition()), row));
        for (ProducerRow row : changes.producers()) {
            producers.remove(ProducerKey.of(row));
            producers.put(ProducerKey.of(row), row);
        }
        changes.removed().openBodies().forEach(openBodies::remove);
        changes.openBodies().forEach(row -> openBodies.put(BodyKey.of(row), row));
        changes.pins().forEach(this::put);
        changes.removed().branches().forEach(branches::remove);
        changes.branches().forEach(row -> branches.put(row.branch(), row));
        changes.removed().facts().forEach(facts::remove);
        changes.facts().forEach(row -> facts.put(FactKey.of(row), row));
        changes.dedup().forEach(row -> dedup.put(row.partition(), row));
        head = changes.head();
    }

    private void clear() {
        destinations.clear();
        partitions.clear();
        subscriptions.clear();
        cursors.clear();
        producers.clear();
        openBodies.clear();
        pins.clear();
        branches.clear();
        facts.clear();
        dedup.clear();
    }

    private void put(HomePins row) {
        if (row.pins().isEmpty()) {
            pins.remove(row.home());
        } else {
            pins.put(row.home(), row.pins());
        }
    }

    private void put(DestinationRow row) {
        removeDestination(row.name());
        destinations.put(row.name(), row);
        row.partitions().forEach(partition -> partitions.put(partition.partition(), partition));
    }

    private void removeDestination(String name) {
        DestinationRow row = destinations.remove(name);
        if (row != null) {
            for (PartitionRow partition : row.partitions()) {
                partitions.remove(partition.partition());
                dedup.remove(partition.partition());
            }
        }
    }

    private void removeSubscription(int subscription) {
        subscriptions.remove(subscription);
        cursors.subMap(key(subscription, 0), key(subscription + 1, 0)).clear();
    }

    private static long key(int subscription, int partition) {
        return (long) subscription << 32 | partition;
    }

    public ShardImage toImage() {
        return new ShardImage(
                head,
                destinations.values().stream().map(this::withPartitions).toList(),
                List.copyOf(subscriptions.values()),
                List.copyOf(cursors.values()),
                List.copyOf(producers.values()),
                List.copyOf(openBodies.values()),
                pins.values().stream().flatMap(List::stream).toList(),
                List.copyOf(branches.values()),
                List.copyOf(facts.values()),
                List.copyOf(dedup.values()));
    }

    private DestinationRow withPartitions(DestinationRow row) {
        List<PartitionRow> current = new ArrayList<>(row.partitions().size());
        row.partitions().forEach(partition -> current.add(partitions.get(partition.partition())));
        return new DestinationRow(row.name(), row.kind(), row.incarnation(), List.copyOf(current));
    }
}
