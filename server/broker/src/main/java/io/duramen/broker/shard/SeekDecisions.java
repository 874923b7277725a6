package io.duramen.broker.shard;

import io.duramen.broker.destination.Partition;
import io.duramen.broker.shard.ControlRecord.CursorMoved;
import io.duramen.broker.shard.OperatorRequest.FindKept;
import io.duramen.broker.shard.OperatorRequest.KeptStretch;
import io.duramen.broker.shard.OperatorRequest.MoveCursor;
import io.duramen.broker.subscription.PartitionDispatch;
import io.duramen.broker.subscription.Peek;
import io.duramen.broker.subscription.Subscription;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.replication.ReplicatedLog.Durability;
import java.util.List;

/**
 * Decides, for operators, where queues and durable subscriptions go on, forwards and backwards, in the partitions of this shard. Nobody may
 * consume one then: what comes again would come among what its consumers have. Confined to the agent.
 */
final class SeekDecisions {
    private final ShardState state;
    private final Appender appender;
    private final Changes changes;

    SeekDecisions(ShardState state, Appender appender, Changes changes) {
        this.state = state;
        this.appender = appender;
        this.changes = changes;
    }

    List<KeptStretch> find(FindKept request) {
        return OperatorSweeps.find(state, request.target())
                .map(subscription -> subscription.partitions().stream()
                        .map(one -> stretch(one, request.millis()))
                        .toList())
                .orElse(List.of());
    }

    private KeptStretch stretch(PartitionDispatch one, long millis) {
        int id = one.partition().id();
        long settled = one.cursor().settledBelow();
        boolean kept = state.retention.from(id) != Long.MAX_VALUE;
        return new KeptStretch(
                id,
                from(one),
                kept ? Math.max(from(one), state.retention.before(id, millis)) : settled,
                one.partition().nextOffset(),
                kept);
    }

    /** What the subscription has not settled is there, and perhaps some before that. */
    private long from(PartitionDispatch one) {
        return Math.min(state.retention.from(one.partition().id()), one.cursor().settledBelow());
    }

    /**
     * @param after told once it is on disk
     * @param again decides it anew, after a change of the subscription that is on its way
     */
    void move(MoveCursor request, Appender.Waiter after, Runnable again) {
        Subscription subscription = OperatorSweeps.find(state, request.target())
                .orElseThrow(() -> new ProtocolException(
                        ErrorCode.SUBSCRIPTION_NOT_FOUND, "no queue or durable subscription " + request.target()));
        String key = key(subscription);
        if (changes.awaits(key, again)) {
            return;
        }
        PartitionDispatch partition = subscription.partition(request.partition());
        if (partition == null) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST, "partition " + request.partition() + " is none of the subscription's");
        }
        requireUnused(subscription);
        long offset = request.orLater() ? Math.max(request.offset(), from(partition)) : request.offset();
        requireThere(partition, offset);
        appender.requireRoomFor(0);
        appender.addControl(
                new CursorMoved(subscription.row().subscription(), request.partition(), offset), Durability.SYNCED);
        changes.begin(key, appender.onceDurable(after));
    }

    /** Under which who attaches waits for it. */
    private static String key(Subscription subscription) {
        return subscription.kind() == SubscriptionKind.QUEUE
                ? DestinationDecisions.key(subscription.destination().name())
                : ConsumerDecisions.key(new Subscriptions.Name(
                        subscription.row().clientId(), subscription.row().name()));
    }

    private static void requireUnused(Subscription subscription) {
        String name = subscription.kind() == SubscriptionKind.QUEUE
                ? "queue '" + subscription.destination().name() + "'"
                : "subscription '" + subscription.row().name() + "'";
        if (subscription.isActive()) {
            throw new ProtocolException(
                    ErrorCode.SUBSCRIPTION_IN_USE,
                    name + " has consumers: it can go back, or on, only while it has none");
        }
        if (subscription.partitions().stream().anyMatch(Peek::isHeld)) {
            throw new ProtocolException(
                    ErrorCode.SUBSCRIPTION_IN_USE,
                    "consumers of " + name + " that have left hold messages of it, in a transaction perhaps");
        }
    }

    private void requireThere(PartitionDispatch one, long offset) {
        Partition partition = one.partition();
        String place = partition.id() + ":";
        if (offset < from(one)) {
            boolean kept = state.retention.from(partition.id()) != Long.MAX_VALUE;
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST,
                    "message " + place + offset + " is not kept: the first that is there is " + place + from(one)
                            + (kept ? "" : "; what is settled is kept where the setting keep or keep-size says so"));
        }
        if (offset > partition.nextOffset()) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST,
                    "message " + place + offset + " is not there yet: the next will be " + place
                            + partition.nextOffset());
        }
    }
}
