package io.duramen.metadata;

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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What has changed of a shard's hard state: rows as they are at the head's index, of all that changed since an earlier
 * one. Immutable. What is removed goes first, then come the rows: a name that was deleted and made again is in both.
 *
 * @param sinceIndex the changes are complete for a state as of this index or a later one up to the head's
 * @param whole whether the rows are all there is, and replace whatever was there; nothing is named as removed then
 * @param destinations made since; their partitions may stand in {@code partitions} again, as they became
 * @param partitions whose ends moved; of destinations that are there
 * @param cursors of subscriptions that are there
 * @param producers in the order of their last use; they stand behind all others that are there
 * @param branches prepared since; a branch never changes until it is removed
 * @param pins of each partition some of whose pins changed, all
 * @param facts as they became
 * @param dedup of partitions that are there
 * @param dedupBlocks that became full since they were stored last, also where the rows are all there is: such a block is
 *     lost with no row, and goes when its ids are no longer in a row of {@code dedup}
 */
public record ShardChanges(
        ShardHead head,
        long sinceIndex,
        boolean whole,
        Removed removed,
        List<DestinationRow> destinations,
        List<PartitionRow> partitions,
        List<SubscriptionRow> subscriptions,
        List<CursorRow> cursors,
        List<ProducerRow> producers,
        List<OpenBodyRow> openBodies,
        List<HomePins> pins,
        List<BranchRow> branches,
        List<FactRow> facts,
        List<DedupRow> dedup,
        List<DedupBlock> dedupBlocks) {

    /**
     * What is no more; some of it may never have been stored.
     *
     * @param destinations names; their partitions go with them
     * @param subscriptions ids; their cursors go with them
     */
    public record Removed(
            List<String> destinations,
            List<Integer> subscriptions,
            List<ProducerKey> producers,
            List<BodyKey> openBodies,
            List<String> branches,
            List<FactKey> facts) {
        public static final Removed NOTHING =
                new Removed(List.of(), List.of(), List.of(), List.of(), List.of(), List.of());
    }

    /** The name of a large body. */
    public record BodyKey(long high, long low) {
        public static BodyKey of(OpenBodyRow row) {
            return new BodyKey(row.nameHigh(), row.nameLow());
        }
    }

    /** The name of a fact. */
    public record FactKey(int kind, String key) implements Comparable<FactKey> {
        public static FactKey of(FactRow row) {
            return new FactKey(row.kind(), row.key());
        }

        @Override
        public int compareTo(FactKey other) {
            return kind != other.kind ? Integer.compare(kind, other.kind) : key.compareTo(other.key);
        }
    }

    /** All pins of a partition's parts, in their order; none where it has none any more. */
    public record HomePins(int home, List<PinRow> pins) {
        /** One for each home there is, in the order in which they come. */
        public static List<HomePins> of(List<PinRow> pins) {
            Map<Integer, List<PinRow>> byHome = new LinkedHashMap<>();
            pins.forEach(pin -> byHome.computeIfAbsent(pin.home(), none -> new ArrayList<>())
                    .add(pin));
            return byHome.entrySet().stream()
                    .map(home -> new HomePins(home.getKey(), home.getValue()))
                    .toList();
        }
    }

    /** @param partition 0 for the producer's transactions */
    public record ProducerKey(long producerId, int partition) {
        public static ProducerKey of(ProducerRow row) {
            return new ProducerKey(row.producerId(), row.partition());
        }
    }

    /** All of a state. */
    public static ShardChanges whole(ShardImage image) {
        return new ShardChanges(
                image.head(),
                0,
                true,
                Removed.NOTHING,
                image.destinations(),
                List.of(),
                image.subscriptions(),
                image.cursors(),
                image.producers(),
                image.openBodies(),
                HomePins.of(image.pins()),
                image.branches(),
                image.facts(),
                image.dedup(),
                List.of());
    }

    /** Rows and removals together. */
    public int size() {
        return destinations.size()
                + partitions.size()
                + subscriptions.size()
                + cursors.size()
                + producers.size()
                + openBodies.size()
                + pins.size()
                + branches.size()
                + facts.size()
                + dedup.size()
                + removed.destinations.size()
                + removed.subscriptions.size()
                + removed.producers.size()
                + removed.openBodies.size()
                + removed.branches.size()
                + removed.facts.size();
    }
}
