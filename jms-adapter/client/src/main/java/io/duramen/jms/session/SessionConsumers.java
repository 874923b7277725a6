package io.duramen.jms.session;

import io.duramen.jms.delivery.ConsumerFeed;
import io.duramen.jms.delivery.Settlement;
import io.duramen.jms.delivery.Subscribing;
import io.duramen.jms.destination.DuramenDestination;
import io.duramen.jms.link.JmsErrors;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.PartitionRef;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
    private final Map<Integer, ConsumerFeed> feeds = new ConcurrentHashMap<>();

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
        if (destination.kind().isTemporary()) {
            checkTemporary(destination, choice);
        }
        DuramenConnection connection = session.connection();
        Subscribing subscribing = new Subscribing(
                shard(destination),
                conversation.nextConsumerId(),
                destination.getName(),
                destination.kind(),
                choice,
                connection.publisher());
        ConsumerFeed feed = new ConsumerFeed(
                conversation.link(), subscribing, session.acknowledgement().flow(connection.settings()), conversation);
        conversation.attach(feed);
        feeds.put(feed.consumerId(), feed);
        DuramenConsumer consumer = new DuramenConsumer(session, feed, destination, choice);
        consumers.add(consumer);
        feed.flowing(connection.isStarted());
        return consumer;
    }

    private void checkTemporary(DuramenDestination destination, Subscribing.Choice choice) throws JMSException {
        if (choice.subscription() != SubscriptionKind.QUEUE
                && choice.subscription().isDurable()) {
            throw new InvalidDestinationException("no durable subscription on temporary topic " + destination);
        }
        if (!conversation.isOwnTemporary(destination)) {
            throw new InvalidDestinationException(
                    "temporary destination " + destination + " belongs to another connection, or is deleted");
        }
    }

    private int shard(DuramenDestination destination) throws JMSException {
        List<PartitionRef> partitions = conversation.partitions(destination);
        int shard = partitions.get(0).shard();
        if (partitions.stream().anyMatch(partition -> partition.shard() != shard)) {
            throw JmsErrors.missing("consuming a destination that is spread over shards (" + destination + ")");
        }
        return shard;
    }

    // ---- settling --------------------------------------------------------------------------------------------------

    /** The feeds of open consumers, and of closed ones that still owe a settlement. */
    Collection<ConsumerFeed> feeds() {
        feeds.values().removeIf(ConsumerFeed::isFinished);
        return feeds.values();
    }

    /** Accepts all that the session has given and not settled. */
    void acceptGiven() throws JMSException {
        Settlement.accept(conversation.link(), feeds());
    }

    /** Gives back all that the session has given and not settled: it comes again, first. */
    void giveBack() throws JMSException {
        Settlement.giveBack(conversation.link(), feeds());
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

    /** Nothing passes any more, and who waits for a message is let go. */
    void close() {
        feeds.values().forEach(ConsumerFeed::close);
    }

    /** Leases of what was given and not settled end with it: rolled back. */
    void detachAll() throws JMSException {
        Collection<ConsumerFeed> all = new ArrayList<>(feeds());
        List<ConsumerFeed> lingering =
                all.stream().filter(ConsumerFeed::isDetaching).toList();
        for (ConsumerFeed feed : all) {
            feed.detach(false);
        }
        try {
            for (ConsumerFeed feed : all) {
                feed.awaitDetached();
            }
            Settlement.giveBack(conversation.link(), lingering);
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
