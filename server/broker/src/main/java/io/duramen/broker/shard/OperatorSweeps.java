package io.duramen.broker.shard;

import io.duramen.broker.destination.Destination;
import io.duramen.broker.destination.Partition;
import io.duramen.broker.selector.MessageFilter;
import io.duramen.broker.shard.ControlRecord.Settled;
import io.duramen.broker.shard.OperatorRequest.Action;
import io.duramen.broker.shard.OperatorRequest.FindStretches;
import io.duramen.broker.shard.OperatorRequest.Stretch;
import io.duramen.broker.shard.OperatorRequest.Sweep;
import io.duramen.broker.shard.OperatorRequest.Swept;
import io.duramen.broker.shard.OperatorRequest.Target;
import io.duramen.broker.shard.ShardCounters.Counter;
import io.duramen.broker.subscription.Offsets;
import io.duramen.broker.subscription.PartitionDispatch;
import io.duramen.broker.subscription.Subscription;
import io.duramen.broker.subscription.Withdrawal;
import io.duramen.log.DamagedLogException;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.OffsetRange;
import io.duramen.protocol.record.MessageRecord;
import io.duramen.protocol.record.RecordBatch;
import io.duramen.replication.ReplicatedLog.Durability;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What an operator does to messages that nobody holds, some at a time. Confined to the agent. */
final class OperatorSweeps {
    private static final Logger LOG = LoggerFactory.getLogger(OperatorSweeps.class);

    private final ShardState state;
    private final Appender appender;
    private final Selecting selecting;
    private final ShardCounters counters;
    private final ArrayDeque<Job> ready = new ArrayDeque<>();

    OperatorSweeps(ShardState state, Appender appender, Selecting selecting, ShardCounters counters) {
        this.state = state;
        this.appender = appender;
        this.selecting = selecting;
        this.counters = counters;
    }

    int doWork() {
        int work = ready.size();
        for (int i = work; i > 0; i--) {
            ready.poll().run();
        }
        return work;
    }

    List<Stretch> stretches(FindStretches request) {
        selecting.filter(request.selector());
        return find(request.target())
                .map(subscription -> subscription.partitions().stream()
                        .map(one -> new Stretch(
                                one.partition().id(),
                                one.cursor().settledBelow(),
                                one.partition().nextOffset()))
                        .toList())
                .orElse(List.of());
    }

    private Optional<Subscription> find(Target target) {
        if (target instanceof Target.OfSubscription of) {
            return state.subscriptions.durable(new Subscriptions.Name(of.clientId(), of.name()));
        }
        String name = ((Target.OfQueue) target).name();
        Optional<Destination> found = state.catalogue.find(name);
        if (found.isPresent() && !found.get().kind().isQueue()) {
            throw new ProtocolException(ErrorCode.DESTINATION_KIND_MISMATCH, "'" + name + "' is a topic, not a queue");
        }
        return found.filter(queue -> !queue.isLeaving()).map(queue -> state.subscriptions.ofQueue(name));
    }

    void begin(Sweep request, CompletableFuture<Swept> answer) {
        if (request.max() < 1 || request.max() > OperatorRequest.LOOK_MAX) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST,
                    request.max() + " messages at a time: 1 to " + OperatorRequest.LOOK_MAX + " are allowed");
        }
        MessageFilter filter = selecting.filter(request.selector());
        appender.requireWritable();
        new Job(request, filter, answer).run();
    }

    /** One request, on its way. */
    private final class Job {
        private final Sweep request;
        private final MessageFilter filter;
        private final CompletableFuture<Swept> answer;
        private boolean over;

        Job(Sweep request, MessageFilter filter, CompletableFuture<Swept> answer) {
            this.request = request;
            this.filter = filter;
            this.answer = answer;
        }

        /** Begins anew after it had to wait: what it found before may be gone. */
        void run() {
            if (over) {
                return;
            }
            try {
                over = tryIt();
            } catch (ProtocolException refusal) {
                over = true;
                answer.completeExceptionally(refusal);
            } catch (DamagedLogException e) {
                over = true;
                LOG.error(
                        "What an operator does to partition {} stops, the log cannot give its messages: {}",
                        request.stretch().partition(),
                        e.getMessage());
                answer.completeExceptionally(
                        new ProtocolException(ErrorCode.INTERNAL, "the log cannot give the messages"));
            }
        }

        private boolean tryIt() {
            appender.requireWritable();
            Optional<Subscription> subscription = find(request.target());
            PartitionDispatch partition = subscription
                    .map(one -> one.partition(request.stretch().partition()))
                    .orElse(null);
            if (partition == null) {
                answer.complete(new Swept(0, 0, request.stretch().end())); // deleted meanwhile
                return true;
            }
            boolean moves = request.action() == Action.SEND_BACK;
            Withdrawal withdrawal = new Withdrawal(
                    partition,
                    state.dispatchContext(),
                    filter,
                    request.stretch().from(),
                    new Withdrawal.Limits(request.stretch().end(), request.max(), OperatorRequest.LOOK_MAX, moves),
                    () -> ready.add(this));
            if (!withdrawal.gather()) {
                return false;
            }
            Offsets offsets = moves ? sendBack(partition, withdrawal.messages()) : all(withdrawal.messages());
            int skipped = withdrawal.messages().size() - (int) Offsets.count(offsets.toRanges());
            finish(subscription.get(), partition, withdrawal, offsets.toRanges(), skipped);
            return true;
        }

        private void finish(
                Subscription subscription,
                PartitionDispatch partition,
                Withdrawal withdrawal,
                List<OffsetRange> ranges,
                int skipped) {
            int done = (int) Offsets.count(ranges);
            Swept swept = new Swept(done, skipped, withdrawal.next());
            if (done == 0) {
                answer.complete(swept);
                return;
            }
            appender.addControl(
                    new Settled(
                            subscription.row().subscription(),
                            partition.partition().id(),
                            ranges),
                    Durability.SYNCED);
            withdrawal.taken(ranges);
            counters.add(
                    request.action() == Action.DROP ? Counter.MESSAGES_DROPPED : Counter.DEAD_LETTERS_SENT_BACK, done);
            appender.whenDurable(OperatorDecisions.done(answer, swept));
        }
    }

    private static Offsets all(List<Withdrawal.Message> messages) {
        Offsets offsets = new Offsets();
        messages.forEach(message -> offsets.add(message.offset()));
        return offsets;
    }

    /** Adds what can be sent back to the open entry: all of it, or, where the disk has no room, nothing. */
    private Offsets sendBack(PartitionDispatch from, List<Withdrawal.Message> messages) {
        Offsets offsets = new Offsets();
        Map<Partition, List<ByteBuffer>> byHome = new LinkedHashMap<>();
        int bytes = 0;
        for (Withdrawal.Message message : messages) {
            Optional<Partition> home = home(message.record());
            if (home.isPresent() && home.get() != from.partition()) {
                ByteBuffer record = DeadLetters.unmarked(message.record());
                byHome.computeIfAbsent(home.get(), none -> new ArrayList<>()).add(record);
                bytes += record.remaining() + RecordBatch.HEADER_LENGTH;
                offsets.add(message.offset());
            }
        }
        appender.requireRoomFor(bytes);
        byHome.forEach((home, records) -> {
            MovedRecords moved = new MovedRecords();
            records.forEach(moved::add);
            moved.append(appender, home, Durability.SYNCED);
        });
        return offsets;
    }

    /**
     * Where a dead letter came from: the partition of its queue in this shard. Where that has several of them, any for a message
     * without a group, and none for one with: its group belongs to one of them, which is not known.
     */
    private Optional<Partition> home(ByteBuffer record) {
        List<Partition> here = AddedProperties.textIn(record, AddedProperties.ORIGIN)
                .flatMap(state.catalogue::find)
                .filter(origin -> origin.kind().isQueue() && !origin.isLeaving())
                .map(Destination::partitions)
                .orElse(List.of());
        boolean grouped = record.getInt(MessageRecord.GROUP_HASH_AT) != 0;
        return here.isEmpty() || grouped && here.size() > 1 ? Optional.empty() : Optional.of(here.get(0));
    }
}
