package io.duramen.jms.session;

import io.duramen.jms.delivery.Feed;
import io.duramen.jms.delivery.Flow;
import io.duramen.jms.delivery.Subscribing;
import io.duramen.jms.destination.DuramenDestination;
import io.duramen.jms.destination.DuramenTemporaryQueue;
import io.duramen.jms.destination.DuramenTemporaryTopic;
import io.duramen.jms.link.Call;
import io.duramen.jms.link.FrameSink;
import io.duramen.jms.link.JmsErrors;
import io.duramen.jms.link.Link;
import io.duramen.jms.link.LinkListener;
import io.duramen.jms.link.LinkLostException;
import io.duramen.jms.link.ReconnectingLink;
import io.duramen.jms.link.Reply;
import io.duramen.jms.publishing.CallbackThread;
import io.duramen.jms.publishing.DirectOutbox;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.CreateTemporary;
import io.duramen.protocol.frame.DeleteDestination;
import io.duramen.protocol.frame.Deliver;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.Drained;
import io.duramen.protocol.frame.EndConsumer;
import io.duramen.protocol.frame.Recall;
import io.duramen.protocol.frame.ResolveDestination;
import jakarta.jms.ExceptionListener;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import java.security.SecureRandom;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Thread-safe. What the sessions of one connection share towards the node: the link, who is to get which frame, the
 * destinations looked up and the temporary ones made; and what must be said again after a reconnect.
 */
final class Conversation implements LinkListener {
    private static final Logger LOG = LoggerFactory.getLogger(Conversation.class);
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Who answers requests meets others' temporary destinations without end: so many are remembered at most. */
    static final int FOREIGN_MAX = 1024;

    private final long incarnation = randomId();
    private final CallbackThread callbacks = new CallbackThread("duramen-callbacks");
    private final Map<Integer, DirectOutbox> outboxes = new ConcurrentHashMap<>();
    private final Map<DuramenDestination, Partitions> resolved = new ConcurrentHashMap<>();

    /** As this connection found them first, of destinations that others may give further ones. */
    private final Map<DuramenDestination, Partitions> first = new ConcurrentHashMap<>();

    private final Map<String, DestinationKind> temporaries = new ConcurrentHashMap<>();
    /** Temporary destinations of others that were looked up since those were forgotten last. */
    private final AtomicInteger foreign = new AtomicInteger();

    private final AtomicInteger lastOwner = new AtomicInteger(-1);
    private volatile ExceptionListener exceptionListener;
    private final ConsumerFeeds feeds;
    private volatile Link link;

    /** On how many nodes destinations are to be that this connection makes; 0 for what the node's settings say. */
    private final int replicas;

    /** Whether it was said that a node does not hear of {@link #replicas}. */
    private final AtomicBoolean saidUnheard = new AtomicBoolean();

    private Conversation(ConnectionSettings settings) {
        replicas = settings.replicas();
        feeds = new ConsumerFeeds(this::link, settings.backoff(), this::report);
    }

    static Conversation open(ConnectionSettings settings) throws JMSException {
        Conversation conversation = new Conversation(settings);
        String name = settings.clientId().isEmpty() ? conversation.publisher() : settings.clientId();
        try {
            conversation.link = ReconnectingLink.open(settings.link(), conversation, name, conversation.incarnation);
        } catch (JMSException e) {
            conversation.callbacks.close();
            throw e;
        }
        return conversation;
    }

    /** A random number that is not 0. */
    static long randomId() {
        long id = RANDOM.nextLong();
        return id != 0 ? id : 1;
    }

    Link link() {
        return link;
    }

    CallbackThread callbacks() {
        return callbacks;
    }

    void identify(String clientId) throws JMSException {
        link.identify(clientId, incarnation);
    }

    /** A name that no client id is and no other connection has. */
    String publisher() {
        return ReconnectingLink.madeUpName(incarnation);
    }

    ExceptionListener exceptionListener() {
        return exceptionListener;
    }

    void exceptionListener(ExceptionListener listener) {
        exceptionListener = listener;
    }

    int nextOwner() {
        return lastOwner.incrementAndGet();
    }

    void add(int owner, DirectOutbox outbox) {
        outboxes.put(owner, outbox);
    }

    void remove(int owner) {
        outboxes.remove(owner);
    }

    /** Makes a feed for a new consumer, attaches it and waits for the answer. */
    Feed attach(DuramenDestination destination, Subscribing.Choice choice, Flow flow, String publisher)
            throws JMSException {
        if (destination.kind().isTemporary()) {
            checkTemporary(destination, choice);
        }
        TreeSet<Integer> shards = new TreeSet<>();
        partitions(destination).all().forEach(partition -> shards.add(partition.shard()));
        try {
            return feeds.attach(new ConsumerFeeds.Source(destination, shards, publisher), choice, flow);
        } catch (InvalidDestinationException e) {
            forget(destination); // deleted since: the next attempt asks anew
            throw e;
        }
    }

    private void checkTemporary(DuramenDestination destination, Subscribing.Choice choice) throws JMSException {
        if (choice.subscription() != SubscriptionKind.QUEUE
                && choice.subscription().isDurable()) {
            throw new InvalidDestinationException("no durable subscription on temporary topic " + destination);
        }
        if (!isOwnTemporary(destination)) {
            throw new InvalidDestinationException(
                    "temporary destination " + destination + " belongs to another connection, or is deleted");
        }
    }

    // ---- destinations ----------------------------------------------------------------------------------------------

    /** Where a destination's partitions live; asked once, and created there where absent and allowed. */
    Partitions partitions(DuramenDestination destination) throws JMSException {
        Partitions known = resolved.get(destination);
        return known != null ? known : resolve(destination, !destination.kind().isTemporary());
    }

    /**
     * As {@link #partitions}, asked anew: further ones may have come since, to which no producer of this connection sends.
     *
     * @throws InvalidDestinationException where one that was known is deleted; it is to be {@link #forget forgotten}
     */
    Partitions partitionsNow(DuramenDestination destination) throws JMSException {
        return destination.kind().isTemporary() || !resolved.containsKey(destination)
                ? partitions(destination)
                : resolve(destination, false);
    }

    private Partitions resolve(DuramenDestination destination, boolean create) throws JMSException {
        ResolveDestination.Response answer = Call.ask(
                link,
                new ResolveDestination.Request(
                        destination.getName(), destination.kind(), create, create ? replicas : 0),
                ResolveDestination.Response.class);
        if (create && replicas > 0) {
            checkReplicasAreSaid();
        }
        Partitions found = Partitions.of(answer);
        Partitions partitions = destination.kind().isTemporary()
                ? found
                : found.since(first.merge(destination, found, (before, now) -> now.goesOn(before) ? before : now));
        resolved.put(destination, partitions);
        if (destination.kind().isTemporary() && foreign.incrementAndGet() % FOREIGN_MAX == 0) {
            resolved.keySet().removeIf(each -> each.kind().isTemporary() && !isOwnTemporary(each));
        }
        return partitions;
    }

    /** A node of an earlier release is not told how many replicas are wanted: it says so once, and goes on. */
    private void checkReplicasAreSaid() {
        int version = link.limits().version();
        if (version < ResolveDestination.REPLICAS_SINCE && saidUnheard.compareAndSet(false, true)) {
            LOG.warn(
                    "replicas={} is not heard: the node speaks version {} of the protocol, which has no such thing. Destinations"
                            + " that are made there are on as many nodes as its settings say",
                    replicas,
                    version);
        }
    }

    /** How many destinations it knows where to find. */
    int resolvedCount() {
        return resolved.size();
    }

    void forget(DuramenDestination destination) {
        resolved.remove(destination);
    }

    TemporaryQueue createTemporaryQueue() throws JMSException {
        return new DuramenTemporaryQueue(createTemporary(DestinationKind.TEMPORARY_QUEUE), this::deleteTemporary);
    }

    TemporaryTopic createTemporaryTopic() throws JMSException {
        return new DuramenTemporaryTopic(createTemporary(DestinationKind.TEMPORARY_TOPIC), this::deleteTemporary);
    }

    /** @return the name of a new temporary destination */
    private String createTemporary(DestinationKind kind) throws JMSException {
        String name = "temp." + Long.toHexString(randomId()) + Long.toHexString(randomId());
        ResolveDestination.Response answer =
                Call.ask(link, new CreateTemporary.Request(kind, name, incarnation), ResolveDestination.Response.class);
        temporaries.put(name, kind);
        resolved.put(DuramenDestination.of(kind, name), Partitions.of(answer));
        return name;
    }

    private void deleteTemporary(DuramenDestination temporary) throws JMSException {
        Call.remove(link, new DeleteDestination.Request(temporary.getName()), ErrorCode.DESTINATION_NOT_FOUND);
        temporaries.remove(temporary.getName());
        resolved.remove(temporary);
    }

    boolean isOwnTemporary(DuramenDestination destination) {
        return temporaries.containsKey(destination.getName());
    }

    // ---- the link's thread -----------------------------------------------------------------------------------------

    @Override
    public void onDeliver(Deliver.Push deliver) {
        feeds.onDeliver(deliver);
    }

    @Override
    public void onDrained(Drained.Push drained) {
        feeds.onDrained(drained);
    }

    @Override
    public void onRecall(Recall.Push recall) {
        feeds.onRecall(recall);
    }

    @Override
    public void onEndConsumer(EndConsumer.Push end) {
        feeds.onEnd(end);
    }

    @Override
    public void onRefusal(int owner, ProtocolException refusal) {
        DirectOutbox outbox = outboxes.get(owner);
        if (refusal.code() == ErrorCode.DESTINATION_NOT_FOUND) {
            resolved.clear();
        }
        if (outbox != null) {
            outbox.onRefusal(refusal);
        } else {
            report(JmsErrors.of(refusal));
        }
    }

    @Override
    public void onLost(LinkLostException cause) {
        resolved.clear();
        feeds.onLost();
    }

    @Override
    public void onResume(FrameSink sink) {
        temporaries.forEach((name, kind) ->
                sink.request(new CreateTemporary.Request(kind, name, incarnation), new Recreated(name)));
        feeds.onResume(sink);
    }

    @Override
    public void onGivenUp(LinkLostException cause) {
        feeds.fail(cause);
        report(JmsErrors.of(cause));
    }

    /** Tells the ExceptionListener, on the callback thread. */
    void report(JMSException problem) {
        callbacks.run(() -> {
            ExceptionListener listener = exceptionListener;
            if (listener != null) {
                listener.onException(problem); // which may close the connection
            } else {
                LOG.warn("No ExceptionListener was told: {}", problem.toString());
            }
        });
    }

    void close() {
        link.close();
        callbacks.close();
    }

    /** The answer to a temporary destination made again; {@link #onResume} repeats it, not the link. */
    private final class Recreated implements Reply {
        private final String name;

        Recreated(String name) {
            this.name = name;
        }

        @Override
        public void answered(Record response) {
            LOG.debug("Temporary destination {} is there again", name);
        }

        @Override
        public void failed(RuntimeException cause) {
            if (cause instanceof ProtocolException) {
                report(JmsErrors.of(cause));
            }
        }

        @Override
        public boolean sentAgain() {
            return false;
        }
    }
}
