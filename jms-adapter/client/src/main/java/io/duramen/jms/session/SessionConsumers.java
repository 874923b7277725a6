package io.duramen.jms.session;

import io.duramen.jms.body.BodyFetcher;
import io.duramen.jms.delivery.ConsumerFeed;
import io.duramen.jms.delivery.Delivery;
import io.duramen.jms.delivery.Feed;
import io.duramen.jms.delivery.Flow;
import io.duramen.jms.delivery.Owing;
import io.duramen.jms.delivery.Settlement;
import io.duramen.jms.delivery.Subscribing;
import io.duramen.jms.destination.DuramenDestination;
import io.duramen.jms.link.JmsErrors;
import io.duramen.jms.message.DuramenMessage;
import io.duramen.jms.message.MessageDecoder;
import io.duramen.protocol.MalformedFrameException;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.record.LargeBody;
import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The receiving side of a session: its consumers, and the feeds behind them, which outlive a consumer as long as they
 * owe a settlement. One thread at a time, as the session; {@link #flowing}, {@link #close} and {@link #detachAll} come
 * from any.
 */
final class SessionConsumers {
    private static final Logger LOG = LoggerFactory.getLogger(SessionConsumers.class);

    private final DuramenSession session;
    private final Conversation conversation;
    private final Set<DuramenConsumer> consumers = ConcurrentHashMap.newKeySet();
    private final Map<Integer, Feed> feeds = new ConcurrentHashMap<>();
    private final AtomicInteger listeners = new AtomicInteger();

    SessionConsumers(DuramenSession session, Conversation conversation) {
        this.session = session;
        this.conversation = conversation;
    }

    // ---- creating --------------------------------------------------------------------------------------------------

    /** @throws JMSException where the name is missing */
    static Subscribing.Choice named(SubscriptionKind kind, String name, String selector, boolean noLocal)
            throws JMSException {
        return new Subscribing.Choice(kind, checkedName(name), text(selector), noLocal);
    }

    static Subscribing.Choice unnamed(DuramenDestination destination, String selector, boolean noLocal) {
        boolean queue = destination.kind().isQueue();
        SubscriptionKind kind = queue ? SubscriptionKind.QUEUE : SubscriptionKind.EXCLUSIVE;
        return new Subscribing.Choice(kind, "", text(selector), noLocal && !queue);
    }

    static String checkedName(String name) throws JMSException {
        if (name == null || name.isEmpty()) {
            throw new JMSException("a named subscription needs a name");
        }
        return name;
    }

    private static String text(String selector) {
        return selector == null ? "" : selector.trim();
    }

    DuramenConsumer consume(DuramenDestination destination, Subscribing.Choice choice) throws JMSException {
        DuramenConnection connection = session.connection();
        Flow flow = session.acknowledgement().flow(connection.settings());
        Feed feed = conversation.attach(
                destination,
                choice,
                destination.kind().isTemporary() ? flow.gathering() : flow,
                connection.publisher());
        feeds.put(feed.consumerId(), feed);
        DuramenConsumer consumer = new DuramenConsumer(session, feed, destination, choice);
        consumers.add(consumer);
        feed.flowing(connection.isStarted());
        return consumer;
    }

    /** What the application is given for a delivery. */
    DuramenMessage message(Owing from, Delivery delivery, DuramenDestination destination) throws JMSException {
        try {
            DuramenMessage message = MessageDecoder.decode(
                    delivery.record(),
                    destination,
                    delivery.count(),
                    session.connection().settings().allowedClasses());
            message.onAcknowledge(new Settling(session, from, delivery));
            if (delivery.isLarge()) {
                readApart(message, from, delivery);
            }
            return message;
        } catch (MalformedFrameException e) {
            throw JmsErrors.of(e);
        }
    }

    private void readApart(DuramenMessage message, Owing from, Delivery delivery) throws JMSException {
        Optional<LargeBody> body = message.largeBody();
        if (body.isPresent()) {
            BodyFetcher.Holder holder =
                    new BodyFetcher.Holder(from.shard(), from.consumerId(), delivery.partition(), delivery.offset());
            message.readBodyFrom(new BodyFetcher(
                    conversation.link(),
                    holder,
                    body.get(),
                    session.connection().settings().prefetchBytes()));
        }
    }

    // ---- listeners: a session has either those, or a thread that receives ------------------------------------------

    boolean hasListener() {
        return listeners.get() > 0;
    }

    void listenerAdded() {
        listeners.incrementAndGet();
    }

    void listenerRemoved() {
        listeners.decrementAndGet();
    }

    // ---- settling --------------------------------------------------------------------------------------------------

    /** What open consumers were given, closed ones that still owe a settlement, and what the session was loaded with. */
    Collection<Owing> owing() {
        feeds.values().removeIf(Feed::isFinished);
        List<Owing> all = new ArrayList<>();
        feeds.values().forEach(feed -> all.addAll(feed.origins()));
        all.addAll(session.loads().owing());
        return all;
    }

    /** Accepts all that the session has given and not settled. */
    void acceptGiven() throws JMSException {
        Settlement.accept(conversation.link(), owing());
    }

    /** What receive calls returned and is accepted by the next one, or by what ends them. */
    void acceptReceived() {
        consumers.forEach(DuramenConsumer::acceptReceived);
    }

    /** Gives back all that the session has given and not settled: it comes again, first. */
    void giveBack() throws JMSException {
        giveBack("");
    }

    /** @param reason why; empty for nothing */
    void giveBack(String reason) throws JMSException {
        acceptReceived();
        Settlement.giveBack(conversation.link(), owing(), reason);
    }

    /** As {@link #giveBack()}, uncounted: the application has not seen it. */
    void release() throws JMSException {
        acceptReceived();
        Settlement.release(conversation.link(), owing());
    }

    // ---- start, stop, close ----------------------------------------------------------------------------------------

    void flowing(boolean now) {
        feeds.values().forEach(feed -> feed.flowing(now));
    }

    void onStarted() {
        consumers.forEach(DuramenConsumer::onStarted);
    }

    void onClosed(DuramenConsumer consumer) {
        consumers.remove(consumer);
    }

    /** Of a consumer that has closed: what owes nothing any more is forgotten, the rest once it is settled. */
    void onDetached(Feed feed) {
        if (feed.isFinished()) {
            feeds.remove(feed.consumerId());
        }
    }

    /** How many consumers the session has, with closed ones that still owe a settlement. */
    int feedCount() {
        return feeds.size();
    }

    /** Nothing passes any more, and who waits for a message is let go. */
    void close() {
        acceptReceived();
        feeds.values().forEach(Feed::close);
    }

    /** Leases of what was given and not settled end with it: rolled back. */
    void detachAll() throws JMSException {
        Collection<Feed> all = new ArrayList<>(feeds.values());
        List<ConsumerFeed> lingering = all.stream()
                .flatMap(feed -> feed.origins().stream())
                .filter(ConsumerFeed::isDetaching)
                .toList();
        for (Feed feed : all) {
            feed.detach(false);
        }
        try {
            for (Feed feed : all) {
                feed.awaitDetached();
            }
            if (conversation.link().upSinceNanos().isPresent()) {
                Settlement.giveBack(conversation.link(), lingering);
                session.loads().giveBackAll();
            }
        } catch (JMSException e) {
            if (conversation.link().upSinceNanos().isPresent()) {
                throw e;
            }
            LOG.debug("The session ends without its node, which gives back its deliveries by itself", e);
        }
        consumers.clear();
        feeds.clear();
    }
}
