package io.duramen.broker.shard;

import io.duramen.broker.dedup.DedupIds.Seen;
import io.duramen.broker.dedup.HashedKey;
import io.duramen.broker.destination.Partition;
import io.duramen.broker.shard.ControlRecord.RepeatsLeftOut;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.Commit.PartitionBatch;
import io.duramen.protocol.frame.FindDedupId;
import io.duramen.protocol.frame.FindDedupId.Finding;
import io.duramen.protocol.record.DedupKey;
import io.duramen.protocol.record.RecordBatch;
import io.duramen.replication.ReplicatedLog.Durability;
import io.duramen.runtime.Clock;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Decides which messages are left out because a message with their dedup id was stored. Confined to the agent.
 *
 * <p>Each message with an id stands for itself. Messages of a transaction that have none go with those that have: where all
 * of these are repeats, the transaction was done before, and none of its messages is stored again; where one is news, all
 * that are no repeats are stored. What it settles is settled in any case.
 */
final class DedupDecisions {
    private static final BitSet NONE = new BitSet(0);

    private final ShardState state;
    private final Appender appender;
    private final BodyDecisions bodies;
    private final Clock clock;

    DedupDecisions(ShardState state, Appender appender, BodyDecisions bodies, Clock clock) {
        this.state = state;
        this.appender = appender;
        this.bodies = bodies;
        this.clock = clock;
    }

    BodyDecisions bodies() {
        return bodies;
    }

    /** What the dedup ids of a transaction say of its messages that have none. */
    enum Guard {
        /** It has no ids. */
        NONE,
        /** One of its ids is news. */
        NEWS,
        /** All of its ids are repeats. */
        REPEATS;

        /** What the ids of both parts of a transaction say. */
        Guard and(Guard other) {
            return this == NEWS || other == NEWS ? NEWS : this == NONE ? other : this;
        }
    }

    /** What is left of the batches of a transaction, and what was left out of it. */
    record News(List<PartitionBatch> batches, List<LeftOut> leftOut, Guard guard) {
        static News none() {
            return new News(List.of(), List.of(), Guard.NONE);
        }

        /** Whether nothing of it is stored, in no shard. */
        boolean isRepeat() {
            return guard == Guard.REPEATS;
        }
    }

    /** @param messages which of the batch, by their place in it */
    record LeftOut(PartitionBatch batch, BitSet messages) {}

    /**
     * The messages of a checked batch that are repeats, by their place in it; changes nothing.
     *
     * @throws ProtocolException where a prepared branch has one of its ids
     */
    BitSet repeats(int partition, ByteBuffer batch) {
        if ((RecordBatch.traits(batch) & RecordBatch.ATTRIBUTE_DEDUP) == 0) {
            return NONE;
        }
        return repeats(partition, batch, state.dedup.seen(), new BitSet());
    }

    /** @param seen ids of the same request; added to */
    private BitSet repeats(int partition, ByteBuffer batch, Seen seen, BitSet withId) {
        BitSet repeats = new BitSet();
        long now = nowMillis();
        state.dedup.forEach(partition, batch, (key, index) -> {
            withId.set(index);
            if (state.dedup.isStored(partition, key, now)) {
                repeats.set(index);
            } else if (state.dedup.isHeld(partition, key)) {
                throw new ProtocolException(
                        ErrorCode.DEDUP_ID_UNDECIDED,
                        "a message repeats a dedup id of a prepared branch, which is neither committed nor rolled back");
            } else if (!seen.add(partition, key)) {
                repeats.set(index);
            }
        });
        return repeats;
    }

    private long nowMillis() {
        return Math.max(clock.millis(), state.logTimeMillis);
    }

    /**
     * Adds what is left of a plain batch to the open entry, and that some of it was left out.
     *
     * @return the offset of the first message that is stored, -1 where none is
     */
    long append(Partition partition, ByteBuffer batch, BitSet repeats, Durability durability) {
        int count = RecordBatch.count(batch);
        boolean all = repeats.cardinality() == count;
        ByteBuffer rest = all ? null : RecordBatch.without(batch, repeats);
        long place = all ? -1 : partition.assign(count - repeats.cardinality());
        long sequence = RecordBatch.baseSequence(batch);
        bodies.dropOf(batch, repeats);
        appender.addControl(
                new RepeatsLeftOut(
                        partition.id(),
                        repeats.cardinality(),
                        sequence < 0 ? 0 : RecordBatch.producerId(batch),
                        RecordBatch.producerEpoch(batch),
                        sequence,
                        count,
                        place),
                durability);
        if (rest != null) {
            add(partition, place, rest, durability);
        }
        return place;
    }

    /** Adds messages to the open entry: where they may have dedup ids, it is done here. */
    void add(Partition partition, long place, ByteBuffer batch, Durability durability) {
        partition.appended(Filling.bytes(batch));
        appender.addMessages(partition.id(), place, RecordBatch.count(batch), batch, durability);
        state.dedup.appended(partition.id(), place, batch);
    }

    /**
     * What of a transaction's checked batches is to be stored; changes nothing.
     *
     * @param elsewhere what its ids in other shards say
     * @throws ProtocolException where a prepared branch has one of its ids
     */
    News news(List<PartitionBatch> batches, Guard elsewhere) {
        if (elsewhere == Guard.NONE && batches.stream().noneMatch(DedupDecisions::hasIds)) {
            return new News(batches, List.of(), Guard.NONE);
        }
        List<BitSet> repeats = new ArrayList<>();
        Guard guard = elsewhere.and(repeats(batches, repeats));
        return split(batches, guard == Guard.REPEATS ? all(batches) : repeats, guard);
    }

    /** As {@link #news}, of a part whose messages without ids go with those with ids in all shards: none of them is left out. */
    News newsOfPart(List<PartitionBatch> batches) {
        if (batches.stream().noneMatch(DedupDecisions::hasIds)) {
            return new News(batches, List.of(), Guard.NONE);
        }
        List<BitSet> repeats = new ArrayList<>();
        Guard guard = repeats(batches, repeats);
        return split(batches, repeats, guard);
    }

    /** @param repeats takes those of each batch */
    private Guard repeats(List<PartitionBatch> batches, List<BitSet> repeats) {
        Seen seen = state.dedup.seen();
        Guard guard = Guard.NONE;
        for (PartitionBatch batch : batches) {
            BitSet withId = new BitSet();
            BitSet repeated = repeats(batch.partition(), batch.batch(), seen, withId);
            repeats.add(repeated);
            if (!withId.isEmpty()) {
                guard = guard.and(repeated.equals(withId) ? Guard.REPEATS : Guard.NEWS);
            }
        }
        return guard;
    }

    private static News split(List<PartitionBatch> batches, List<BitSet> repeats, Guard guard) {
        List<PartitionBatch> news = new ArrayList<>();
        List<LeftOut> leftOut = new ArrayList<>();
        for (int i = 0; i < batches.size(); i++) {
            split(batches.get(i), repeats.get(i), news, leftOut);
        }
        return new News(news, leftOut, guard);
    }

    private static boolean hasIds(PartitionBatch batch) {
        return (RecordBatch.traits(batch.batch()) & RecordBatch.ATTRIBUTE_DEDUP) != 0;
    }

    private static List<BitSet> all(List<PartitionBatch> batches) {
        return batches.stream().map(DedupDecisions::all).toList();
    }

    private static BitSet all(PartitionBatch batch) {
        BitSet all = new BitSet();
        all.set(0, RecordBatch.count(batch.batch()));
        return all;
    }

    private static void split(PartitionBatch batch, BitSet repeats, List<PartitionBatch> news, List<LeftOut> leftOut) {
        int left = RecordBatch.count(batch.batch()) - repeats.cardinality();
        if (repeats.isEmpty()) {
            news.add(batch);
            return;
        }
        leftOut.add(new LeftOut(batch, repeats));
        if (left > 0) {
            news.add(new PartitionBatch(batch.partition(), RecordBatch.without(batch.batch(), repeats)));
        }
    }

    /** Whether batches are those of which others are what was left when their repeats had been left out. */
    static boolean isRepeat(List<PartitionBatch> batches, List<PartitionBatch> left) {
        if (batches.stream().noneMatch(DedupDecisions::hasIds)) {
            return left.equals(batches);
        }
        int found = 0;
        for (PartitionBatch batch : batches) {
            if (found < left.size()
                    && left.get(found).partition() == batch.partition()
                    && isLeft(left.get(found).batch(), batch.batch())) {
                found++;
            }
        }
        return found == left.size();
    }

    /** Whether the messages of a batch are all in another, in their order. */
    private static boolean isLeft(ByteBuffer rest, ByteBuffer batch) {
        int at = rest.position() + RecordBatch.HEADER_LENGTH;
        int from = batch.position() + RecordBatch.HEADER_LENGTH;
        while (at < rest.limit() && from < batch.limit()) {
            int length = batch.getInt(from) + Integer.BYTES;
            if (rest.limit() - at >= length && rest.slice(at, length).equals(batch.slice(from, length))) {
                at += length;
            }
            from += length;
        }
        return at == rest.limit();
    }

    /** Adds to the open entry what was left out of a transaction; its large bodies are dropped. */
    void leaveOut(List<LeftOut> leftOut) {
        for (LeftOut one : leftOut) {
            bodies.dropOf(one.batch.batch(), one.messages);
            leftOut(one, Durability.SYNCED);
        }
    }

    /** Adds to the open entry that a prepared batch is left out; its large bodies are dropped. */
    void leaveOutPrepared(PartitionBatch batch, Durability durability) {
        bodies.dropKept(batch.batch());
        leftOut(new LeftOut(batch, all(batch)), durability);
    }

    private void leftOut(LeftOut one, Durability durability) {
        appender.addControl(
                new RepeatsLeftOut(one.batch.partition(), one.messages.cardinality(), 0, 0, -1, 0, -1), durability);
    }

    void find(Reply reply, FindDedupId.Request request) {
        appender.requireWritable();
        int partition = state.storable(request.partition()).id();
        HashedKey key = state.dedup.hashed(new DedupKey(request.keyHigh(), request.keyLow()));
        long now = nowMillis();
        long stored = state.dedup.storedMillis(partition, key, now);
        Finding finding = state.dedup.isStored(partition, key, now)
                ? Finding.STORED
                : state.dedup.isHeld(partition, key) ? Finding.UNDECIDED : Finding.UNKNOWN;
        long millis = finding != Finding.STORED ? 0 : stored >= 0 ? stored : now;
        appender.whenDurable(Appender.answer(reply, new FindDedupId.Response(finding, millis)));
    }
}
