package io.duramen.simulation.broker;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.Frame;
import io.duramen.protocol.frame.Attach;
import io.duramen.protocol.frame.BranchId;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.Commit.ShardPart;
import io.duramen.protocol.frame.Credit;
import io.duramen.protocol.frame.Deliver;
import io.duramen.protocol.frame.Detach;
import io.duramen.protocol.frame.Drained;
import io.duramen.protocol.frame.EndBranch;
import io.duramen.protocol.frame.EndHalf;
import io.duramen.protocol.frame.Failure;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.protocol.frame.Prepare;
import io.duramen.protocol.frame.PrepareHalf;
import io.duramen.protocol.frame.Publish;
import io.duramen.protocol.frame.Recall;
import io.duramen.protocol.frame.ResolveDestination;
import io.duramen.protocol.frame.Settle;
import io.duramen.protocol.frame.Unsubscribe;
import io.duramen.protocol.record.Deliveries;
import io.duramen.protocol.record.MessageRecord;
import io.duramen.protocol.record.RecordBatch;
import io.duramen.simulation.Simulation;
import io.duramen.simulation.broker.Attachment.Place;
import io.duramen.simulation.broker.Observer.Accepted;
import io.duramen.simulation.broker.Observer.Delivery;
import io.duramen.simulation.broker.Observer.Sent;
import io.duramen.simulation.broker.Observer.TransactionView;
import io.duramen.simulation.message.DeadMark;
import io.duramen.simulation.message.TestMessage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Turns the frames at the server's door into what {@link Observer}s understand. Confined to the simulation. */
final class Watch {
    private record Transaction(long producerId, long sequence) {}

    private record LinkRequest(long link, long correlation) implements Comparable<LinkRequest> {
        @Override
        public int compareTo(LinkRequest other) {
            int order = Long.compare(link, other.link);
            return order != 0 ? order : Long.compare(correlation, other.correlation);
        }
    }

    /** @param shard of a consumer's feed; 0 where that does not matter */
    private record ConsumerName(long linkOrClient, int consumerId, int shard) implements Comparable<ConsumerName> {
        @Override
        public int compareTo(ConsumerName other) {
            int order = Long.compare(linkOrClient, other.linkOrClient);
            order = order != 0 ? order : Integer.compare(consumerId, other.consumerId);
            return order != 0 ? order : Integer.compare(shard, other.shard);
        }
    }

    private final Map<Transaction, TransactionView> committing = new HashMap<>();
    private final Map<Long, TransactionView> branches = new HashMap<>();
    private final Map<BranchId, TransactionView> branchesByName = new HashMap<>();
    private final Simulation simulation;
    private final List<Observer> observers = new ArrayList<>();
    private final TreeMap<LinkRequest, Consumer<Frame>> unanswered = new TreeMap<>();
    private final TreeMap<ConsumerName, Attachment> attachments = new TreeMap<>();
    private final TreeMap<ConsumerName, TreeMap<Place, TestMessage>> given = new TreeMap<>();
    private final TreeMap<Integer, String> destinationOfPartition = new TreeMap<>();
    private long attachmentsMade;

    Watch(Simulation simulation) {
        this.simulation = simulation;
    }

    void add(Observer observer) {
        observers.add(observer);
    }

    void seeking(SubscriptionKey subscription) {
        tell(o -> o.seeking(subscription));
    }

    private void tell(Consumer<Observer> what) {
        for (int i = 0; i < observers.size(); i++) {
            what.accept(observers.get(i));
        }
    }

    void received(SimulatedLink link, Frame frame) {
        note("->", link, frame);
        Record payload = frame.payload();
        if (payload instanceof Publish.Request request) {
            publish(link, frame, request);
        } else if (payload instanceof Commit.Request request) {
            commit(link, frame, request);
        } else if (payload instanceof Prepare.Request request) {
            Commit.Request content = new Commit.Request(
                    request.shard(), 0, 0, 0, request.batches(), request.settlements(), "", request.others());
            TransactionView view = view(link, content);
            branches.put(view.sent().get(0).messages().get(0).transaction(), view);
            branchesByName.put(request.branch(), view);
            tell(o -> o.committing(view));
            whenAnswered(link, frame, answer -> {
                if (refusal(answer).isEmpty()) {
                    tell(o -> o.prepared(view));
                }
            });
        } else if (payload instanceof EndBranch.Request request) {
            TransactionView view = branchesByName.get(request.branch());
            if (view != null) {
                tell(o -> o.branchEnding(view));
            }
            whenAnswered(link, frame, answer -> {});
        } else if (payload instanceof PrepareHalf.Request || payload instanceof EndHalf.Request) {
            half(link, frame);
        } else if (payload instanceof Attach.Request request) {
            attach(link, frame, request);
        } else if (payload instanceof Settle.Request request) {
            settle(link, frame, request);
        } else if (payload instanceof Credit.Push credit) {
            attachment(link, credit.shard(), credit.consumerId()).ifPresent(a -> tell(o -> o.crediting(a, credit)));
        } else if (payload instanceof Detach.Request request) {
            attachment(link, request.shard(), request.consumerId()).ifPresent(this::leave);
            whenAnswered(link, frame, answer -> {});
        } else if (payload instanceof Unsubscribe.Request request) {
            unsubscribe(link, frame, request);
        } else if (frame.kind() == Frame.Kind.REQUEST) {
            whenAnswered(link, frame, answer -> resolved(answer.payload()));
        }
    }

    void handled(SimulatedLink link, Frame frame) {
        if (frame.payload() instanceof Credit.Push credit) {
            attachment(link, credit.shard(), credit.consumerId()).ifPresent(a -> tell(o -> o.credited(a, credit)));
        }
    }

    void sent(SimulatedLink link, Frame frame) {
        note("<-", link, frame);
        if (frame.payload() instanceof Deliver.Push deliver) {
            deliver(link, deliver);
        } else if (frame.payload() instanceof Drained.Push drained) {
            attachment(link, drained.shard(), drained.consumerId()).ifPresent(a -> tell(o -> o.drained(a)));
        } else if (frame.payload() instanceof Recall.Push recall) {
            attachment(link, recall.shard(), recall.consumerId())
                    .ifPresent(a -> tell(o -> {
                        o.drained(a);
                        o.recalled(a);
                    }));
        } else if (frame.kind() != Frame.Kind.PUSH) {
            Consumer<Frame> waiting = unanswered.remove(new LinkRequest(link.id(), frame.correlation()));
            if (waiting == null) {
                throw new AssertionError("an answer to no request: " + frame);
            }
            waiting.accept(frame);
        }
    }

    void disconnected(SimulatedLink link) {
        simulation.note(link.name(), "server notices", link.id(), 0);
        attachments.forEach((name, attachment) -> {
            if (name.linkOrClient == link.id()) {
                leave(attachment);
            }
        });
    }

    /**
     * The server is no more, or no more the one that counts.
     *
     * @param still links of one that goes on though it was succeeded: what was asked over these may be answered
     */
    void succeeded(boolean powerCut, List<SimulatedLink> still) {
        List<Long> living = still.stream().map(SimulatedLink::id).toList();
        unanswered.keySet().removeIf(request -> !living.contains(request.link));
        attachments.values().forEach(Attachment::end);
        attachments.keySet().removeIf(name -> !living.contains(name.linkOrClient));
        tell(o -> o.died(powerCut));
    }

    /** One of the server's shards gets another leader: what a server loses when it dies may be lost of it. */
    void lost() {
        tell(o -> o.died(false));
    }

    void takenBack() {
        tell(Observer::takenBack);
    }

    /** It is dead now. */
    void gone(List<SimulatedLink> links) {
        List<Long> dead = links.stream().map(SimulatedLink::id).toList();
        unanswered.keySet().removeIf(request -> dead.contains(request.link));
        attachments.keySet().removeIf(name -> dead.contains(name.linkOrClient));
    }

    /** @throws AssertionError where no such transaction ever reached the inbox */
    void foundCommitted(Commit.Request request) {
        TransactionView view = committing.get(new Transaction(request.producerId(), request.sequence()));
        if (view == null) {
            throw new AssertionError(request + " is said to have committed and never arrived");
        }
        tell(o -> o.foundCommitted(view));
    }

    void rolledBack(long transaction) {
        simulation.note("client", "is told of a rollback", transaction, 0);
        tell(o -> o.rolledBack(transaction));
    }

    void branchCommitted(long transaction) {
        simulation.note("client", "is told of a branch's commit", transaction, 0);
        tell(o -> o.branchCommitted(transaction));
        tell(o -> o.foundCommitted(branches.get(transaction)));
    }

    void atRest() {
        tell(Observer::atRest);
    }

    private void leave(Attachment attachment) {
        attachment.end();
        tell(o -> o.left(attachment));
    }

    private void publish(SimulatedLink link, Frame frame, Publish.Request request) {
        String destination = destination(request.partition());
        List<TestMessage> messages = messagesOf(request.batch());
        tell(o -> o.publishing(request, destination, messages));
        whenAnswered(link, frame, answer -> tell(o -> o.published(request, destination, messages, refusal(answer))));
    }

    private void commit(SimulatedLink link, Frame frame, Commit.Request request) {
        TransactionView view = view(link, request);
        committing.put(new Transaction(request.producerId(), request.sequence()), view);
        tell(o -> o.committing(view));
        whenAnswered(link, frame, answer -> tell(o -> o.committed(view, refusal(answer))));
    }

    /** The low half of its id says who sends it. */
    private void half(SimulatedLink link, Frame frame) {
        if (frame.payload() instanceof EndHalf.Request end) {
            tell(o -> o.halfEnding(end.id().low(), end.confirm()));
            whenAnswered(link, frame, answer -> tell(o -> o.halfEnded(end.id().low(), end.confirm(), refusal(answer))));
        } else if (frame.payload() instanceof PrepareHalf.Request prepare) {
            boolean stores = !prepare.batches().isEmpty();
            if (stores) {
                tell(o -> o.halfPreparing(prepare.id().low()));
            }
            whenAnswered(link, frame, answer -> {
                if (stores && refusal(answer).isEmpty()) {
                    tell(o -> o.halfPrepared(prepare.id().low()));
                }
            });
        }
    }

    private TransactionView view(SimulatedLink link, Commit.Request request) {
        List<Sent> sent = new ArrayList<>();
        List<Accepted> accepted = new ArrayList<>();
        view(link, new ShardPart(request.shard(), request.batches(), request.settlements()), sent, accepted);
        request.others().forEach(part -> view(link, part, sent, accepted));
        return new TransactionView(request, sent, accepted);
    }

    private void view(SimulatedLink link, ShardPart part, List<Sent> sent, List<Accepted> accepted) {
        for (Commit.PartitionBatch batch : part.batches()) {
            sent.add(new Sent(destination(batch.partition()), batch.partition(), messagesOf(batch.batch())));
        }
        for (Commit.ConsumerSettlement settlement : part.settlements()) {
            Attachment by =
                    attachment(link, part.shard(), settlement.consumerId()).orElseThrow();
            for (Place place : Attachment.places(settlement.partition(), settlement.ranges())) {
                accepted.add(new Accepted(by, place, by.given(place)));
            }
        }
    }

    private void attach(SimulatedLink link, Frame frame, Attach.Request request) {
        ConsumerName name = new ConsumerName(link.id(), request.consumerId(), request.shard());
        long number = ++attachmentsMade;
        SubscriptionKey key = SubscriptionKey.of(request, link.clientId().orElse(""), number);
        Attachment attachment = new Attachment(
                number,
                link,
                request.consumerId(),
                key,
                given.computeIfAbsent(
                        new ConsumerName(link.clientNumber(), request.consumerId(), 0), n -> new TreeMap<>()));
        attachments.put(name, attachment);
        tell(o -> o.attaching(attachment, request));
        whenAnswered(link, frame, answer -> {
            if (answer.payload() instanceof Attach.Response response) {
                tell(o -> o.attached(attachment, request, response));
            } else {
                attachment.end();
            }
        });
    }

    private void settle(SimulatedLink link, Frame frame, Settle.Request request) {
        Optional<Attachment> by = attachment(link, request.shard(), request.consumerId());
        by.ifPresent(attachment -> tell(o -> o.settling(attachment, request)));
        whenAnswered(link, frame, answer -> {
            if (by.isPresent() && answer.payload() instanceof Settle.Response response) {
                tell(o -> o.settled(by.get(), request, response));
            }
        });
    }

    private void unsubscribe(SimulatedLink link, Frame frame, Unsubscribe.Request request) {
        whenAnswered(link, frame, answer -> {
            if (answer.kind() == Frame.Kind.RESPONSE) {
                String clientId = link.clientId().orElse("");
                for (Attach.SubscriptionKind kind : Attach.SubscriptionKind.values()) {
                    tell(o -> o.unsubscribed(new SubscriptionKey("", kind, clientId, request.subscriptionName(), 0)));
                }
            }
        });
    }

    private void deliver(SimulatedLink link, Deliver.Push push) {
        Attachment to = attachment(link, push.shard(), push.consumerId())
                .orElseThrow(() -> new AssertionError("a delivery to no consumer: " + push));
        if (link.hasEndedWithAShard() && !to.subscription().isDurable()) {
            return; // the observers take it for gone, as it will be once the shard hears of it
        }
        Deliveries.forEach(push.deliveries(), push.count(), (offset, count, record) -> {
            Delivery delivery = new Delivery(
                    new Place(push.partition(), offset),
                    count,
                    record.remaining(),
                    TestMessage.read(record),
                    DeadMark.read(record));
            simulation.note("delivery", delivery, to.number(), offset << 16 | delivery.count());
            tell(o -> o.delivering(to, delivery));
            to.give(delivery.place(), delivery.message());
        });
    }

    private void resolved(Record answer) {
        if (answer instanceof ResolveDestination.Response response) {
            for (PartitionRef partition : response.partitions()) {
                destinationOfPartition.put(partition.partition(), response.name());
            }
        }
    }

    private void whenAnswered(SimulatedLink link, Frame frame, Consumer<Frame> then) {
        unanswered.put(new LinkRequest(link.id(), frame.correlation()), then);
    }

    private Optional<Attachment> attachment(SimulatedLink link, int shard, int consumerId) {
        return Optional.ofNullable(attachments.get(new ConsumerName(link.id(), consumerId, shard)));
    }

    private String destination(int partition) {
        return destinationOfPartition.get(partition);
    }

    private static Optional<ErrorCode> refusal(Frame answer) {
        return answer.payload() instanceof Failure failure
                ? Optional.of(ErrorCode.of(failure.code()))
                : Optional.empty();
    }

    private static List<TestMessage> messagesOf(ByteBuffer batch) {
        List<TestMessage> messages = new ArrayList<>();
        int at = batch.position() + RecordBatch.HEADER_LENGTH;
        for (int i = RecordBatch.count(batch); i > 0; i--) {
            messages.add(TestMessage.read(batch.duplicate().position(at)));
            at += batch.getInt(at + MessageRecord.LENGTH_AT) + 4;
        }
        return messages;
    }

    private void note(String direction, SimulatedLink link, Frame frame) {
        simulation.note(
                link.name(),
                new FrameText(direction, frame),
                link.id(),
                frame.correlation() << 8 | frame.api().number());
    }

    /** Made only where the trace is shown. */
    private record FrameText(String direction, Frame frame) {
        @Override
        public String toString() {
            Record payload = frame.payload();
            if (payload instanceof Publish.Request publish) {
                return direction + " Publish " + publish.acks() + " p" + publish.partition() + " "
                        + messagesOf(publish.batch());
            }
            if (payload instanceof Commit.Request commit) {
                return direction + " Commit #" + commit.sequence() + " " + commit.settlements() + ", others in "
                        + commit.others().stream().map(ShardPart::shard).toList();
            }
            if (payload instanceof Deliver.Push push) {
                return direction + " Deliver p" + push.partition() + " to " + push.consumerId();
            }
            return direction + " " + frame.kind() + " " + frame.api() + " " + payload;
        }
    }
}
