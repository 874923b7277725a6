package io.duramen.broker.shard;

import io.duramen.broker.shard.ControlRecord.Returned;
import io.duramen.broker.shard.ControlRecord.Settled;
import io.duramen.broker.subscription.Consumer;
import io.duramen.broker.subscription.Expired;
import io.duramen.broker.subscription.ExpirySink;
import io.duramen.broker.subscription.Offsets;
import io.duramen.broker.subscription.PartitionDispatch;
import io.duramen.broker.subscription.Subscription;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.Commit.ConsumerSettlement;
import io.duramen.protocol.frame.OffsetRange;
import io.duramen.protocol.frame.Settle;
import io.duramen.protocol.frame.Settle.Outcome;
import io.duramen.replication.ReplicatedLog.Durability;
import java.util.List;
import java.util.function.LongConsumer;

/** Decides how leases end. Confined to the agent. */
final class SettleDecisions implements ExpirySink {
    private final Appender appender;
    private final ExpiredMoves moves;
    private final int messagesMax;

    /** @param messagesMax most messages that one request may settle */
    SettleDecisions(Appender appender, ExpiredMoves moves, int messagesMax) {
        this.appender = appender;
        this.moves = moves;
        this.messagesMax = messagesMax;
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
        boolean giveBack = request.outcome() == Outcome.REJECTED;
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
        apply(consumer.subscription(), partition, ended.toRanges(), giveBack, durability);
        Settle.Response response = new Settle.Response(stale.toRanges());
        Reply to = request.urgent() || giveBack ? reply : reply.unawaited();
        if (durable) {
            appender.whenDurable(Appender.answer(to, response));
        } else {
            to.succeed(response);
        }
    }

    /** Appends the end of leases, or, where nothing of the subscription is durable, brings it about at once. */
    private void apply(
            Subscription subscription,
            PartitionDispatch partition,
            List<OffsetRange> ranges,
            boolean giveBack,
            Durability durability) {
        if (ranges.isEmpty()) {
            return;
        }
        if (!subscription.isDurable()) {
            if (giveBack) {
                partition.giveBack(ranges);
            } else {
                partition.settle(ranges);
            }
            subscription.markDirty();
            return;
        }
        int id = subscription.row().subscription();
        int partitionId = partition.partition().id();
        if (giveBack) {
            appender.addControl(new Returned(id, partitionId, ranges), durability);
        } else if (durability == Durability.WRITTEN) {
            appender.addPatiently(new Settled(id, partitionId, ranges));
        } else {
            appender.addControl(new Settled(id, partitionId, ranges), durability);
        }
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
        apply(consumer.subscription(), partition, ranges, true, Durability.WRITTEN);
    }

    /** Settles messages whose time was over when their turn came. */
    @Override
    public void expired(Subscription subscription, PartitionDispatch partition, Expired expired) {
        if (!subscription.isDurable() || appender.isWritable()) {
            if (subscription.isDurable()) {
                moves.move(subscription.destination(), expired);
            }
            apply(subscription, partition, expired.ranges(), false, Durability.WRITTEN);
        }
    }

    /** Settles what its subscription's selector or noLocal leaves out, so that it holds no segment. */
    @Override
    public void skipped(Subscription subscription, PartitionDispatch partition, List<OffsetRange> ranges) {
        if (!subscription.isDurable() || appender.isWritable()) {
            apply(subscription, partition, ranges, false, Durability.WRITTEN);
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
                apply(one.subscription(), one.partition(), one.ranges(), false, Durability.SYNCED);
            } else {
                appender.whenCommitted(new Appender.Waiter() {
                    @Override
                    public void reached() {
                        one.end(true);
                    }

                    @Override
                    public void failed(ProtocolException reason) {
                        // The leases stay as they are: nothing is handed out by a log that has stopped.
                    }
                });
            }
        }
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
