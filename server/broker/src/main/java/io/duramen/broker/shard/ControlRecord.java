package io.duramen.broker.shard;

import io.duramen.broker.transaction.EndedHalf;
import io.duramen.broker.transaction.HalfGroup;
import io.duramen.broker.transaction.PreparedBranch.BranchSettlement;
import io.duramen.broker.transaction.Spread;
import io.duramen.log.DamagedLogException;
import io.duramen.metadata.ShardImage.DestinationRow;
import io.duramen.metadata.ShardImage.PartitionRow;
import io.duramen.metadata.ShardImage.SubscriptionRow;
import io.duramen.protocol.Codec;
import io.duramen.protocol.FormatLevel;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.BranchId;
import io.duramen.protocol.frame.Commit.PartitionBatch;
import io.duramen.protocol.frame.HalfId;
import io.duramen.protocol.frame.OffsetRange;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

/**
 * Every durable fact but the messages themselves: the bodies of a shard log's control records, in the wire form of
 * {@link Codec} at the {@link io.duramen.protocol.FormatLevel} that was decided before them in the log.
 */
public sealed interface ControlRecord {
    /** The level of what is kept as state, whatever the log's. */
    int FORMAT = FormatLevel.OLDEST;

    /** A subscription is done with messages for ever. */
    record Settled(int subscription, int partition, List<OffsetRange> ranges) implements ControlRecord {}

    /**
     * Messages came back after the application had them; each of these deliveries counts.
     *
     * @param refused whether nobody is to be handed them again
     * @param reason what the consumer said; empty for nothing
     */
    record Returned(int subscription, int partition, List<OffsetRange> ranges, boolean refused, String reason)
            implements ControlRecord {
        /** Without a word. */
        Returned(int subscription, int partition, List<OffsetRange> ranges) {
            this(subscription, partition, ranges, false, "");
        }
    }

    /** @param subscription id of the built-in subscription of a queue; 0 for a topic */
    record DestinationCreated(DestinationRow destination, int subscription) implements ControlRecord {}

    /** A destination gets partitions in shards that had none of it. */
    record PartitionsAdded(String name, List<PartitionRow> partitions) implements ControlRecord {
        static final byte TYPE = 33;
    }

    /** Its partitions and subscriptions go with it. */
    record DestinationDeleted(String name) implements ControlRecord {}

    /** @param starts where the subscription begins, for each of the destination's partitions in their order */
    record SubscriptionCreated(SubscriptionRow subscription, List<Start> starts) implements ControlRecord {}

    record Start(int partition, long offset) {}

    record SubscriptionDeleted(int subscription) implements ControlRecord {}

    /** The entry holds all of a transaction of this producer. */
    record TransactionCommitted(long producerId, int epoch, long sequence, String label) implements ControlRecord {}

    /** From here on the identity is this incarnation's, see {@link io.duramen.protocol.frame.InitProducer}. */
    record IdentityTaken(String name, String user, long producerId, int epoch, long incarnation)
            implements ControlRecord {
        static final byte TYPE = 29;
    }

    /**
     * Nothing is handed out of a destination, or of one of its subscriptions, from here on; or it is again.
     *
     * @param subscription 0 for all of them
     */
    record DeliveryPaused(String destination, int subscription, boolean paused) implements ControlRecord {
        static final byte TYPE = 36;
    }

    /**
     * What holds for a destination in place of the node's settings.
     *
     * @param settings all of it, see {@link io.duramen.broker.destination.DestinationSettings#parse}; empty for nothing
     */
    record DestinationChanged(String name, String settings) implements ControlRecord {
        static final byte TYPE = 40;
    }

    /**
     * A subscription goes on at this offset of a partition, whatever of it was settled before.
     *
     * @param offset not before what is kept, when it is replayed
     */
    record CursorMoved(int subscription, int partition, long offset) implements ControlRecord {
        static final byte TYPE = 41;
    }

    /** From here on the log is written in this level: the records behind this one, and itself in the level from before. */
    record LevelDecided(int level) implements ControlRecord {
        static final byte TYPE = 45;
    }

    /** No message will name this large body, see {@link io.duramen.protocol.record.BodyName}. */
    record BodyDropped(long nameHigh, long nameLow) implements ControlRecord {}

    /**
     * All that a branch of a distributed transaction will do if it is committed; until then nobody sees any of it.
     *
     * @param user who prepared it
     * @param spread at most one: its parts in other shards, which are prepared by now
     */
    record BranchPrepared(
            BranchId branch,
            List<PartitionBatch> batches,
            List<BranchSettlement> settlements,
            String user,
            List<Spread> spread)
            implements ControlRecord {
        static final byte TYPE = 20;
    }

    /** The entry holds the branch's messages too where it is committed; its settlements follow from what was prepared. */
    record BranchEnded(BranchId branch, boolean committed) implements ControlRecord {}

    /** A half message: seen by nobody until it is confirmed. */
    record HalfPrepared(HalfId id, HalfGroup group, long checkAfterMillis, List<PartitionBatch> batches)
            implements ControlRecord {
        static final byte TYPE = 30;
    }

    /** Somebody of their groups is asked what became of these. */
    record HalfAsked(List<HalfId> ids) implements ControlRecord {
        static final byte TYPE = 31;
    }

    /**
     * The entry holds the half's messages, too, where it is confirmed or parked.
     *
     * @param cause where and why it was parked; empty otherwise
     */
    record HalfEnded(HalfId id, EndedHalf.End end, String cause) implements ControlRecord {
        static final byte TYPE = 32;
    }
    /** What other shards have prepared under this name is committed; in the entry that holds what happens in this shard. */
    record TransactionDecided(Spread over) implements ControlRecord {}

    /** The other shards have carried the decision out. */
    record DecisionCarriedOut(BranchId inner) implements ControlRecord {}

    /** A branch that never was: what it accepted is with its consumers again, as if nobody had asked for it. */
    record BranchDropped(BranchId branch) implements ControlRecord {}

    /**
     * Nothing but that who appended it led: what a leader says of things that it has not, where others may lead, it says behind one of
     * these.
     *
     * @param shard to which it says so
     */
    record LeadershipShown(int shard) implements ControlRecord {
        static final byte TYPE = 46;
    }

    /**
     * Messages of a partition were not stored because their dedup ids were there. Of a plain batch it says that its sequences
     * are done with, for what of it is stored has none.
     *
     * @param messages how many were left out
     * @param producerId of the batch; 0 where that had none, or in a transaction
     * @param count messages of the whole batch
     * @param baseOffset of the first that is stored, or -1
     */
    record RepeatsLeftOut(
            int partition,
            int messages,
            long producerId,
            int producerEpoch,
            long baseSequence,
            int count,
            long baseOffset)
            implements ControlRecord {
        static final byte TYPE = 26;
    }

    /** The numbers in the log; 1 is for messages. Never reused. */
    Map<Class<? extends ControlRecord>, Byte> TYPES = Map.ofEntries(
            Map.entry(Settled.class, (byte) 2),
            Map.entry(Returned.class, (byte) 3),
            Map.entry(DestinationCreated.class, (byte) 4),
            Map.entry(DestinationDeleted.class, (byte) 5),
            Map.entry(SubscriptionCreated.class, (byte) 6),
            Map.entry(SubscriptionDeleted.class, (byte) 7),
            Map.entry(TransactionCommitted.class, (byte) 8),
            Map.entry(BodyDropped.class, (byte) 9),
            Map.entry(BranchPrepared.class, BranchPrepared.TYPE),
            Map.entry(BranchEnded.class, (byte) 21),
            Map.entry(IdentityTaken.class, IdentityTaken.TYPE),
            Map.entry(HalfPrepared.class, HalfPrepared.TYPE),
            Map.entry(HalfAsked.class, HalfAsked.TYPE),
            Map.entry(HalfEnded.class, HalfEnded.TYPE),
            Map.entry(PartitionsAdded.class, PartitionsAdded.TYPE),
            Map.entry(RepeatsLeftOut.class, RepeatsLeftOut.TYPE),
            Map.entry(DeliveryPaused.class, DeliveryPaused.TYPE),
            Map.entry(DestinationChanged.class, DestinationChanged.TYPE),
            Map.entry(CursorMoved.class, CursorMoved.TYPE),
            Map.entry(LevelDecided.class, LevelDecided.TYPE),
            Map.entry(LeadershipShown.class, LeadershipShown.TYPE),
            Map.entry(TransactionDecided.class, (byte) 22),
            Map.entry(DecisionCarriedOut.class, (byte) 23),
            Map.entry(BranchDropped.class, (byte) 24));

    default byte type() {
        return TYPES.get(getClass());
    }

    default ByteBuffer encode(int level) {
        ByteBuffer out = ByteBuffer.allocate(Codec.sizeOf((Record) this, level));
        Codec.write((Record) this, level, out);
        return out.flip();
    }

    /** @throws DamagedLogException where the body is not such a record of that level, or the type is none this code knows */
    static ControlRecord decode(byte type, int level, ByteBuffer body) {
        try {
            return (ControlRecord) Codec.read(classOf(type), level, body);
        } catch (ProtocolException e) {
            throw new DamagedLogException("a control record of type " + type + " does not decode: " + e.getMessage());
        }
    }

    private static Class<? extends Record> classOf(byte type) {
        return switch (type) {
            case 2 -> Settled.class;
            case 3 -> Returned.class;
            case 4 -> DestinationCreated.class;
            case 5 -> DestinationDeleted.class;
            case 6 -> SubscriptionCreated.class;
            case 7 -> SubscriptionDeleted.class;
            case 8 -> TransactionCommitted.class;
            case 9 -> BodyDropped.class;
            case BranchPrepared.TYPE -> BranchPrepared.class;
            case 21 -> BranchEnded.class;
            case IdentityTaken.TYPE -> IdentityTaken.class;
            case HalfPrepared.TYPE -> HalfPrepared.class;
            case HalfAsked.TYPE -> HalfAsked.class;
            case HalfEnded.TYPE -> HalfEnded.class;
            case PartitionsAdded.TYPE -> PartitionsAdded.class;
            case RepeatsLeftOut.TYPE -> RepeatsLeftOut.class;
            case DeliveryPaused.TYPE -> DeliveryPaused.class;
            case DestinationChanged.TYPE -> DestinationChanged.class;
            case CursorMoved.TYPE -> CursorMoved.class;
            case LevelDecided.TYPE -> LevelDecided.class;
            case LeadershipShown.TYPE -> LeadershipShown.class;
            case 22 -> TransactionDecided.class;
            case 23 -> DecisionCarriedOut.class;
            case 24 -> BranchDropped.class;
            default ->
                throw new DamagedLogException(
                        "a record of type " + type + " was written by a newer version; this one cannot replay it");
        };
    }
}
