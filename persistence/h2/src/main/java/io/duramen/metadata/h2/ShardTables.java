package io.duramen.metadata.h2;

import io.duramen.metadata.ShardChanges;
import io.duramen.metadata.ShardChanges.BodyKey;
import io.duramen.metadata.ShardChanges.FactKey;
import io.duramen.metadata.ShardChanges.HomePins;
import io.duramen.metadata.ShardChanges.ProducerKey;
import io.duramen.metadata.ShardHead;
import io.duramen.metadata.ShardImage.BranchRow;
import io.duramen.metadata.ShardImage.CursorRow;
import io.duramen.metadata.ShardImage.DedupRow;
import io.duramen.metadata.ShardImage.DestinationRow;
import io.duramen.metadata.ShardImage.FactRow;
import io.duramen.metadata.ShardImage.OpenBodyRow;
import io.duramen.metadata.ShardImage.PartitionRow;
import io.duramen.metadata.ShardImage.ProducerRow;
import io.duramen.metadata.ShardImage.SubscriptionRow;
import io.duramen.metadata.StateLostException;
import java.util.List;
import org.hibernate.StatelessSession;

/**
 * Writes a shard's changes, each call inside a transaction of its own. After one that failed it no longer knows what the
 * database has, and another is made by {@link ShardReading}. Confined to the database's thread.
 */
final class ShardTables {
    private static final List<String> TABLES = List.of(
            "destination",
            "partition_end",
            "subscription",
            "partition_cursor",
            "producer",
            "open_body",
            "partition_pins",
            "prepared_branch",
            "fact",
            "dedup_window");

    private final int shard;
    private final KnownRows known;
    private long appliedIndex;
    private boolean stored;

    /**
     * @param appliedIndex 0 where nothing is stored
     * @param stored whether there is a row that says how far the state is
     */
    ShardTables(int shard, KnownRows known, long appliedIndex, boolean stored) {
        this.shard = shard;
        this.known = known;
        this.appliedIndex = appliedIndex;
        this.stored = stored;
    }

    /** @throws StateLostException where changes in between are missing; nothing was changed */
    void requireFollowedBy(ShardChanges changes) throws StateLostException {
        StateLostException.requireFollows(changes, appliedIndex);
    }

    void apply(ShardChanges changes, StatelessSession session) {
        if (changes.whole()) {
            clear(session);
        }
        RowBatch batch = new RowBatch(session);
        changes.removed().destinations().forEach(name -> removeDestination(name, batch));
        changes.removed().subscriptions().forEach(id -> removeSubscription(id, batch));
        changes.removed().producers().forEach(key -> removeProducer(key, batch));
        changes.removed().openBodies().forEach(key -> removeBody(key, batch));
        changes.destinations().forEach(row -> put(row, batch));
        changes.partitions().forEach(row -> put(row, batch));
        changes.subscriptions().forEach(row -> put(row, batch));
        changes.cursors().forEach(row -> put(row, batch));
        changes.producers().forEach(row -> put(row, batch));
        changes.openBodies().forEach(row -> put(row, batch));
        changes.pins().forEach(row -> put(row, batch));
        changes.removed().branches().forEach(branch -> removeBranch(branch, batch));
        changes.branches().forEach(row -> put(row, batch));
        changes.removed().facts().forEach(key -> removeFact(key, batch));
        changes.facts().forEach(row -> put(row, batch));
        changes.dedup().forEach(row -> put(row, batch));
        batch.flush();
        ShardHead head = changes.head();
        StateRow state = new StateRow(head, known.totals());
        if (stored) {
            session.update(state);
        } else {
            session.insert(state);
        }
        stored = true;
        appliedIndex = head.appliedIndex();
    }

    private void clear(StatelessSession session) {
        for (String table : TABLES) {
            session.createNativeMutationQuery("delete from " + table + " where shard = :shard")
                    .setParameter("shard", shard)
                    .executeUpdate();
        }
        known.clear();
    }

    private void removeDestination(String name, RowBatch batch) {
        KnownRows.Definition removed = known.removeDestination(name);
        if (removed == null) {
            return;
        }
        batch.delete(DestinationEntity.keyed(shard, name));
        for (int partition : removed.partitions()) {
            if (known.remove(known.partitions, partition)) {
                batch.delete(PartitionEntity.keyed(shard, partition));
            }
            if (known.remove(known.dedup, partition)) {
                batch.delete(DedupEntity.keyed(shard, partition));
            }
        }
    }

    private void removeSubscription(int id, RowBatch batch) {
        if (known.remove(known.subscriptions, id)) {
            batch.delete(SubscriptionEntity.keyed(shard, id));
        }
        List<Long> cursors = List.copyOf(known.cursors
                .subMap(KnownRows.cursorKey(id, 0), KnownRows.cursorKey(id + 1, 0))
                .keySet());
        for (long key : cursors) {
            known.remove(known.cursors, key);
            batch.delete(CursorEntity.keyed(shard, id, (int) key));
        }
    }

    private void removeProducer(ProducerKey key, RowBatch batch) {
        if (known.remove(known.producers, key)) {
            batch.delete(ProducerEntity.keyed(shard, key));
        }
    }

    private void removeBody(BodyKey key, RowBatch batch) {
        if (known.remove(known.openBodies, key)) {
            batch.delete(OpenBodyEntity.keyed(shard, key));
        }
    }

    private void removeBranch(String branch, RowBatch batch) {
        if (known.remove(known.branches, branch)) {
            batch.delete(BranchEntity.keyed(shard, branch));
        }
    }

    private void removeFact(FactKey key, RowBatch batch) {
        if (known.remove(known.facts, key)) {
            batch.delete(FactEntity.keyed(shard, key));
        }
    }

    private void put(FactRow row, RowBatch batch) {
        FactEntity entity = new FactEntity(shard, row);
        batch.put(entity, known.put(known.facts, FactKey.of(row), entity));
    }

    private void put(BranchRow row, RowBatch batch) {
        BranchEntity entity = new BranchEntity(shard, row);
        batch.put(entity, known.put(known.branches, row.branch(), entity));
    }

    private void put(DedupRow row, RowBatch batch) {
        DedupEntity entity = new DedupEntity(shard, row);
        batch.put(entity, known.put(known.dedup, row.partition(), entity));
    }

    private void put(OpenBodyRow row, RowBatch batch) {
        OpenBodyEntity entity = new OpenBodyEntity(shard, row);
        batch.put(entity, known.put(known.openBodies, BodyKey.of(row), entity));
    }

    private void put(HomePins row, RowBatch batch) {
        if (!row.pins().isEmpty()) {
            PinsEntity entity = new PinsEntity(shard, row);
            batch.put(entity, known.put(known.pins, row.home(), entity));
        } else if (known.remove(known.pins, row.home())) {
            batch.delete(PinsEntity.keyed(shard, row.home()));
        }
    }

    private void put(DestinationRow row, RowBatch batch) {
        removeDestination(row.name(), batch);
        DestinationEntity entity = new DestinationEntity(shard, row);
        batch.put(entity, known.put(entity));
        row.partitions().forEach(partition -> put(partition, batch));
    }

    private void put(PartitionRow row, RowBatch batch) {
        PartitionEntity entity = new PartitionEntity(shard, row);
        batch.put(entity, known.put(known.partitions, row.partition(), entity));
    }

    private void put(SubscriptionRow row, RowBatch batch) {
        SubscriptionEntity entity = new SubscriptionEntity(shard, row);
        batch.put(entity, known.put(known.subscriptions, row.subscription(), entity));
    }

    private void put(CursorRow row, RowBatch batch) {
        CursorEntity entity = new CursorEntity(shard, row);
        long key = KnownRows.cursorKey(row.subscription(), row.partition());
        batch.put(entity, known.put(known.cursors, key, entity));
    }

    private void put(ProducerRow row, RowBatch batch) {
        ProducerEntity entity = new ProducerEntity(shard, row, known.nextUse++);
        batch.put(entity, known.put(known.producers, ProducerKey.of(row), entity));
    }
}
