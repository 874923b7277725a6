package io.duramen.jms.session;

import io.duramen.jms.delivery.ConsumerFeed;
import io.duramen.jms.delivery.Settlement;
import io.duramen.jms.delivery.Subscribing;
import io.duramen.jms.destination.DuramenDestination;
import io.duramen.jms.destination.DuramenQueue;
import io.duramen.jms.destination.DuramenTemporaryQueue;
import io.duramen.jms.destination.DuramenTemporaryTopic;
import io.duramen.jms.destination.DuramenTopic;
import io.duramen.jms.link.Call;
import io.duramen.jms.link.JmsErrors;
import io.duramen.jms.link.Link;
import io.duramen.jms.message.AcknowledgeHook;
import io.duramen.jms.message.DuramenBytesMessage;
import io.duramen.jms.message.DuramenMapMessage;
import io.duramen.jms.message.DuramenMessage;
import io.duramen.jms.message.DuramenStreamMessage;
import io.duramen.jms.message.DuramenTextMessage;
import io.duramen.jms.publishing.Completions;
import io.duramen.jms.publishing.DirectOutbox;
import io.duramen.jms.publishing.Outbox;
import io.duramen.jms.publishing.SessionIdentity;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.protocol.frame.Unsubscribe;
import jakarta.jms.BytesMessage;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.MessageProducer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import jakarta.jms.TopicSubscriber;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread at a time, as JMS has it: the application's, or that of its listeners once it has one and the connection is
 * started. {@link #close} may come from any thread but those of its own listeners.
 */
public class DuramenSession implements Session {
    private static final Logger LOG = LoggerFactory.getLogger(DuramenSession.class);

    private final DuramenConnection connection;
    private final Conversation conversation;
    private final Acknowledgement acknowledgement;
    private final SessionIdentity identity;
    private final Completions completions;
    private final Outbox outbox;
    private final Transaction transaction;
    private final Dispatcher dispatcher;
    private final AcknowledgeHook hook = message -> onAcknowledge();
    private final Set<DuramenConsumer> consumers = ConcurrentHashMap.newKeySet();
    private final Map<Integer, ConsumerFeed> feeds = new ConcurrentHashMap<>();
    private volatile boolean closed;

    DuramenSession(DuramenConnection connection, int acknowledgeMode) throws JMSException {
        this.connection = connection;
        this.conversation = connection.conversation();
        this.acknowledgement = Acknowledgement.of(acknowledgeMode);
        this.identity = new SessionIdentity(Conversation.randomId(), conversation.nextOwner());
        this.completions = new Completions(conversation.callbacks());
        this.dispatcher = new Dispatcher("duramen-session-" + identity.owner());
        Link link = conversation.link();
        if (acknowledgeMode == SESSION_TRANSACTED) {
            this.transaction = new Transaction(link, identity, completions);
            this.outbox = transaction.outbox();
        } else {
            ConnectionSettings settings = connection.settings();
            DirectOutbox direct =
                    new DirectOutbox(link, identity, completions, settings.batchBytes(), settings.sendWindowBytes());
            conversation.add(identity.owner(), direct);
            this.transaction = null;
            this.outbox = direct;
        }
    }

    // ---- for the objects of this session ---------------------------------------------------------------------------

    DuramenConnection connection() {
        return connection;
    }

    Conversation conversation() {
        return conversation;
    }

    Acknowledgement acknowledgement() {
        return acknowledgement;
    }

    SessionIdentity identity() {
        return identity;
    }

    Outbox outbox() {
        return outbox;
    }

    Dispatcher dispatcher() {
        return dispatcher;
    }

    AcknowledgeHook hook() {
        return hook;
    }

    boolean isClosed() {
        return closed;
    }

    final void checkOpen() throws IllegalStateException {
        if (closed) {
            throw new IllegalStateException("the session is closed");
        }
    }

    private void checkNotInCompletionListener(String what) throws IllegalStateException {
        if (conversation.callbacks().isCurrent() && !conversation.isReporting()) {
            throw new IllegalStateException(what + " must not be called from a CompletionListener");
        }
    }

    /** The connection was started or stopped; stopping returns once no listener runs. */
    void flowing(boolean now) {
        if (!now) {
            dispatcher.stop();
        }
        feeds.values().forEach(feed -> feed.flowing(now));
        if (now) {
            dispatcher.start();
            consumers.forEach(DuramenConsumer::onStarted);
        }
    }

    boolean isDispatching() {
        return dispatcher.isCurrent();
    }

    /** Accepts all that this session has given and not settled. */
    void acceptGiven() throws JMSException {
        Settlement.accept(conversation.link(), feeds());
    }

    /** Gives back all that this session has given and not settled: it comes again, first. */
    void giveBack() throws JMSException {
        Settlement.giveBack(conversation.link(), feeds());
    }

    /** The feeds of open consumers, and of closed ones that still owe a settlement. */
    private Collection<ConsumerFeed> feeds() {
        feeds.values().removeIf(ConsumerFeed::isFinished);
        return feeds.values();
    }

    private void onAcknowledge() throws JMSException {
        checkOpen();
        acknowledgement.onAcknowledge(this);
    }

    void onClosed(DuramenConsumer consumer) {
        consumers.remove(consumer);
    }

    // ---- transactions and acknowledgement --------------------------------------------------------------------------

    @Override
    public boolean getTransacted() throws JMSException {
        checkOpen();
        return transaction != null;
    }

    @Override
    public int getAcknowledgeMode() throws JMSException {
        checkOpen();
        return acknowledgement.mode();
    }

    private void checkTransaction(String what) throws JMSException {
        checkOpen();
        if (transaction == null) {
            throw new IllegalStateException(what + " needs a transacted session");
        }
        checkNotInCompletionListener(what);
    }

    @Override
    public void commit() throws JMSException {
        checkTransaction("commit");
        transaction.commit(feeds());
    }

    @Override
    public void rollback() throws JMSException {
        checkTransaction("rollback");
        transaction.rollback(feeds());
    }

    @Override
    public void recover() throws JMSException {
        checkOpen();
        if (transaction != null) {
            throw new IllegalStateException("recover is not for transacted sessions; roll back");
        }
        giveBack();
    }

    // ---- the end ---------------------------------------------------------------------------------------------------

    @Override
    public void close() throws JMSException {
        if (closed) {
            return;
        }
        if (dispatcher.isCurrent()) {
            throw new IllegalStateException("a listener must not close its own session");
        }
        checkNotInCompletionListener("close");
        closed = true;
        feeds.values().forEach(ConsumerFeed::close);
        dispatcher.close();
        try {
            completions.awaitAll();
            detachAll();
        } finally {
            conversation.remove(identity.owner());
            connection.onClosed(this);
        }
        if (outbox instanceof DirectOutbox direct) {
            direct.takeRefusal().ifPresent(conversation::report);
        }
    }

    /** Leases of what was given and not settled end with it: rolled back. */
    private void detachAll() throws JMSException {
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

    // ---- consuming -------------------------------------------------------------------------------------------------

    @Override
    public MessageConsumer createConsumer(Destination destination) throws JMSException {
        return createConsumer(destination, null, false);
    }

    @Override
    public MessageConsumer createConsumer(Destination destination, String selector) throws JMSException {
        return createConsumer(destination, selector, false);
    }

    @Override
    public MessageConsumer createConsumer(Destination destination, String selector, boolean noLocal)
            throws JMSException {
        checkOpen();
        DuramenDestination ours = ours(destination);
        SubscriptionKind kind = ours.kind().isQueue() ? SubscriptionKind.QUEUE : SubscriptionKind.EXCLUSIVE;
        return consume(ours, choice(kind, "", selector, noLocal && !ours.kind().isQueue()));
    }

    @Override
    public MessageConsumer createSharedConsumer(Topic topic, String name) throws JMSException {
        return createSharedConsumer(topic, name, null);
    }

    @Override
    public MessageConsumer createSharedConsumer(Topic topic, String name, String selector) throws JMSException {
        checkOpen();
        return consume(ours(topic), choice(SubscriptionKind.SHARED, checkedName(name), selector, false));
    }

    @Override
    public TopicSubscriber createDurableSubscriber(Topic topic, String name) throws JMSException {
        return createDurableSubscriber(topic, name, null, false);
    }

    @Override
    public TopicSubscriber createDurableSubscriber(Topic topic, String name, String selector, boolean noLocal)
            throws JMSException {
        checkOpen();
        if (connection.clientIdOrNull() == null) {
            throw new IllegalStateException("an unshared durable subscription needs a client id");
        }
        return consume(lasting(topic), choice(SubscriptionKind.DURABLE, checkedName(name), selector, noLocal));
    }

    @Override
    public MessageConsumer createDurableConsumer(Topic topic, String name) throws JMSException {
        return createDurableSubscriber(topic, name, null, false);
    }

    @Override
    public MessageConsumer createDurableConsumer(Topic topic, String name, String selector, boolean noLocal)
            throws JMSException {
        return createDurableSubscriber(topic, name, selector, noLocal);
    }

    @Override
    public MessageConsumer createSharedDurableConsumer(Topic topic, String name) throws JMSException {
        return createSharedDurableConsumer(topic, name, null);
    }

    @Override
    public MessageConsumer createSharedDurableConsumer(Topic topic, String name, String selector) throws JMSException {
        checkOpen();
        return consume(lasting(topic), choice(SubscriptionKind.SHARED_DURABLE, checkedName(name), selector, false));
    }

    @Override
    public void unsubscribe(String name) throws JMSException {
        checkOpen();
        Call.remove(conversation.link(), new Unsubscribe.Request(checkedName(name)), ErrorCode.SUBSCRIPTION_NOT_FOUND);
    }

    private static String checkedName(String name) throws JMSException {
        if (name == null || name.isEmpty()) {
            throw new JMSException("a named subscription needs a name");
        }
        return name;
    }

    private static Subscribing.Choice choice(SubscriptionKind kind, String name, String selector, boolean noLocal) {
        return new Subscribing.Choice(kind, name, selector == null ? "" : selector.trim(), noLocal);
    }

    private static DuramenDestination ours(Destination destination) throws JMSException {
        if (destination instanceof DuramenDestination ours && ours.getName() != null) {
            return ours;
        }
        throw new InvalidDestinationException(
                destination == null ? "the destination is null" : destination + " is not a destination of Duramen");
    }

    private static DuramenDestination lasting(Topic topic) throws JMSException {
        DuramenDestination ours = ours(topic);
        if (ours.kind().isTemporary()) {
            throw new InvalidDestinationException("no durable subscription on temporary topic " + ours.getName());
        }
        return ours;
    }

    private DuramenConsumer consume(DuramenDestination destination, Subscribing.Choice choice) throws JMSException {
        if (destination.kind().isTemporary() && !conversation.isOwnTemporary(destination)) {
            throw new InvalidDestinationException(
                    "temporary destination " + destination + " belongs to another connection, or is deleted");
        }
        int shard = shard(destination);
        Subscribing subscribing = new Subscribing(
                shard, conversation.nextConsumerId(), destination.getName(), destination.kind(), choice);
        ConsumerFeed feed = new ConsumerFeed(
                conversation.link(), subscribing, acknowledgement.flow(connection.settings()), conversation);
        conversation.attach(feed);
        feeds.put(feed.consumerId(), feed);
        DuramenConsumer consumer = new DuramenConsumer(this, feed, destination, choice);
        consumers.add(consumer);
        feed.flowing(connection.isStarted());
        return consumer;
    }

    private int shard(DuramenDestination destination) throws JMSException {
        List<PartitionRef> partitions = conversation.partitions(destination);
        int shard = partitions.get(0).shard();
        if (partitions.stream().anyMatch(partition -> partition.shard() != shard)) {
            throw JmsErrors.missing("consuming a destination that is spread over shards (" + destination + ")");
        }
        return shard;
    }

    // ---- producing -------------------------------------------------------------------------------------------------

    @Override
    public MessageProducer createProducer(Destination destination) throws JMSException {
        checkOpen();
        return new DuramenProducer(this, destination == null ? null : resolved(destination));
    }

    /** Ours, and known to the node. */
    final DuramenDestination resolved(Destination destination) throws JMSException {
        DuramenDestination ours = ours(destination);
        conversation.partitions(ours);
        return ours;
    }

    // ---- destinations ----------------------------------------------------------------------------------------------

    @Override
    public Queue createQueue(String name) throws JMSException {
        checkOpen();
        checkDestinationName(name);
        return new DuramenQueue(name);
    }

    @Override
    public Topic createTopic(String name) throws JMSException {
        checkOpen();
        checkDestinationName(name);
        return new DuramenTopic(name);
    }

    private static void checkDestinationName(String name) throws JMSException {
        if (name == null || name.isEmpty()) {
            throw new InvalidDestinationException("a destination needs a name");
        }
    }

    @Override
    public TemporaryQueue createTemporaryQueue() throws JMSException {
        checkOpen();
        return new DuramenTemporaryQueue(
                conversation.createTemporary(DestinationKind.TEMPORARY_QUEUE), conversation::deleteTemporary);
    }

    @Override
    public TemporaryTopic createTemporaryTopic() throws JMSException {
        checkOpen();
        return new DuramenTemporaryTopic(
                conversation.createTemporary(DestinationKind.TEMPORARY_TOPIC), conversation::deleteTemporary);
    }

    @Override
    public QueueBrowser createBrowser(Queue queue) throws JMSException {
        return createBrowser(queue, null);
    }

    @Override
    public QueueBrowser createBrowser(Queue queue, String selector) throws JMSException {
        checkOpen();
        DuramenDestination ours = ours(queue);
        DuramenBrowser browser = new DuramenBrowser(this, ours, choice(SubscriptionKind.QUEUE, "", selector, false));
        browser.check();
        return browser;
    }

    // ---- messages --------------------------------------------------------------------------------------------------

    @Override
    public Message createMessage() throws JMSException {
        checkOpen();
        return new DuramenMessage();
    }

    @Override
    public TextMessage createTextMessage() throws JMSException {
        checkOpen();
        return new DuramenTextMessage();
    }

    @Override
    public TextMessage createTextMessage(String text) throws JMSException {
        TextMessage message = createTextMessage();
        message.setText(text);
        return message;
    }

    @Override
    public BytesMessage createBytesMessage() throws JMSException {
        checkOpen();
        return new DuramenBytesMessage();
    }

    @Override
    public MapMessage createMapMessage() throws JMSException {
        checkOpen();
        return new DuramenMapMessage();
    }

    @Override
    public StreamMessage createStreamMessage() throws JMSException {
        checkOpen();
        return new DuramenStreamMessage();
    }

    @Override
    public ObjectMessage createObjectMessage() throws JMSException {
        return createObjectMessage(null);
    }

    @Override
    public ObjectMessage createObjectMessage(Serializable object) throws JMSException {
        checkOpen();
        throw JmsErrors.missing("ObjectMessage");
    }

    // ---- application servers ---------------------------------------------------------------------------------------

    @Override
    public MessageListener getMessageListener() throws JMSException {
        checkOpen();
        return null;
    }

    @Override
    public void setMessageListener(MessageListener listener) throws JMSException {
        checkOpen();
        throw JmsErrors.missing("Session.setMessageListener");
    }

    /** For application servers, which first set a listener on the session. */
    @Override
    public void run() {
        throw new jakarta.jms.IllegalStateRuntimeException("the session has no listener of its own to run");
    }
}
