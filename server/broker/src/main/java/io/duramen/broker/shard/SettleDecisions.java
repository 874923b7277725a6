package io.duramen.broker.shard;

import io.duramen.broker.shard.ControlRecord.Returned;
import io.duramen.broker.shard.ControlRecord.Settled;
import io.duramen.broker.subscription.CameBack;
import io.duramen.broker.subscription.Consumer;
import io.duramen.broker.subscription.Expired;
import io.duramen.broker.subscription.Offsets;
import io.duramen.broker.subscription.PartitionDispatch;
import io.duramen.broker.subscription.Subscription;
import io.duramen.broker.subscription.Undeliverable;
import io.duramen.broker.subscription.UndeliveredSink;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.Commit.ConsumerSettlement;
import io.duramen.protocol.frame.OffsetRange;
import io.duramen.protocol.frame.Settle;
import io.duramen.protocol.frame.Settle.Outcome;
import io.duramen.protocol.record.MessageRecord;
import io.duramen.replication.ReplicatedLog.Durability;
import io.duramen.runtime.Clock;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.LongConsumer;

/** Decides how leases end. Confined to the agent. */
final class SettleDecisions implements UndeliveredSink {
    private final Appender appender;
    private final ExpiredMoves moves;
    private final DeadLetters deadLetters;
    private final Clock clock;
    private final int messagesMax;

    /** @param messagesMax most messages that one request may settle */
    SettleDecisions(Appender appender, ExpiredMoves moves, DeadLetters deadLetters, Clock clock, int messagesMax) {
        this.appender = appender;
        this.moves = moves;
        this.deadLetters = deadLetters;
        this.clock = clock;
        this.messagesMax = messagesMax;
    }

    MoveCounts moveCounts() {
        return new MoveCounts(moves.moved(), deadLetters.spent(), deadLetters.refused());
    }

    void settle(ConnectionState connection, Reply reply, Settle.Request request) {
        Consumer consumer = connection.consumer(request.consumerId());
        PartitionDispatch partition = partition(consumer, request.partition());
        requireBounded(0, request.ranges());
        consumer.seen(request.seen());
        if (request.outcome() == Outcome.RELEASED) {
            partition.release(consumer, request.ranges());
            consumer.subscription().markDirty();
            reply.succeed(new Settle.Response(List.of()));
            return;
        }
        boolean durable = consumer.subscription().isDurable();
        if (durable) {
            appender.requireWritable();
        }
        boolean giveBack = request.outcome() != Outcome.ACCEPTED;
        Offsets ended = new Offsets();
        Offsets stale = new Offsets();
        forEach(request.ranges(), offset -> {
            if (partition.end(consumer, offset, giveBack)) {
                ended.add(offset);
            } else {
                stale.add(offset);
            }
        });
        Durability durability = request.urgent() ? Durability.SYNCED : Durability.WRITTEN;
        if (giveBack) {
            String reason = request.reason();
            CameBack back = new CameBack(
                    clock.millis(),
                    request.outcome() == Outcome.REFUSED,
                    reason.substring(0, Math.min(reason.length(), Settle.REASON_LENGTH_MAX)));
            giveBack(consumer.subscription(), partition, ended.toRanges(), back, durability);
        } else {
            settle(consumer.subscription(), partition, ended.toRanges(), durability);
        }
        Settle.Response response = new Settle.Response(stale.toRanges());
        Reply to = request.urgent() || giveBack ? reply : reply.unawaited();
        if (durable) {
            appender.whenDurable(Appender.answer(to, response));
        } else {
            to.succeed(response);
        }
    }

    /** Appends the end of leases, or, where nothing of the subscription is durable, brings it about at once. */
    private void settle(
            Subscription subscription, PartitionDispatch partition, List<OffsetRange> ranges, Durability durability) {
        if (ranges.isEmpty()) {
            return;
        }
        if (!subscription.isDurable()) {
            partition.settle(ranges);
            subscription.markDirty();
            return;
        }
        Settled settled = new Settled(
                subscription.row().subscription(), partition.partition().id(), ranges);
        if (durability == Durability.WRITTEN) {
            appender.addPatiently(settled);
        } else {
            appender.addControl(settled, durability);
        }
    }

    /** As {@link #settle}, of what comes back. */
    private void giveBack(
            Subscription subscription,
            PartitionDispatch partition,
            List<OffsetRange> ranges,
            CameBack back,
            Durability durability) {
        if (ranges.isEmpty()) {
            return;
        }
        if (!subscription.isDurable()) {
            partition.giveBack(ranges, back);
            subscription.markDirty();
            return;
        }
        appender.addControl(
                new Returned(
                        subscription.row().subscription(),
                        partition.partition().id(),
                        ranges,
                        back.refused(),
                        back.reason()),
                durability);
    }

    /**
     * Gives back what a consumer that leaves has seen and will not settle.
     *
     * @param seen offsets on which it holds leases
     */
    void giveBackSeen(Consumer consumer, PartitionDispatch partition, Offsets seen) {
        if (seen.isEmpty() || (consumer.subscription().isDurable() && !appender.isWritable())) {
            return;
        }
        List<OffsetRange> ranges = seen.toRanges();
        forEach(ranges, offset -> partition.end(consumer, offset, true));
        giveBack(consumer.subscription(), partition, ranges, CameBack.at(clock.millis()), Durability.WRITTEN);
    }

    /** Takes a delivery back, which its consumer holds: it comes again, counted, when that is committed. */
    void takeBack(Consumer consumer, PartitionDispatch partition, long offset, String reason) {
        if (consumer.subscription().isDurable()) {
            appender.requireWritable();
        }
        partition.end(consumer, offset, true);
        CameBack back = new CameBack(clock.millis(), false, reason);
        giveBack(consumer.subscription(), partition, List.of(OffsetRange.of(offset)), back, Durability.SYNCED);
    }

    /**
     * Adds to the open entry that messages whose time is over now are where such go, but not that they are settled.
     *
     * @param records copies of their own
     * @return false where they have to stay until they can be moved
     */
    boolean expireNow(Subscription subscription, List<ByteBuffer> records) {
        records.forEach(record -> record.putLong(MessageRecord.EXPIRATION_AT, clock.millis()));
        return moves.move(subscription, records);
    }

    /** Settles messages whose time was over when their turn came. */
    @Override
    public boolean expired(Subscription subscription, PartitionDispatch partition, Expired expired) {
        if (subscription.isDurable() && !appender.isWritable()) {
            return true; // the log has stopped; they are there after a restart
        }
        boolean done = moves.move(subscription, expired.records());
        if (done) {
            settle(subscription, partition, expired.ranges(), Durability.WRITTEN);
        }
        return done;
    }

    /** Settles messages with their move to where they go. */
    @Override
    public boolean undeliverable(Subscription subscription, PartitionDispatch partition, Undeliverable messages) {
        boolean done = messages.isExpired()
                ? moves.move(
                        subscription,
                        messages.messages().stream()
                                .map(Undeliverable.Message::record)
                                .toList())
                : deadLetters.move(subscription, messages);
        if (done) {
            settle(subscription, partition, messages.ranges(), Durability.WRITTEN);
        }
        return done;
    }

    /** Settles what its subscription's selector or noLocal leaves out, so that it holds no segment. */
    @Override
    public void skipped(Subscription subscription, PartitionDispatch partition, List<OffsetRange> ranges) {
        if (!subscription.isDurable() || appender.isWritable()) {
            settle(subscription, partition, ranges, Durability.WRITTEN);
        }
    }

    /** @throws ProtocolException with LEASE_LOST unless every delivery can be settled by its consumer */
    void requireHeld(ConnectionState connection, List<ConsumerSettlement> settlements) {
        long count = 0;
        for (ConsumerSettlement settlement : settlements) {
            if (!connection.has(settlement.consumerId())) {
                throw new ProtocolException(
                        ErrorCode.LEASE_LOST,
                        "consumer " + settlement.consumerId() + " is gone and with it what it held; the transaction is"
                                + " rolled back");
            }
            Consumer consumer = connection.consumer(settlement.consumerId());
            PartitionDispatch partition = partition(consumer, settlement.partition());
            count = requireBounded(count, settlement.ranges());
            forEach(settlement.ranges(), offset -> {
                if (!partition.maySettle(consumer, offset)) {
                    throw new ProtocolException(
                            ErrorCode.LEASE_LOST,
                            "the delivery at offset " + offset + " of partition " + settlement.partition()
                                    + " is no longer held; the transaction is rolled back");
                }
            });
        }
    }

    /** Accepts what {@link #requireHeld} has checked, as part of the open entry. */
    void acceptAll(ConnectionState connection, List<ConsumerSettlement> settlements) {
        List<HeldForBranch> held = forBranch(connection, settlements);
        held.forEach(HeldForBranch::take);
        acceptTaken(held);
    }

    /** Accepts what was taken, as part of the open entry. */
    void acceptTaken(List<HeldForBranch> taken) {
        for (HeldForBranch one : taken) {
            if (one.subscription().isDurable()) {
                settle(one.subscription(), one.partition(), one.ranges(), Durability.SYNCED);
            } else {
                appender.whenCommitted(new Appender.Waiter() {
                    @Override
                    public void reached() {
                        end(one, true);
                    }

                    @Override
                    public void failed(ProtocolException reason) {
                        // The leases stay as they are: nothing is handed out by a log that has stopped.
                    }
                });
            }
        }
    }

    /** Brings the end of a branch about for what of it is not durable. */
    void end(HeldForBranch held, boolean commit) {
        held.end(commit, clock.millis());
    }

    /** What was taken goes back to its consumers, or, where their connection has ended meanwhile, to everyone, counted. */
    void restore(ConnectionState connection, List<HeldForBranch> taken) {
        for (HeldForBranch one : taken) {
            one.restore();
            if (connection.isGone()) {
                Offsets seen = new Offsets();
                forEach(one.ranges(), offset -> {
                    if (one.partition().isHeld(one.consumer(), offset)) {
                        seen.add(offset);
                    }
                });
                giveBackSeen(one.consumer(), one.partition(), seen);
            }
        }
    }

    /** What {@link #requireHeld} has checked, for a branch that will accept it. */
    List<HeldForBranch> forBranch(ConnectionState connection, List<ConsumerSettlement> settlements) {
        return settlements.stream()
                .map(settlement -> {
                    Consumer consumer = connection.consumer(settlement.consumerId());
                    return new HeldForBranch(
                            consumer, partition(consumer, settlement.partition()), settlement.ranges());
                })
                .toList();
    }

    private static PartitionDispatch partition(Consumer consumer, int partitionId) {
        PartitionDispatch partition = consumer.subscription().partition(partitionId);
        if (partition == null) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST,
                    "consumer " + consumer.id() + " does not consume from partition " + partitionId);
        }
        return partition;
    }

    private long requireBounded(long before, List<OffsetRange> ranges) {
        long count = before + Offsets.count(ranges);
        if (count < 0 || count > messagesMax) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST, "a request settles more than " + messagesMax + " messages");
        }
        return count;
    }

    private static void forEach(List<OffsetRange> ranges, LongConsumer action) {
        for (OffsetRange range : ranges) {
            for (long offset = range.first(); offset <= range.last(); offset++) {
                action.accept(offset);
            }
        }
    }
}
