package io.duramen.broker.shard;

import io.duramen.broker.destination.Destination;
import io.duramen.broker.destination.DestinationSettings;
import io.duramen.broker.destination.Partition;
import io.duramen.broker.shard.OperatorRequest.FullEntry;
import io.duramen.broker.shard.OperatorRequest.FullPage;
import io.duramen.broker.shard.Promised.Amount;
import io.duramen.broker.subscription.Cursor;
import io.duramen.broker.subscription.Subscription;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.Commit.PartitionBatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether partitions take more messages, by the limits of their destinations. What a partition has are the messages that its queue,
 * or the durable subscription of its topic that is furthest behind, has not settled: those that wait for a time or come again among
 * them. Besides counts what was appended and is not committed, and what prepared branches will store. It follows from what is
 * replayed. Messages that the broker moves by itself are never refused. Confined to the agent.
 */
final class Capacity {
    enum Verdict {
        FITS,
        /** Not now. */
        FULL,
        /** Not even where there is nothing else. */
        NEVER
    }

    private final ShardState state;

    /** Soft: of partitions that have refused something since, what. */
    private final Map<Integer, Amount> refused = new HashMap<>();

    Capacity(ShardState state) {
        this.state = state;
    }

    /** What a partition has; nothing where no subscription keeps it. */
    Amount used(Partition partition) {
        long messages = -1;
        long bytes = 0;
        Destination destination = partition.destination();
        List<Subscription> subscriptions = state.subscriptions.of(destination.name());
        for (int i = 0; i < subscriptions.size(); i++) {
            if (subscriptions.get(i).isDurable()) {
                Cursor cursor = subscriptions.get(i).partition(partition.id()).cursor();
                messages = Math.max(messages, partition.nextOffset() - cursor.settledBelow() - cursor.settledBeyond());
                bytes = Math.max(bytes, state.filling.bytes(partition.id(), cursor));
            }
        }
        return messages < 0
                ? Amount.NONE
                : new Amount(
                                messages + partition.nextAppendOffset() - partition.nextOffset(),
                                bytes + partition.pendingBytes())
                        .and(state.promised.of(partition.id()));
    }

    /**
     * Whether it takes more.
     *
     * @param whole whether it is one batch of a producer: where there is nothing else, several messages fit however many they are
     */
    Verdict verdict(Partition partition, Amount more, Amount reserved, boolean whole) {
        DestinationSettings settings = partition.destination().settings();
        if (!settings.limits()) {
            return Verdict.FITS;
        }
        Amount used = used(partition).and(reserved);
        if (fits(settings, used.and(more))) {
            return Verdict.FITS;
        }
        boolean several = whole && more.messages() > 1;
        if (several && used.messages() == 0) {
            return Verdict.FITS;
        }
        return several || fits(settings, more) ? Verdict.FULL : Verdict.NEVER;
    }

    private static boolean fits(DestinationSettings settings, Amount amount) {
        return amount.messages() <= settings.messagesMax() && amount.bytes() <= settings.bytesMax();
    }

    /** @throws ProtocolException where one of the partitions does not take what batches have for it */
    void require(List<PartitionBatch> batches) {
        for (PartitionBatch batch : batches) {
            if (state.storable(batch.partition()).destination().settings().limits()) {
                Promised.amounts(batches).forEach((partition, more) -> require(state.storable(partition), more));
                return;
            }
        }
    }

    /** @throws ProtocolException where the partition does not take it */
    void require(Partition partition, Amount more) {
        if (verdict(partition, more, Amount.NONE, false) != Verdict.FITS) {
            throw refusal(ErrorCode.DESTINATION_FULL, partition, more);
        }
    }

    /** What who sends more than the partition takes is told. */
    ProtocolException refusal(ErrorCode code, Partition partition, Amount more) {
        refused.put(partition.id(), more);
        Destination destination = partition.destination();
        DestinationSettings settings = destination.settings();
        Amount used = used(partition);
        boolean messages = used.messages() + more.messages() > settings.messagesMax();
        long has = messages ? used.messages() : used.bytes();
        long adds = messages ? more.messages() : more.bytes();
        long max = messages ? settings.messagesMax() : settings.bytesMax();
        return new ProtocolException(
                code,
                (destination.kind().isQueue() ? "queue" : "topic") + " '" + destination.name() + "'"
                        + (destination.places().size() == 1 ? "" : ", partition " + partition.id() + ",")
                        + " is full: it has " + has + (messages ? " messages" : " bytes of messages") + " and takes no "
                        + adds + " more, its "
                        + (messages ? DestinationSettings.MAX_MESSAGES : DestinationSettings.MAX_BYTES)
                        + " is " + max);
    }

    // ---- what operators know of it ---------------------------------------------------------------------------------

    /** Destinations behind one by name that are full here: at a limit, or still without room for what was refused last. */
    FullPage full(OperatorRequest.FindFull request) {
        List<FullEntry> entries = new ArrayList<>();
        int looked = 0;
        for (ChangedSettings.Changed changed : state.settings.behind(request.after())) {
            Destination destination =
                    state.catalogue.find(changed.destination()).orElse(null);
            if (destination != null && destination.settings().limits()) {
                destination.partitions().stream()
                        .filter(this::isFull)
                        .map(this::entry)
                        .forEach(entries::add);
            }
            if (++looked == OperatorRequest.LOOK_MAX || entries.size() >= OperatorRequest.PAGE_MAX) {
                return new FullPage(entries, changed.destination());
            }
        }
        return new FullPage(entries, "");
    }

    private FullEntry entry(Partition partition) {
        Amount used = used(partition);
        DestinationSettings settings = partition.destination().settings();
        return new FullEntry(
                partition.destination().name(),
                partition.id(),
                used.messages(),
                settings.messagesMax(),
                used.bytes(),
                settings.bytesMax());
    }

    private boolean isFull(Partition partition) {
        Amount least = refused.getOrDefault(partition.id(), new Amount(1, 1));
        boolean full = verdict(partition, least, Amount.NONE, true) != Verdict.FITS;
        if (!full) {
            refused.remove(partition.id());
        }
        return full;
    }
}
