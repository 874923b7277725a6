package io.duramen.metadata.h2;

import io.duramen.metadata.ShardChanges.BodyKey;
import io.duramen.metadata.ShardChanges.FactKey;
import io.duramen.metadata.ShardChanges.ProducerKey;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which rows of a shard the database has, and their checks: so it is known what to insert and what to update, and the sum
 * over all of them follows what changes. Some 50 bytes a row. Confined to the database's thread.
 */
final class KnownRows {
    /** A destination's check, and its partitions. */
    record Definition(long check, int[] partitions) {}

    final Map<String, Definition> destinations = new HashMap<>();
    final Map<Integer, Long> partitions = new HashMap<>();
    final Map<Integer, Long> subscriptions = new HashMap<>();

    /** By subscription and partition, so that those of a subscription stand together. */
    final TreeMap<Long, Long> cursors = new TreeMap<>();

    final Map<ProducerKey, Long> producers = new HashMap<>();
    final Map<BodyKey, Long> openBodies = new HashMap<>();
    final Map<Integer, Long> pins = new HashMap<>();
    final Map<String, Long> branches = new HashMap<>();
    final Map<FactKey, Long> facts = new HashMap<>();
    final Map<Integer, Long> dedup = new HashMap<>();
    private long rows;
    private long sum;

    /** Place in the order of producers' last use that the next one gets. */
    long nextUse = 1;

    static long cursorKey(int subscription, int partition) {
        return (long) subscription << 32 | partition;
    }

    StateRow.Totals totals() {
        return new StateRow.Totals(nextUse, rows, sum);
    }

    /** @return whether the row is new */
    <K> boolean put(Map<K, Long> table, K key, CheckedRow row) {
        Long before = table.put(key, row.check());
        count(before, row.check());
        return before == null;
    }

    boolean put(DestinationEntity row) {
        Definition before = destinations.put(row.name(), new Definition(row.check(), row.partitions()));
        count(before == null ? null : before.check, row.check());
        return before == null;
    }

    private void count(Long before, long check) {
        rows += before == null ? 1 : 0;
        sum += check - (before == null ? 0 : before);
    }

    /** @return whether there was such a row */
    <K> boolean remove(Map<K, Long> table, K key) {
        Long before = table.remove(key);
        if (before != null) {
            forget(before);
        }
        return before != null;
    }

    /** @return null where there was no such row */
    Definition removeDestination(String name) {
        Definition before = destinations.remove(name);
        if (before != null) {
            forget(before.check);
        }
        return before;
    }

    private void forget(long check) {
        rows--;
        sum -= check;
    }

    void clear() {
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
        rows = 0;
        sum = 0;
    }
}
