package io.duramen.metadata.h2;

import io.duramen.metadata.ShardChanges.BodyKey;
import io.duramen.metadata.ShardChanges.FactKey;
import io.duramen.metadata.ShardChanges.ProducerKey;
import io.duramen.metadata.ShardHead;
import io.duramen.metadata.ShardImage;
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
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads all of a shard's rows, and checks that they are those that were stored. Confined to the database's thread. */
final class ShardReading {
    private final int shard;
    private final Connection connection;
    private final KnownRows known = new KnownRows();
    private ShardHead head;
    private final Map<Integer, PartitionRow> partitions = new HashMap<>();
    private final List<DestinationRow> destinations = new ArrayList<>();
    private final List<SubscriptionRow> subscriptions = new ArrayList<>();
    private final List<CursorRow> cursors = new ArrayList<>();
    private final List<ProducerRow> producers = new ArrayList<>();
    private final List<OpenBodyRow> openBodies = new ArrayList<>();
    private final List<PinRow> pins = new ArrayList<>();
    private final List<BranchRow> branches = new ArrayList<>();
    private final List<DedupRow> dedup = new ArrayList<>();

    private final List<FactRow> facts = new ArrayList<>();

    private ShardReading(int shard, Connection connection) {
        this.shard = shard;
        this.connection = connection;
    }

    /** @throws DamagedRowsException where a row was changed, is missing, too many, or not of the same state as others */
    static ShardReading of(int shard, Connection connection) throws SQLException {
        ShardReading reading = new ShardReading(shard, connection);
        reading.read();
        return reading;
    }

    /** Empty where the shard was never stored. */
    Optional<ShardImage> image() {
        return Optional.ofNullable(head)
                .map(any -> new ShardImage(
                        head,
                        destinations,
                        subscriptions,
                        cursors,
                        producers,
                        openBodies,
                        pins,
                        branches,
                        facts,
                        dedup));
    }

    /** Goes on from what was read. */
    ShardTables tables() {
        return new ShardTables(shard, known, head == null ? 0 : head.appliedIndex(), head != null);
    }

    private void read() throws SQLException {
        for (PartitionEntity row : rows("partition_end", "partition_id", PartitionEntity::new)) {
            known.put(known.partitions, row.toRow().partition(), row);
            partitions.put(row.toRow().partition(), row.toRow());
        }
        rows("destination", "name", DestinationEntity::new).forEach(this::destination);
        for (SubscriptionEntity row : rows("subscription", "subscription_id", SubscriptionEntity::new)) {
            known.put(known.subscriptions, row.toRow().subscription(), row);
            subscriptions.add(row.toRow());
        }
        for (CursorEntity row : rows("partition_cursor", "subscription_id, partition_id", CursorEntity::new)) {
            CursorRow cursor = row.toRow();
            known.put(known.cursors, KnownRows.cursorKey(cursor.subscription(), cursor.partition()), row);
            cursors.add(cursor);
        }
        for (ProducerEntity row : rows("producer", "use_order", ProducerEntity::new)) {
            known.put(known.producers, ProducerKey.of(row.toRow()), row);
            producers.add(row.toRow());
        }
        readBodies();
        List<StateRow> states = rows("shard_state", "shard", StateRow::new);
        if (!states.isEmpty()) {
            head = states.get(0).head();
            known.nextUse = states.get(0).totals().nextUse();
        }
        requireTotals(states);
    }

    private void readBodies() throws SQLException {
        for (OpenBodyEntity row : rows("open_body", "name_high, name_low", OpenBodyEntity::new)) {
            known.put(known.openBodies, BodyKey.of(row.toRow()), row);
            openBodies.add(row.toRow());
        }
        for (PinsEntity row : rows("partition_pins", "partition_id", PinsEntity::new)) {
            known.put(known.pins, row.partition(), row);
            pins.addAll(row.pins());
        }
        for (BranchEntity row : rows("prepared_branch", "branch", BranchEntity::new)) {
            known.put(known.branches, row.toRow().branch(), row);
            branches.add(row.toRow());
        }
        branches.sort(Comparator.comparing(BranchRow::branch));
        for (FactEntity row : rows("fact", "kind, fact_key", FactEntity::new)) {
            known.put(known.facts, FactKey.of(row.toRow()), row);
            facts.add(row.toRow());
        }
        facts.sort(Comparator.comparing(FactKey::of));
        for (DedupEntity row : rows("dedup_window", "partition_id", DedupEntity::new)) {
            known.put(known.dedup, row.toRow().partition(), row);
            dedup.add(row.toRow());
        }
    }

    private void destination(DestinationEntity row) {
        known.put(row);
        List<PartitionRow> own = new ArrayList<>();
        for (int id : row.partitions()) {
            PartitionRow partition = partitions.get(id);
            if (partition == null) {
                throw new DamagedRowsException("partition " + id + " of destination " + row.name() + " is missing");
            }
            own.add(partition);
        }
        destinations.add(new DestinationRow(row.name(), row.kind(), row.incarnation(), List.copyOf(own)));
    }

    /** Makes a row of where the result stands. */
    private interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    private <T extends CheckedRow> List<T> rows(String table, String order, Reader<T> reader) throws SQLException {
        String query = "select * from " + table + " where shard = ? order by " + order;
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            statement.setInt(1, shard);
            try (ResultSet result = statement.executeQuery()) {
                List<T> rows = new ArrayList<>();
                while (result.next()) {
                    T row = reader.read(result);
                    if (!row.isWhole()) {
                        throw new DamagedRowsException("a row of table " + table + " does not match its checksum");
                    }
                    rows.add(row);
                }
                return rows;
            }
        }
    }

    private void requireTotals(List<StateRow> states) {
        StateRow.Totals stored = states.isEmpty()
                ? new StateRow.Totals(known.nextUse, 0, 0)
                : states.get(0).totals();
        if (!stored.equals(known.totals())) {
            throw new DamagedRowsException("shard " + shard + " should have " + stored.rows() + " rows that sum up to "
                    + stored.sum() + ", and has " + known.totals().rows() + " that sum up to "
                    + known.totals().sum());
        }
    }
}
