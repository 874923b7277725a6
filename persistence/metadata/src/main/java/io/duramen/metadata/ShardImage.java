package io.duramen.metadata;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Hard state of a shard as of a log index. Lists are sorted by their ids, producers by their last use, so that equal
 * state has equal images.
 *
 * @param appliedIndex index of the last log entry whose effects are in the image; 0 for none
 * @param appliedEpoch epoch of that entry
 * @param nextLogOffset offset in the shard log of the record after it
 * @param logTimeMillis timestamp of that entry: the shard's notion of now
 */
public record ShardImage(
        int shard,
        long appliedIndex,
        long appliedEpoch,
        long nextLogOffset,
        long logTimeMillis,
        int nextPartition,
        int nextSubscription,
        List<DestinationRow> destinations,
        List<SubscriptionRow> subscriptions,
        List<CursorRow> cursors,
        List<ProducerRow> producers,
        List<OpenBodyRow> openBodies,
        List<PinRow> pins,
        List<BranchRow> branches,
        List<FactRow> facts,
        List<DedupRow> dedup) {

    public ShardImage(
            ShardHead head,
            List<DestinationRow> destinations,
            List<SubscriptionRow> subscriptions,
            List<CursorRow> cursors,
            List<ProducerRow> producers,
            List<OpenBodyRow> openBodies,
            List<PinRow> pins,
            List<BranchRow> branches,
            List<FactRow> facts,
            List<DedupRow> dedup) {
        this(
                head.shard(),
                head.appliedIndex(),
                head.appliedEpoch(),
                head.nextLogOffset(),
                head.logTimeMillis(),
                head.nextPartition(),
                head.nextSubscription(),
                destinations,
                subscriptions,
                cursors,
                producers,
                openBodies,
                pins,
                branches,
                facts,
                dedup);
    }

    public ShardHead head() {
        return new ShardHead(
                shard, appliedIndex, appliedEpoch, nextLogOffset, logTimeMillis, nextPartition, nextSubscription);
    }

    /**
     * The lowest offset that a durable subscription may still want, by partition, and of the parts of large bodies by the
     * negative of that; only of partitions that are there.
     */
    public Map<Integer, Long> neededFrom() {
        Map<Integer, Long> needed = new HashMap<>();
        for (DestinationRow destination : destinations) {
            for (PartitionRow partition : destination.partitions()) {
                needed.put(partition.partition(), partition.nextOffset());
                needed.put(-partition.partition(), partition.nextPart());
            }
        }
        cursors.forEach(cursor -> needed.merge(cursor.partition(), cursor.settledBelow(), Math::min));
        openBodies.forEach(
                body -> needed.merge(-body.partition(), body.runs().get(0).first(), Math::min));
        pins.forEach(pin -> needed.merge(-pin.home(), pin.firstPart(), Math::min));
        return needed;
    }

    /**
     * A destination's definition.
     *
     * @param kind ordinal of {@code DestinationKind} in the protocol
     * @param incarnation of the client that made a temporary destination; 0 otherwise
     */
    public record DestinationRow(String name, int kind, long incarnation, List<PartitionRow> partitions) {}

    /**
     * The end of a partition. The other ends stand each behind the last message whose batch has that trait; 0 for none.
     * In a shard that only knows where the partition lives, all are 0.
     *
     * @param home shard that carries it
     * @param nextOffset the offset that the next message gets
     * @param nextPart the offset that the next part of a large body gets, apart from those of messages
     */
    public record PartitionRow(
            int partition,
            int home,
            long nextOffset,
            long priorityEnd,
            long deliveryTimeEnd,
            long expirationEnd,
            long groupEnd,
            long nextPart) {
        /** A partition without messages. */
        public static PartitionRow empty(int partition, int home) {
            return new PartitionRow(partition, home, 0, 0, 0, 0, 0, 0);
        }
    }

    /**
     * A durable subscription's definition; a queue's built-in one too.
     *
     * @param clientId scope of the name; empty for a shared one without client id
     * @param name empty for a queue's built-in subscription
     * @param kind ordinal of {@code Attach.SubscriptionKind} in the protocol
     * @param selector empty for none
     */
    public record SubscriptionRow(
            int subscription,
            String destination,
            String clientId,
            String name,
            int kind,
            String selector,
            boolean noLocal) {}

    /**
     * What a subscription has settled of one partition.
     *
     * @param settledBelow every message with a smaller offset is settled
     * @param settledBeyond the exact set settled at or beyond it, in the portable serialized form of a 64-bit Roaring
     *     bitmap; empty for none. The bytes between the buffer's position and limit are shared, not copied, and may not
     *     change; the row keeps a read-only view of its own, so that equal bytes make equal rows
     * @param deliveryCounts of unsettled messages that were delivered and given back
     */
    public record CursorRow(
            int subscription,
            int partition,
            long settledBelow,
            ByteBuffer settledBeyond,
            List<CountRow> deliveryCounts) {
        public CursorRow {
            settledBeyond = settledBeyond.asReadOnlyBuffer();
        }

        /** A view whose position the caller may move. */
        @Override
        public ByteBuffer settledBeyond() {
            return settledBeyond.duplicate();
        }
    }

    /**
     * @param lastMillis log time at which it was given back last
     * @param refused whether that was for good
     */
    public record CountRow(long offset, int deliveries, long lastMillis, boolean refused) {}

    /**
     * Last sequence stored for a producer on a partition (0: its transactions), for dropping repeats.
     *
     * @param lastBaseOffset partition offset of the last batch's first message
     * @param lastMillis log time of the last use, for forgetting the idle
     * @param gaps sequences up to the last that were never stored, ascending; of very many only the newest
     */
    public record ProducerRow(
            long producerId,
            int partition,
            int epoch,
            long lastBaseSequence,
            long lastSequence,
            long lastBaseOffset,
            long lastMillis,
            List<GapRow> gaps) {}

    /** Sequences, both ends included. */
    public record GapRow(long first, long last) {}

    /**
     * A large body of which parts are stored, and that no message names yet.
     *
     * @param partition whose parts they are
     * @param length bytes of those parts
     * @param runs where they stand, ascending
     */
    public record OpenBodyRow(long nameHigh, long nameLow, int partition, long length, List<RunRow> runs) {}

    /** Parts that stand one behind the other. */
    public record RunRow(long first, int count) {}

    /**
     * Large bodies that are needed as long as one of some messages is.
     *
     * @param home partition whose parts they are
     * @param firstPart offset of the first of them
     * @param partition of the messages
     * @param firstOffset of the messages
     * @param lastOffset of the messages, itself included
     */
    public record PinRow(int home, long firstPart, int partition, long firstOffset, long lastOffset) {}

    /**
     * A prepared branch of a distributed transaction; rows stand in the order in which they were prepared.
     *
     * @param branch its name, unique: format, global id and qualifier, in hexadecimal, parted by colons
     * @param preparedMillis log time
     * @param content all that it will do, as the log's control record has it; the bytes between the buffer's position and
     *     limit are shared, not copied, and may not change
     */
    public record BranchRow(String branch, long preparedMillis, ByteBuffer content) {
        public BranchRow {
            content = content.asReadOnlyBuffer();
        }

        /** A view whose position the caller may move. */
        @Override
        public ByteBuffer content() {
            return content.duplicate();
        }
    }

    /**
     * Something that is known as a whole by its name and read by nobody but the broker: identities of producers, half
     * messages. Rows stand in the order of kind and key.
     *
     * @param kind what it is, as the broker numbers them; never reused
     * @param key its name, unique in its kind
     * @param content a record in the protocol's wire form; the bytes between the buffer's position and limit are shared,
     *     not copied, and may not change
     */
    public record FactRow(int kind, String key, ByteBuffer content) {
        public FactRow {
            content = content.asReadOnlyBuffer();
        }

        /** A view whose position the caller may move. */
        @Override
        public ByteBuffer content() {
            return content.duplicate();
        }
    }

    /**
     * The dedup ids that a partition had lately, numbered from 0 in their order; full blocks of them stand apart, see
     * {@link DedupBlock}.
     *
     * @param first number of the oldest that counts
     * @param end number that the next gets
     * @param leftOut messages that were not stored because their ids were there
     * @param tail ids of the block that is not full, from its beginning; shared, not copied, and may not change
     */
    public record DedupRow(int partition, long first, long end, long leftOut, ByteBuffer tail) {
        public DedupRow {
            tail = tail.asReadOnlyBuffer();
        }

        /** A view whose position the caller may move. */
        @Override
        public ByteBuffer tail() {
            return tail.duplicate();
        }
    }
}
