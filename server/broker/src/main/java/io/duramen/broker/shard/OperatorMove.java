package io.duramen.broker.shard;

import io.duramen.broker.shard.ControlRecord.Settled;
import io.duramen.broker.subscription.PartitionDispatch;
import io.duramen.broker.subscription.Subscription;
import io.duramen.broker.subscription.Withdrawal;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.Commit.PartitionBatch;
import io.duramen.protocol.frame.OffsetRange;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.replication.ReplicatedLog.Durability;
import java.util.List;

/**
 * An operator's move or copy of messages to another shard: as a transaction is, stored there and settled here, or neither.
 * Confined to the agent.
 */
final class OperatorMove implements SpanningDecisions.Goal {
    private final ShardState state;
    private final Appender appender;
    private final ConnectionState operator;
    private final Place from;
    private final Commit.ShardPart part;
    private final Object key = new Object();

    /**
     * Which messages, and where they are.
     *
     * @param settled what is settled here; empty for a copy
     */
    record Place(
            Subscription subscription, PartitionDispatch partition, Withdrawal withdrawal, List<OffsetRange> settled) {}

    OperatorMove(
            ShardState state,
            Appender appender,
            OperatorConnection operator,
            Place from,
            PartitionRef to,
            MovedRecords records) {
        this.state = state;
        this.appender = appender;
        this.operator = new ConnectionState(operator);
        this.from = from;
        this.part = new Commit.ShardPart(
                to.shard(), List.of(new PartitionBatch(to.partition(), records.batch())), List.of());
    }

    @Override
    public Object key() {
        return key;
    }

    @Override
    public SpanningDecisions.Asked asked() {
        return new SpanningDecisions.Asked(operator, List.of(), List.of(part));
    }

    @Override
    public void check() {
        appender.requireWritable();
    }

    @Override
    public SpanningDecisions.Decided decide(SpanningDecisions.Attempt attempt) {
        int id = from.subscription.row().subscription();
        if (!from.settled.isEmpty()) {
            if (state.subscriptions.durable(id) != from.subscription
                    || from.subscription.destination().isLeaving()) {
                throw new ProtocolException(
                        ErrorCode.DESTINATION_NOT_FOUND,
                        "'" + from.subscription.destination().name() + "' was deleted meanwhile");
            }
            appender.addControl(new Settled(id, from.partition.partition().id(), from.settled), Durability.SYNCED);
        }
        return SpanningDecisions.Decided.COMMITTED;
    }

    @Override
    public void refused(ProtocolException reason) {
        from.withdrawal.giveUp(from.settled);
        from.subscription.markDirty();
    }

    @Override
    public Record response() {
        return new Commit.Response();
    }
}
