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
import io.duramen.protocol.Api;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.OffsetRange;
import io.duramen.protocol.frame.PartitionRef;
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
    private final SpanningDecisions spanning;
    private final SettleDecisions settling;
    private final ArrayDeque<Job> ready = new ArrayDeque<>();

    OperatorSweeps(
            ShardState state,
            Appender appender,
            Selecting selecting,
            ShardCounters counters,
            SpanningDecisions spanning,
            SettleDecisions settling) {
        this.state = state;
        this.appender = appender;
        this.selecting = selecting;
        this.counters = counters;
        this.spanning = spanning;
        this.settling = settling;
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
        return find(state, request.target())
                .map(subscription -> subscription.partitions().stream()
                        .map(one -> new Stretch(
                                one.partition().id(),
                                one.cursor().settledBelow(),
                                one.partition().nextOffset()))
                        .toList())
                .orElse(List.of());
    }

    /** Whose messages; empty where it is not in this shard. */
    static Optional<Subscription> find(ShardState state, Target target) {
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
        boolean goes = request.action() == Action.MOVE || request.action() == Action.COPY;
        if (goes == request.to().isEmpty()) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST, "what is moved or copied, and nothing else, has somewhere to go");
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
            Optional<Subscription> subscription = find(state, request.target());
            PartitionDispatch partition = subscription
                    .map(one -> one.partition(request.stretch().partition()))
                    .orElse(null);
            if (partition == null) {
                answer.complete(new Swept(0, 0, request.stretch().end())); // deleted meanwhile
                return true;
            }
            Withdrawal withdrawal = new Withdrawal(
                    partition,
                    state.dispatchContext(),
                    filter,
                    request.stretch().from(),
                    new Withdrawal.Limits(
                            request.stretch().end(),
                            request.max(),
                            OperatorRequest.LOOK_MAX,
                            request.action() != Action.DROP),
                    () -> ready.add(this));
            if (!withdrawal.gather()) {
                return false;
            }
            carryOut(subscription.get(), partition, withdrawal);
            return true;
        }

        private void carryOut(Subscription subscription, PartitionDispatch partition, Withdrawal withdrawal) {
            switch (request.action()) {
                case DROP ->
                    settle(subscription, partition, withdrawal, all(withdrawal.messages()), Counter.MESSAGES_DROPPED);
                case SEND_BACK ->
                    settle(
                            subscription,
                            partition,
                            withdrawal,
                            sendBack(partition, withdrawal.messages()),
                            Counter.DEAD_LETTERS_SENT_BACK);
                case EXPIRE ->
                    settle(
                            subscription,
                            partition,
                            withdrawal,
                            expire(subscription, withdrawal.messages()),
                            Counter.MESSAGES_DROPPED);
                case MOVE, COPY -> transfer(subscription, partition, withdrawal);
            }
        }

        private Swept swept(Withdrawal withdrawal, List<OffsetRange> ranges) {
            int done = (int) Offsets.count(ranges);
            return new Swept(done, withdrawal.messages().size() - done, withdrawal.next());
        }

        private void settle(
                Subscription subscription,
                PartitionDispatch partition,
                Withdrawal withdrawal,
                Offsets offsets,
                Counter counter) {
            List<OffsetRange> ranges = offsets.toRanges();
            Swept swept = swept(withdrawal, ranges);
            if (swept.done() == 0) {
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
            counters.add(counter, swept.done());
            appender.whenDurable(OperatorDecisions.done(answer, swept));
        }

        /** Moves or copies: within the shard in one entry, to another as a transaction does. */
        private void transfer(Subscription subscription, PartitionDispatch partition, Withdrawal withdrawal) {
            PartitionRef to = request.to().stream()
                    .filter(place -> place.shard() == state.dispatchContext().shard())
                    .findFirst()
                    .orElse(request.to().get(0));
            boolean here = to.shard() == state.dispatchContext().shard();
            MovedRecords records = new MovedRecords();
            Offsets offsets = new Offsets();
            for (Withdrawal.Message message : withdrawal.messages()) {
                if (mayGo(message.record(), here)) {
                    records.add(asItWas(message.record()));
                    offsets.add(message.offset());
                }
            }
            List<OffsetRange> ranges = offsets.toRanges();
            Swept swept = swept(withdrawal, ranges);
            boolean moves = request.action() == Action.MOVE;
            if (swept.done() == 0) {
                answer.complete(swept);
            } else if (!here) {
                CompletableFuture<Boolean> done = new CompletableFuture<>();
                begin(
                        new OperatorMove.Place(subscription, partition, withdrawal, moves ? ranges : List.of()),
                        to,
                        records,
                        done);
                done.whenComplete((yes, refusal) -> {
                    if (refusal == null) {
                        counters.add(moves ? Counter.MESSAGES_MOVED : Counter.MESSAGES_COPIED, swept.done());
                        answer.complete(swept);
                    } else {
                        answer.completeExceptionally(refusal);
                    }
                });
            } else {
                Partition target = state.storable(to.partition());
                state.capacity.require(target, records.amount());
                records.append(appender, target, Durability.SYNCED);
                if (moves) {
                    settle(subscription, partition, withdrawal, offsets, Counter.MESSAGES_MOVED);
                } else {
                    counters.add(Counter.MESSAGES_COPIED, swept.done());
                    appender.whenDurable(OperatorDecisions.done(answer, swept));
                }
            }
        }

        private void begin(
                OperatorMove.Place from, PartitionRef to, MovedRecords records, CompletableFuture<Boolean> done) {
            OperatorConnection operator = new OperatorConnection(done);
            spanning.begin(
                    new OperatorMove(state, appender, operator, from, to, records),
                    new Reply(operator, Api.COMMIT, 0, true));
            from.withdrawal().taken(from.settled());
        }

        /** A large body stays in its shard; where a group belongs is for its producers to say. */
        private boolean mayGo(ByteBuffer record, boolean here) {
            boolean grouped = record.getInt(MessageRecord.GROUP_HASH_AT) != 0;
            return (here || !MessageRecord.isLarge(record, 0))
                    && (!grouped || request.to().size() == 1);
        }
    }

    /** The record as it was, which is no repeat of itself. */
    private static ByteBuffer asItWas(ByteBuffer record) {
        byte flags = record.get(MessageRecord.FLAGS_AT);
        return record.put(MessageRecord.FLAGS_AT, (byte) (flags & ~MessageRecord.FLAG_DEDUP));
    }

    private Offsets expire(Subscription subscription, List<Withdrawal.Message> messages) {
        if (!settling.expireNow(
                subscription, messages.stream().map(Withdrawal.Message::record).toList())) {
            throw new ProtocolException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "the queue for expired messages is not there yet, or has no room; the messages are where they were");
        }
        return all(messages);
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
        Map<Partition, MovedRecords> moved = new LinkedHashMap<>();
        byHome.forEach((home, records) -> {
            records.forEach(moved.computeIfAbsent(home, none -> new MovedRecords())::add);
            state.capacity.require(home, moved.get(home).amount());
        });
        appender.requireRoomFor(bytes);
        moved.forEach((home, records) -> records.append(appender, home, Durability.SYNCED));
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
