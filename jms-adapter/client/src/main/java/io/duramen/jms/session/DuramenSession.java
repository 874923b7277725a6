package io.duramen.jms.session;

import io.duramen.jms.destination.DuramenDestination;
import io.duramen.jms.link.Call;
import io.duramen.jms.link.JmsErrors;
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
    private final SessionConsumers consumers;
    private final MessageFactory messages = new MessageFactory();
    private volatile boolean closed;

    DuramenSession(DuramenConnection connection, int acknowledgeMode) throws JMSException {
        this.connection = connection;
        this.conversation = connection.conversation();
        this.acknowledgement = Acknowledgement.of(acknowledgeMode);
        this.consumers = new SessionConsumers(this, conversation);
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

    SessionConsumers consumers() {
        return consumers;
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
        consumers.flowing(now);
        if (now) {
            dispatcher.start();
            consumers.onStarted();
        }
    }

    boolean isDispatching() {
        return dispatcher.isCurrent();
    }

    private void onAcknowledge() throws JMSException {
        checkOpen();
        acknowledgement.onAcknowledge(this);
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
        transaction.commit(consumers.feeds());
    }

    @Override
    public void rollback() throws JMSException {
        checkTransaction("rollback");
        transaction.rollback(consumers.feeds());
    }

    @Override
    public void recover() throws JMSException {
        checkOpen();
        if (transaction != null) {
            throw new IllegalStateException("recover is not for transacted sessions; roll back");
        }
        consumers.giveBack();
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
        consumers.close();
        dispatcher.close();
        try {
            completions.awaitAll();
            consumers.detachAll();
        } finally {
            conversation.remove(identity.owner());
            connection.onClosed(this);
        }
        if (outbox instanceof DirectOutbox direct) {
            direct.takeRefusal().ifPresent(conversation::report);
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
        if (connection.clientIdOrNull() == null) {
            throw new IllegalStateException("an unshared durable subscription needs a client id");
        }
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
