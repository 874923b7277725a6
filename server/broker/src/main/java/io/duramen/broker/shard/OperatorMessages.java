package io.duramen.broker.shard;

import io.duramen.broker.destination.Partition;
import io.duramen.broker.selector.MessageFilter;
import io.duramen.broker.shard.OperatorRequest.ConsumerEntry;
import io.duramen.broker.shard.OperatorRequest.ConsumersPage;
import io.duramen.broker.shard.OperatorRequest.Holder;
import io.duramen.broker.shard.OperatorRequest.Look;
import io.duramen.broker.shard.OperatorRequest.Seen;
import io.duramen.broker.shard.OperatorRequest.SeenMessage;
import io.duramen.broker.shard.OperatorRequest.Store;
import io.duramen.broker.shard.OperatorRequest.TakeBack;
import io.duramen.broker.subscription.Consumer;
import io.duramen.broker.subscription.PartitionDispatch;
import io.duramen.broker.subscription.Peek;
import io.duramen.broker.subscription.Subscription;
import io.duramen.log.DamagedLogException;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.record.MessageRecord;
import io.duramen.replication.ReplicatedLog.Durability;
import io.duramen.runtime.Clock;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What an operator sees of messages, takes back from consumers, and sends. Confined to the agent. */
final class OperatorMessages {
    private static final Logger LOG = LoggerFactory.getLogger(OperatorMessages.class);

    private static final Comparator<ConsumerEntry> BY_PLACE =
            Comparator.comparingLong(ConsumerEntry::connection).thenComparing(ConsumerEntry::subscription);

    private final ShardState state;
    private final Appender appender;
    private final Selecting selecting;
    private final SettleDecisions settling;
    private final Clock clock;
    private final ArrayDeque<Page> ready = new ArrayDeque<>();

    OperatorMessages(ShardState state, Appender appender, Selecting selecting, SettleDecisions settling, Clock clock) {
        this.clock = clock;
        this.state = state;
        this.appender = appender;
        this.selecting = selecting;
        this.settling = settling;
    }

    int doWork() {
        int work = ready.size();
        for (int i = work; i > 0; i--) {
            ready.poll().read();
        }
        return work;
    }

    // ---- looking ---------------------------------------------------------------------------------------------------

    void look(Look request, CompletableFuture<Seen> answer) {
        if (request.bodyBytes() < 0 || request.bodyBytes() > Look.BODY_MAX) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST,
                    request.bodyBytes() + " bytes of a body: 0 to " + Look.BODY_MAX + " are shown");
        }
        MessageFilter filter = selecting.filter(request.selector());
        Optional<Subscription> subscription = OperatorSweeps.find(state, request.target());
        PartitionDispatch partition = subscription
                .map(one -> one.partition(request.stretch().partition()))
                .orElse(null);
        if (partition == null) {
            answer.complete(new Seen(List.of(), request.stretch().end()));
            return;
        }
        new Page(request, partition, filter, answer).read();
    }

    /** One request, on its way. */
    private final class Page {
        private final Look request;
        private final CompletableFuture<Seen> answer;
        private final Peek peek;

        Page(Look request, PartitionDispatch partition, MessageFilter filter, CompletableFuture<Seen> answer) {
            this.request = request;
            this.answer = answer;
            this.peek = new Peek(
                    partition,
                    state.dispatchContext(),
                    filter,
                    request.stretch().from(),
                    new Peek.Limits(
                            request.stretch().end(),
                            request.max(),
                            OperatorRequest.LOOK_MAX,
                            request.bodyBytes(),
                            request.heldOnly()),
                    () -> ready.add(this));
        }

        void read() {
            try {
                if (!answer.isDone() && peek.look(clock.nanos())) {
                    answer.complete(new Seen(
                            peek.messages().stream().map(OperatorMessages::seen).toList(), peek.next()));
                }
            } catch (DamagedLogException e) {
                LOG.error(
                        "An operator's look at partition {} stops, the log cannot give its messages: {}",
                        request.stretch().partition(),
                        e.getMessage());
                answer.completeExceptionally(
                        new ProtocolException(ErrorCode.INTERNAL, "the log cannot give the messages"));
            }
        }
    }

    private static SeenMessage seen(Peek.Message message) {
        return new SeenMessage(
                message.offset(),
                message.record(),
                message.deliveries(),
                message.standing(),
                Optional.ofNullable(message.holder()).map(holder -> holder(holder, message.heldNanos())));
    }

    private static Holder holder(Consumer consumer, long heldNanos) {
        long heldMillis = heldNanos < 0 ? -1 : TimeUnit.NANOSECONDS.toMillis(heldNanos);
        if (consumer.outbound() instanceof ToClient to) {
            ClientConnection client = to.connection();
            return new Holder(client.id(), client.user(), client.clientId().orElse(""), consumer.id(), heldMillis);
        }
        return new Holder(0, "", "", consumer.id(), heldMillis);
    }

    /** Keeps no more of them in memory than the page has, and one. */
    ConsumersPage consumers(OperatorRequest.ListConsumers request) {
        ConsumerEntry from = new ConsumerEntry(request.connection(), "", "", request.subscription(), 0, 0);
        TreeMap<ConsumerEntry, ConsumerEntry> first = new TreeMap<>(BY_PLACE);
        for (Subscription subscription : state.subscriptions.of(request.destination())) {
            for (Consumer consumer : subscription.attached()) {
                Holder who = holder(consumer, 0);
                ConsumerEntry one = new ConsumerEntry(
                        who.connection(),
                        who.user(),
                        who.clientId(),
                        subscription.row().name(),
                        1,
                        consumer.leases());
                if (BY_PLACE.compare(one, from) > 0) {
                    first.merge(one, one, OperatorMessages::both);
                    if (first.size() > request.limit() + 1) {
                        first.pollLastEntry();
                    }
                }
            }
        }
        boolean more = first.size() > request.limit();
        if (more) {
            first.pollLastEntry();
        }
        return new ConsumersPage(List.copyOf(first.values()), more);
    }

    private static ConsumerEntry both(ConsumerEntry one, ConsumerEntry other) {
        return new ConsumerEntry(
                one.connection(),
                one.user(),
                one.clientId(),
                one.subscription(),
                one.consumers() + other.consumers(),
                one.held() + other.held());
    }

    /** Looks at a page of subscriptions, which ends early behind one with which it has looked at many leases. */
    OperatorRequest.StuckPage stuck(OperatorRequest.FindStuck request) {
        List<OperatorRequest.Stuck> stuck = new ArrayList<>();
        int looked = 0;
        int leases = 0;
        for (Subscription subscription : state.subscriptions.durablesBehind(request.after())) {
            int id = subscription.row().subscription();
            if (subscription.consumers() > 0) {
                for (PartitionDispatch partition : subscription.partitions()) {
                    leases += Peek.leases(partition);
                    stuck(subscription, partition, request, stuck);
                }
            }
            if (++looked == OperatorRequest.PAGE_MAX || leases >= OperatorRequest.LOOK_MAX) {
                return new OperatorRequest.StuckPage(stuck, id);
            }
        }
        return new OperatorRequest.StuckPage(stuck, -1);
    }

    private void stuck(
            Subscription subscription,
            PartitionDispatch partition,
            OperatorRequest.FindStuck request,
            List<OperatorRequest.Stuck> to) {
        Peek.Held held =
                Peek.longestHeld(partition, TimeUnit.MILLISECONDS.toNanos(request.longerThanMillis()), clock.nanos());
        if (held != null) {
            to.add(new OperatorRequest.Stuck(
                    subscription.destination().name(),
                    subscription.row().name(),
                    partition.partition().id(),
                    held.offset(),
                    holder(held.holder(), held.heldNanos())));
        }
    }

    // ---- taking back, and sending ----------------------------------------------------------------------------------

    void takeBack(TakeBack request, CompletableFuture<Boolean> answer) {
        PartitionDispatch partition = OperatorSweeps.find(state, request.target())
                .map(one -> one.partition(request.partition()))
                .orElseThrow(() -> new ProtocolException(
                        ErrorCode.DESTINATION_NOT_FOUND, "partition " + request.partition() + " is none of it"));
        Consumer holder = Peek.holder(partition, request.offset());
        if (holder == null) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST,
                    "no consumer holds message " + request.partition() + ":" + request.offset());
        }
        settling.takeBack(holder, partition, request.offset(), "taken back by an operator");
        appender.whenDurable(OperatorDecisions.done(answer, true));
    }

    void store(Store request, CompletableFuture<Boolean> answer) {
        Partition partition = state.storable(request.partition());
        ByteBuffer record = request.record();
        int notBySelf = MessageRecord.FLAG_LARGE | MessageRecord.FLAG_DEDUP | MessageRecord.FLAG_USER_ID;
        if (MessageRecord.check(record, 0) != record.remaining()
                || (record.get(MessageRecord.FLAGS_AT) & notBySelf) != 0) {
            throw new ProtocolException(ErrorCode.INVALID_REQUEST, "what is to be sent is not one plain message");
        }
        MovedRecords records = new MovedRecords();
        records.add(record);
        state.capacity.require(partition, records.amount());
        records.append(appender, partition, Durability.SYNCED);
        appender.whenDurable(OperatorDecisions.done(answer, true));
    }
}
