package io.duramen.broker.shard;

import io.duramen.broker.body.OpenBody;
import io.duramen.broker.destination.Partition;
import io.duramen.broker.shard.ControlRecord.TransactionCommitted;
import io.duramen.broker.shard.DedupDecisions.Guard;
import io.duramen.broker.shard.Promised.Amount;
import io.duramen.broker.transaction.ProducerSequences;
import io.duramen.broker.transaction.RefusedTransactions;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.SpareBuffers;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.Publish;
import io.duramen.protocol.frame.Publish.Acks;
import io.duramen.protocol.frame.TransactionOutcome;
import io.duramen.protocol.frame.TransactionOutcome.Verdict;
import io.duramen.protocol.record.RecordBatch;
import io.duramen.replication.ReplicatedLog.Durability;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/** Decides what is stored: plain batches, and transactions. Confined to the agent. */
final class PublishDecisions {
    private final ShardState state;
    private final Appender appender;
    private final SettleDecisions settling;
    private final BodyDecisions bodies;
    private final DedupDecisions dedup;
    private final RefusedTransactions refused;
    private final IdentityDecisions identities;
    private final SpanningDecisions spanning;
    private final WaitingSenders waiting;

    PublishDecisions(
            ShardState state,
            Appender appender,
            SettleDecisions settling,
            DedupDecisions dedup,
            Transactions transactions,
            WaitingSenders waiting) {
        this.identities = transactions.identities;
        this.spanning = transactions.spanning;
        this.state = state;
        this.appender = appender;
        this.settling = settling;
        this.bodies = dedup.bodies();
        this.dedup = dedup;
        this.refused = new RefusedTransactions(transactions.producersMax);
        this.waiting = waiting;
    }

    /** What of a transaction is stored in this shard, and the large bodies that it names. */
    record Room(List<OpenBody> named, DedupDecisions.News news) {}

    /**
     * Who decides what is special about transactions: producers with an identity, and several shards.
     *
     * @param producersMax of so many the last transaction that was refused is known
     */
    record Transactions(IdentityDecisions identities, SpanningDecisions spanning, int producersMax) {}

    BodyDecisions bodies() {
        return bodies;
    }

    DedupDecisions dedup() {
        return dedup;
    }

    void publish(Reply reply, Publish.Request request) {
        try {
            store(reply, request);
        } catch (ProtocolException refusal) {
            if (!waiting.isNone() && refusal.code() != ErrorCode.DESTINATION_FULL_WAIT) {
                waiting.over(reply, request);
            }
            throw refusal;
        }
    }

    private void store(Reply reply, Publish.Request request) {
        ByteBuffer batch = request.batch();
        Partition partition = storable(request.partition(), batch, reply.connection());
        long place = ProducerSequences.NEWS;
        long producerId = RecordBatch.producerId(batch);
        long sequence = RecordBatch.baseSequence(batch);
        int epoch = RecordBatch.producerEpoch(batch);
        int count = RecordBatch.count(batch);
        boolean sequenced = producerId != 0 && sequence >= 0;
        if (sequenced) {
            place = state.producers.decide(producerId, epoch, partition.id(), sequence, count);
        }
        Durability durability = durability(request.acks(), partition);
        if (place == ProducerSequences.NEWS) {
            place = append(reply, partition, request, durability);
            if (batch.remaining() >= SpareBuffers.LENGTH_MIN) {
                giveToLog(reply.connection(), batch);
            }
            if (sequenced) {
                state.producers.appended(producerId, epoch, partition.id(), sequence, count);
            }
        } else {
            appender.requireWritable();
            if (!waiting.isNone()) {
                waiting.over(reply, request);
            }
        }
        if (request.acks() != Acks.NONE) {
            // A repeat may repeat what is not yet committed: it waits for all that was appended before.
            Appender.Waiter answer = Appender.answer(reply, new Publish.Response(place));
            if (durability == Durability.SYNCED) {
                appender.whenKept(answer);
            } else {
                appender.whenWritten(answer);
            }
        }
    }

    /** What nobody is told of is not made safer by its destination. */
    private static Durability durability(Acks acks, Partition partition) {
        boolean all = acks == Acks.ALL
                || acks == Acks.LEADER && partition.destination().settings().acksAll();
        return all ? Durability.SYNCED : Durability.WRITTEN;
    }

    /** The batch was added, or what it repeats left out of it: nobody reads it once the open entry is in the log. */
    private void giveToLog(ClientConnection connection, ByteBuffer batch) {
        Optional<ByteBuffer> memory = connection.memoryOf(batch);
        if (memory.isPresent()) {
            appender.giveMemory(batch, memory.get());
        } else {
            appender.whenAppended(() -> connection.stored(batch));
        }
    }

    /** @return where its first message will stand; -1 where none is stored, since all are repeats by their dedup ids */
    private long append(Reply reply, Partition partition, Publish.Request request, Durability durability) {
        ByteBuffer batch = request.batch();
        appender.requireRoomFor(batch.remaining());
        if (durability == Durability.SYNCED) {
            appender.requireInSync();
        }
        BitSet repeats = dedup.repeats(partition.id(), batch);
        List<OpenBody> named = List.of();
        if ((RecordBatch.traits(batch) & RecordBatch.ATTRIBUTE_LARGE) != 0) {
            named = new ArrayList<>();
            bodies.requireWhole(partition.id(), batch, named);
        }
        if (!waiting.isNone() || partition.destination().settings().limits()) {
            waiting.admit(reply, partition, request, amount(batch, repeats));
        }
        // From here on nothing is refused.
        long place;
        if (repeats.isEmpty()) {
            place = partition.assign(RecordBatch.count(batch));
            dedup.add(partition, place, batch, durability);
        } else {
            place = dedup.append(partition, batch, repeats, durability);
        }
        bodies.named(named);
        return place;
    }

    /** What it adds to a destination; what is left of a batch without its repeats counts with the bytes of all. */
    private static Amount amount(ByteBuffer batch, BitSet repeats) {
        int news = RecordBatch.count(batch) - repeats.cardinality();
        return news == 0 ? Amount.NONE : new Amount(news, Filling.bytes(batch));
    }

    void commit(ConnectionState connection, Reply reply, Commit.Request request) {
        appender.requireWritable();
        if (request.producerId() == 0) {
            throw new ProtocolException(ErrorCode.INVALID_REQUEST, "a transaction needs a producer");
        }
        SpanningCommit over = new SpanningCommit(this, connection, request);
        if (spanning.joins(over.key(), reply)) {
            return;
        }
        if (isNews(request)) {
            refused.requireNotRefused(request.producerId(), request.sequence());
            try {
                if (!request.others().isEmpty()) {
                    spanning.begin(over, reply);
                    return;
                }
                append(connection, request);
            } catch (ProtocolException refusal) {
                refuse(request, refusal);
                throw refusal;
            }
        }
        Appender.Waiter answer = Appender.answer(reply, new Commit.Response());
        if (request.batches().isEmpty()) {
            appender.whenDurable(answer);
        } else {
            appender.whenKeptHoweverLong(answer);
        }
    }

    private boolean isNews(Commit.Request request) {
        return !identities.isRepeat(request)
                && state.producers.decide(
                                request.producerId(),
                                request.producerEpoch(),
                                ProducerSequences.TRANSACTIONS,
                                request.sequence(),
                                1)
                        == ProducerSequences.NEWS;
    }

    /** @param again decides the request once more */
    void outcome(Reply reply, TransactionOutcome.Request request, Runnable again) {
        appender.requireWritable();
        long producerId = request.producerId();
        long sequence = request.sequence();
        if (producerId == 0) {
            throw new ProtocolException(ErrorCode.INVALID_REQUEST, "a transaction has a producer");
        }
        if (spanning.givesUp(new SpanningCommit.Key(producerId, sequence), again)) {
            return;
        }
        Verdict verdict = verdict(producerId, request.producerEpoch(), sequence);
        if (verdict == Verdict.NOT_COMMITTED) {
            refused.giveUp(producerId, sequence);
            reply.succeed(new TransactionOutcome.Response(verdict));
        } else {
            appender.whenDurable(Appender.answer(reply, new TransactionOutcome.Response(verdict)));
        }
    }

    private Verdict verdict(long producerId, int epoch, long sequence) {
        Verdict known = epoch > 0 ? identities.verdict(producerId, sequence) : null;
        if (known != null) {
            return known;
        }
        long place;
        try {
            place = state.producers.decide(producerId, epoch, ProducerSequences.TRANSACTIONS, sequence, 1);
        } catch (ProtocolException passedOver) {
            return Verdict.NOT_COMMITTED; // later ones were stored without it, and it comes too late
        }
        if (place == ProducerSequences.NEWS) {
            return Verdict.NOT_COMMITTED;
        }
        return state.producers.isLastTransaction(producerId, sequence) ? Verdict.COMMITTED : Verdict.FORGOTTEN;
    }

    private void append(ConnectionState connection, Commit.Request request) {
        settling.requireHeld(connection, request.settlements());
        Room room = requireRoom(connection, request, Guard.NONE);
        // From here on nothing is refused: all of it goes into one entry.
        appendSends(request, room);
        settling.acceptAll(connection, request.settlements());
    }

    /**
     * Checks that all that the transaction sends to this shard can be stored.
     *
     * @param elsewhere what its dedup ids in other shards say
     * @return what of it is to be stored
     */
    Room requireRoom(ConnectionState connection, Commit.Request request, Guard elsewhere) {
        List<OpenBody> named = new ArrayList<>();
        int bytes = requireStorable(connection, request.batches(), named);
        if (bytes > 0) {
            appender.requireRoomFor(bytes);
            appender.requireInSync();
        }
        DedupDecisions.News news = dedup.news(request.batches(), elsewhere);
        state.capacity.require(news.batches());
        return new Room(named, news);
    }

    /** @throws ProtocolException where a transaction that was news when it came may not be committed any more */
    void requireNews(Commit.Request request) {
        refused.requireNotRefused(request.producerId(), request.sequence());
        if (!isNews(request)) {
            throw new ProtocolException(
                    ErrorCode.OUT_OF_ORDER_SEQUENCE, "a later transaction of the producer was committed meanwhile");
        }
    }

    /** The end of a transaction that did not come about; one that may come again is not remembered. */
    void refuse(Commit.Request request, ProtocolException reason) {
        if (reason.code() != ErrorCode.NOT_LEADER) {
            refused.refused(request.producerId(), request.sequence(), reason);
        }
    }

    /** Adds what a transaction sends to this shard, and that it is committed. */
    void appendSends(Commit.Request request, Room room) {
        dedup.leaveOut(room.news.leftOut());
        bodies.named(room.named);
        appender.addControl(
                new TransactionCommitted(
                        request.producerId(), request.producerEpoch(), request.sequence(), request.label()),
                Durability.SYNCED);
        for (Commit.PartitionBatch batch : room.news.batches()) {
            Partition partition = state.catalogue.partition(batch.partition());
            long place = partition.assign(RecordBatch.count(batch.batch()));
            dedup.add(partition, place, batch.batch(), Durability.SYNCED);
        }
        state.producers.appended(
                request.producerId(), request.producerEpoch(), ProducerSequences.TRANSACTIONS, request.sequence(), 1);
    }

    /**
     * Checks the batches of a transaction.
     *
     * @param named takes the large bodies that they name
     * @return bytes of all
     */
    int requireStorable(ConnectionState connection, List<Commit.PartitionBatch> batches, List<OpenBody> named) {
        int bytes = 0;
        for (Commit.PartitionBatch batch : batches) {
            storable(batch.partition(), batch.batch(), connection.connection());
            if (RecordBatch.producerId(batch.batch()) != 0) {
                throw new ProtocolException(
                        ErrorCode.INVALID_REQUEST, "a batch inside a transaction has no producer of its own");
            }
            bodies.requireWhole(batch.partition(), batch.batch(), named);
            bytes = Math.addExact(bytes, batch.batch().remaining());
        }
        return bytes;
    }

    /** Checks a batch from the wire and finds its partition. */
    private Partition storable(int partitionId, ByteBuffer batch, ClientConnection from) {
        Partition partition = state.storable(partitionId);
        int flags = RecordBatch.check(batch);
        if (!from.handsOn()) {
            UserIds.requireOwn(batch, flags, from.user());
        }
        return partition;
    }
}
