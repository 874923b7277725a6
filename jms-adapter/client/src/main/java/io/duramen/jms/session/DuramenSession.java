package io.duramen.jms.session;

import io.duramen.jms.body.BodySender;
import io.duramen.jms.branch.BranchResource;
import io.duramen.jms.branch.Enlistment;
import io.duramen.jms.destination.DuramenDestination;
import io.duramen.jms.link.Call;
import io.duramen.jms.link.Link;
import io.duramen.jms.message.AcknowledgeHook;
import io.duramen.jms.message.MessageFactory;
import io.duramen.jms.publishing.Completions;
import io.duramen.jms.publishing.DirectOutbox;
import io.duramen.jms.publishing.Outbox;
import io.duramen.jms.publishing.SessionIdentity;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.Unsubscribe;
import jakarta.jms.BytesMessage;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
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
import javax.transaction.xa.XAResource;
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
    private final Demarcation demarcation;
    /** Null where no transaction manager is concerned. */
    private final Enlistment enlistment;

    private final SessionIdentity identity;
    private final Completions completions;
    private final BodySender bodies;
    private final Outbox outbox;
    private final Transaction transaction;
    private final Dispatcher dispatcher;
    private final AcknowledgeHook hook = message -> acknowledgeGiven();
    private final SessionConsumers consumers;
    private final Loads loads = new Loads(this);
    private final SoleThread soleThread = new SoleThread();
    private final Object closing = new Object();
    private final MessageFactory messages = new MessageFactory();
    private volatile boolean ending;
    private volatile boolean closed;

    protected DuramenSession(DuramenConnection connection, int acknowledgeMode, Demarcation demarcation)
            throws JMSException {
        this(
                connection,
                acknowledgeMode,
                demarcation,
                new SessionIdentity(
                        Conversation.randomId(), 0, connection.conversation().nextOwner()));
    }

    DuramenSession(DuramenConnection connection, int acknowledgeMode, Demarcation demarcation, SessionIdentity identity)
            throws JMSException {
        this.demarcation = demarcation;
        this.connection = connection;
        this.conversation = connection.conversation();
        this.consumers = new SessionConsumers(this, conversation);
        this.identity = identity;
        this.completions = new Completions(conversation.callbacks());
        Link link = conversation.link();
        this.bodies = new BodySender(link, connection.settings().sendWindowBytes());
        if (demarcation == Demarcation.MANAGER) {
            this.enlistment =
                    new Enlistment(connection.branches(), link, identity, completions, bodies, consumers::owing);
            this.acknowledgement = Acknowledgement.of(enlistment);
        } else {
            this.enlistment = null;
            this.acknowledgement = Acknowledgement.of(acknowledgeMode);
        }
        this.dispatcher = new Dispatcher("duramen-session-" + identity.owner());
        if (acknowledgeMode == SESSION_TRANSACTED) {
            this.transaction = new Transaction(link, identity, completions, bodies);
            this.outbox = transaction.outbox();
        } else {
            ConnectionSettings settings = connection.settings();
            DirectOutbox direct = new DirectOutbox(
                    link, identity, completions, settings.acks(), settings.batchBytes(), settings.sendWindowBytes());
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

    BodySender bodies() {
        return bodies;
    }

    Outbox outbox() {
        return enlistment != null && enlistment.isActive() ? enlistment.outbox() : outbox;
    }

    /** Where the transaction manager begins and ends what the session does; only of a session that has one. */
    protected final XAResource branchResource() {
        return new BranchResource(enlistment);
    }

    /** Null where the session is not transacted. */
    Transaction transaction() {
        return transaction;
    }

    Dispatcher dispatcher() {
        return dispatcher;
    }

    SessionConsumers consumers() {
        return consumers;
    }

    AcknowledgeHook hook() {
        return hook;
    }

    /** Whether close was called: nothing more is received, but listeners that run still use the session. */
    boolean isClosing() {
        return ending;
    }

    boolean isClosed() {
        return closed;
    }

    /** @throws IllegalStateException once the session is closed */
    protected final void checkOpen() throws IllegalStateException {
        if (closed) {
            throw new IllegalStateException("the session is closed");
        }
    }

    private void checkNotInCompletionListener(String what) throws IllegalStateException {
        if (completions.isTelling()) {
            throw new IllegalStateException(what + " must not be called from a CompletionListener of the session");
        }
    }

    /** @throws IllegalStateException in a CompletionListener of this session */
    void awaitCompletions(String what) throws JMSException {
        checkNotInCompletionListener(what);
        completions.awaitAll();
    }

    /** The connection was started or stopped; stopping returns once no listener runs. */
    void flowing(boolean now) {
        if (!now) {
            dispatcher.stop();
        }
        consumers.flowing(now);
        if (now) {
            dispatcher.start();
            consumers.onStarted();
        }
    }

    /** Whether the current thread is in a MessageListener of this session. */
    boolean isListening() {
        return dispatcher.isCurrent();
    }

    /** Whether the current thread is in a CompletionListener of this session. */
    boolean isCompleting() {
        return completions.isTelling();
    }

    /** What {@code acknowledge} of a message or a context does. */
    void acknowledgeGiven() throws JMSException {
        checkOpen();
        alone("acknowledge", () -> acknowledgement.onAcknowledge(this));
    }

    // ---- transactions and acknowledgement --------------------------------------------------------------------------

    @Override
    public boolean getTransacted() throws JMSException {
        checkOpen();
        return demarcation.told(acknowledgement.mode()) == SESSION_TRANSACTED;
    }

    @Override
    public int getAcknowledgeMode() throws JMSException {
        checkOpen();
        return demarcation.told(acknowledgement.mode());
    }

    private void checkTransaction(String what) throws JMSException {
        checkOpen();
        demarcation.requireApplication(what);
        if (transaction == null) {
            throw new IllegalStateException(what + " needs a transacted session");
        }
        checkNotInCompletionListener(what);
    }

    @Override
    public void commit() throws JMSException {
        checkTransaction("commit");
        commit("");
    }

    /** Of a transacted session, whoever it belongs to. */
    void commit(String label) throws JMSException {
        checkOpen();
        checkNotInCompletionListener("commit");
        alone("commit", () -> transaction.commit(consumers.owing(), label));
    }

    /** Of a transacted session, whoever it belongs to. */
    void abort() throws JMSException {
        checkOpen();
        checkNotInCompletionListener("abort");
        alone("abort", () -> transaction.rollback(consumers.owing()));
    }

    @Override
    public void rollback() throws JMSException {
        checkTransaction("rollback");
        alone("rollback", () -> transaction.rollback(consumers.owing()));
    }

    @Override
    public void recover() throws JMSException {
        checkOpen();
        if (transaction != null) {
            throw new IllegalStateException("recover is not for transacted sessions; roll back");
        }
        alone("recover", consumers::giveBack);
    }

    /** Something that no other thread may do at the same time. */
    @FunctionalInterface
    interface Work {
        void run() throws JMSException;
    }

    /** @throws IllegalStateException where another thread uses the session */
    void alone(String what, Work work) throws JMSException {
        boolean entered = soleThread.enter(what);
        try {
            work.run();
        } finally {
            soleThread.leave(entered);
        }
    }

    SoleThread soleThread() {
        return soleThread;
    }

    // ---- the end ---------------------------------------------------------------------------------------------------

    /** {@inheritDoc} What runs in a listener of the session goes on to use it until the listener has returned. */
    @Override
    public void close() throws JMSException {
        if (closed) {
            return;
        }
        if (dispatcher.isCurrent()) {
            throw new IllegalStateException("a listener must not close its own session");
        }
        checkNotInCompletionListener("close");
        synchronized (closing) {
            if (!closed) {
                end();
            }
        }
        if (outbox instanceof DirectOutbox direct) {
            direct.takeRefusal().ifPresent(conversation::report);
        }
    }

    private void end() throws JMSException {
        ending = true;
        consumers.close();
        dispatcher.close();
        try {
            completions.end();
        } finally {
            closed = true;
            if (enlistment != null) {
                enlistment.close();
            }
            try {
                if (transaction != null) {
                    transaction.outbox().giveUp();
                }
                consumers.detachAll();
            } finally {
                conversation.remove(identity.owner());
                connection.onClosed(this);
            }
        }
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
        DuramenDestination ours = DuramenDestination.ours(destination);
        return consumers.consume(ours, SessionConsumers.unnamed(ours, selector, noLocal));
    }

    private DuramenConsumer consume(Topic topic, SubscriptionKind kind, String name, String selector, boolean noLocal)
            throws JMSException {
        checkOpen();
        return consumers.consume(DuramenDestination.ours(topic), SessionConsumers.named(kind, name, selector, noLocal));
    }

    @Override
    public MessageConsumer createSharedConsumer(Topic topic, String name) throws JMSException {
        return createSharedConsumer(topic, name, null);
    }

    @Override
    public MessageConsumer createSharedConsumer(Topic topic, String name, String selector) throws JMSException {
        return consume(topic, SubscriptionKind.SHARED, name, selector, false);
    }

    @Override
    public TopicSubscriber createDurableSubscriber(Topic topic, String name) throws JMSException {
        return createDurableSubscriber(topic, name, null, false);
    }

    @Override
    public TopicSubscriber createDurableSubscriber(Topic topic, String name, String selector, boolean noLocal)
            throws JMSException {
        checkOpen();
        DuramenDestination.ours(topic);
        connection.checkClientId();
        return consume(topic, SubscriptionKind.DURABLE, name, selector, noLocal);
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
        return consume(topic, SubscriptionKind.SHARED_DURABLE, name, selector, false);
    }

    @Override
    public void unsubscribe(String name) throws JMSException {
        checkOpen();
        Unsubscribe.Request request = new Unsubscribe.Request(SessionConsumers.checkedName(name));
        Call.remove(conversation.link(), request, ErrorCode.SUBSCRIPTION_NOT_FOUND);
    }

    // ---- producing -------------------------------------------------------------------------------------------------

    @Override
    public MessageProducer createProducer(Destination destination) throws JMSException {
        checkOpen();
        return new DuramenProducer(this, destination == null ? null : resolved(destination));
    }

    /** Ours, and known to the node. */
    final DuramenDestination resolved(Destination destination) throws JMSException {
        DuramenDestination ours = DuramenDestination.ours(destination);
        conversation.partitions(ours);
        return ours;
    }

    // ---- destinations ----------------------------------------------------------------------------------------------

    @Override
    public Queue createQueue(String name) throws JMSException {
        checkOpen();
        return (Queue) DuramenDestination.named(DestinationKind.QUEUE, name);
    }

    @Override
    public Topic createTopic(String name) throws JMSException {
        checkOpen();
        return (Topic) DuramenDestination.named(DestinationKind.TOPIC, name);
    }

    @Override
    public TemporaryQueue createTemporaryQueue() throws JMSException {
        checkOpen();
        return conversation.createTemporaryQueue();
    }

    @Override
    public TemporaryTopic createTemporaryTopic() throws JMSException {
        checkOpen();
        return conversation.createTemporaryTopic();
    }

    @Override
    public QueueBrowser createBrowser(Queue queue) throws JMSException {
        return createBrowser(queue, null);
    }

    @Override
    public QueueBrowser createBrowser(Queue queue, String selector) throws JMSException {
        checkOpen();
        DuramenDestination ours = DuramenDestination.ours(queue);
        DuramenBrowser browser = new DuramenBrowser(this, ours, SessionConsumers.unnamed(ours, selector, false));
        browser.check();
        return browser;
    }

    // ---- messages --------------------------------------------------------------------------------------------------

    @Override
    public Message createMessage() throws JMSException {
        checkOpen();
        return messages.message();
    }

    @Override
    public TextMessage createTextMessage() throws JMSException {
        return createTextMessage(null);
    }

    @Override
    public TextMessage createTextMessage(String text) throws JMSException {
        checkOpen();
        return messages.text(text);
    }

    @Override
    public BytesMessage createBytesMessage() throws JMSException {
        checkOpen();
        return messages.bytes();
    }

    @Override
    public MapMessage createMapMessage() throws JMSException {
        checkOpen();
        return messages.map();
    }

    @Override
    public StreamMessage createStreamMessage() throws JMSException {
        checkOpen();
        return messages.stream();
    }

    @Override
    public ObjectMessage createObjectMessage() throws JMSException {
        return createObjectMessage(null);
    }

    @Override
    public ObjectMessage createObjectMessage(Serializable object) throws JMSException {
        checkOpen();
        return messages.object(object);
    }

    // ---- application servers ---------------------------------------------------------------------------------------

    /** What connection consumers loaded into this session. */
    Loads loads() {
        return loads;
    }

    @Override
    public MessageListener getMessageListener() throws JMSException {
        checkOpen();
        return loads.listener();
    }

    @Override
    public void setMessageListener(MessageListener listener) throws JMSException {
        checkOpen();
        loads.listener(listener);
    }

    /** {@inheritDoc} Close and stop wait for it as for any listener. */
    @Override
    public void run() {
        dispatcher.runListeners(loads::run);
    }
}
