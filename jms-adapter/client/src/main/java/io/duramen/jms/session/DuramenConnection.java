package io.duramen.jms.session;

import io.duramen.jms.branch.Branches;
import io.duramen.jms.delivery.Feed;
import io.duramen.jms.delivery.Flow;
import io.duramen.jms.delivery.Subscribing;
import io.duramen.jms.destination.DuramenDestination;
import io.duramen.jms.link.BoundedLink;
import io.duramen.jms.link.JmsErrors;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.record.DedupKey;
import jakarta.jms.ConnectionConsumer;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.Destination;
import jakarta.jms.ExceptionListener;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicSession;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Thread-safe: its own fields are guarded by this object; no lock is held while listeners are waited for. */
public class DuramenConnection implements QueueConnection, TopicConnection {
    private final ConnectionSettings settings;
    private final Conversation conversation;
    private final Set<DuramenSession> sessions = ConcurrentHashMap.newKeySet();
    private final Set<DuramenConnectionConsumer> connectionConsumers = ConcurrentHashMap.newKeySet();
    private final Set<HalfMessageChecks> checks = ConcurrentHashMap.newKeySet();
    private final Branches branches = new Branches(
            new Branches.Node() {
                @Override
                public <T> T ask(Branches.Question<T> question) throws JMSException {
                    return DuramenConnection.this.ask(question);
                }

                @Override
                public boolean isThere() {
                    return !closed
                            && DuramenConnection.this
                                    .conversation
                                    .link()
                                    .upSinceNanos()
                                    .isPresent();
                }
            },
            System::nanoTime);
    private final Object closing = new Object();
    private String clientId;
    private boolean used;
    private volatile boolean started;
    private volatile boolean closed;

    private DuramenConnection(ConnectionSettings settings, Conversation conversation) {
        this.settings = settings;
        this.conversation = conversation;
        this.clientId = settings.clientId().isEmpty() ? null : settings.clientId();
        this.used = clientId != null;
    }

    /** Connects and logs in, as {@link #open}. */
    protected DuramenConnection(ConnectionSettings settings) throws JMSException {
        this(settings, Conversation.open(settings));
    }

    /**
     * Connects and logs in.
     *
     * @throws JMSException JMSSecurityException where the user is refused, InvalidClientIDException where another
     *     connection has the client id
     */
    public static DuramenConnection open(ConnectionSettings settings) throws JMSException {
        return new DuramenConnection(settings, Conversation.open(settings));
    }

    ConnectionSettings settings() {
        return settings;
    }

    Conversation conversation() {
        return conversation;
    }

    /** The resource manager that a transaction manager sees. */
    Branches branches() {
        return branches;
    }

    /** Over this connection or, once it is closed or lost for good, one that is opened for the purpose. */
    private <T> T ask(Branches.Question<T> question) throws JMSException {
        if (!closed) {
            try {
                return question.ask(bounded(conversation));
            } catch (JMSException e) {
                if (!JmsErrors.LINK_LOST.equals(e.getErrorCode())) {
                    throw e;
                }
            }
        }
        Conversation another = Conversation.open(settings.withoutClientId());
        try {
            return question.ask(bounded(another));
        } finally {
            another.close();
        }
    }

    /** While the node is away a transaction manager has others to see to: it comes again. */
    private BoundedLink bounded(Conversation with) {
        return new BoundedLink(with.link(), settings.xaCallNanos());
    }

    boolean isStarted() {
        return started;
    }

    synchronized String clientIdOrNull() {
        return clientId;
    }

    /** What its messages for topics say of who published them: its client id, or a name that it made up. */
    String publisher() {
        String id = clientIdOrNull();
        return id == null ? conversation.publisher() : id;
    }

    private void checkOpen() throws IllegalStateException {
        if (closed) {
            throw new IllegalStateException("the connection is closed");
        }
    }

    boolean isClosed() {
        return closed;
    }

    /** @throws IllegalStateException where there is no client id, which an unshared durable subscription needs */
    final void checkClientId() throws IllegalStateException {
        if (clientIdOrNull() == null) {
            throw new IllegalStateException("an unshared durable subscription needs a client id");
        }
    }

    /** Something is done with the connection: the client id is settled from now on. */
    protected final synchronized void use() throws IllegalStateException {
        checkOpen();
        used = true;
    }

    private void checkNotInMessageListener(String what) throws IllegalStateException {
        if (sessions.stream().anyMatch(DuramenSession::isListening)) {
            throw new IllegalStateException("a MessageListener must not " + what + " its own connection");
        }
    }

    private void checkNotInCompletionListener(String what) throws IllegalStateException {
        if (sessions.stream().anyMatch(DuramenSession::isCompleting)) {
            throw new IllegalStateException("a CompletionListener must not " + what + " its own connection");
        }
    }

    // ---- sessions --------------------------------------------------------------------------------------------------

    @Override
    public Session createSession() throws JMSException {
        return createSession(Session.AUTO_ACKNOWLEDGE);
    }

    @Override
    public Session createSession(boolean transacted, int acknowledgeMode) throws JMSException {
        return createSession(transacted ? Session.SESSION_TRANSACTED : notTransacted(acknowledgeMode));
    }

    @Override
    public Session createSession(int sessionMode) throws JMSException {
        return newSession(sessionMode);
    }

    DuramenSession newSession(int sessionMode) throws JMSException {
        use();
        return added(new DuramenSession(this, sessionMode, Demarcation.APPLICATION));
    }

    @Override
    public QueueSession createQueueSession(boolean transacted, int acknowledgeMode) throws JMSException {
        use();
        return added(new DuramenQueueSession(
                this,
                transacted ? Session.SESSION_TRANSACTED : notTransacted(acknowledgeMode),
                Demarcation.APPLICATION));
    }

    @Override
    public TopicSession createTopicSession(boolean transacted, int acknowledgeMode) throws JMSException {
        use();
        return added(new DuramenTopicSession(
                this,
                transacted ? Session.SESSION_TRANSACTED : notTransacted(acknowledgeMode),
                Demarcation.APPLICATION));
    }

    private static int notTransacted(int acknowledgeMode) throws JMSException {
        if (acknowledgeMode == Session.SESSION_TRANSACTED) {
            throw new JMSException("the session is said not to be transacted, and to have the mode of one that is");
        }
        return acknowledgeMode;
    }

    /** Takes in a session that was just made. */
    protected final <S extends DuramenSession> S added(S session) throws JMSException {
        sessions.add(session);
        if (closed) {
            session.close();
            checkOpen();
        }
        if (started) {
            session.flowing(true);
        }
        return session;
    }

    void onClosed(DuramenSession session) {
        sessions.remove(session);
    }

    /**
     * Makes a transactional producer with a name, which outlives it: an earlier incarnation, in this process or another,
     * cannot commit any more from here on, and what it has committed last is known. Anyone of the same user may take over.
     *
     * @param name 1 to 255 bytes in UTF-8; unique over the node, as for example the name of the service and the number of its
     *     part
     * @throws JMSException a {@link ProducerFencedException} where yet another incarnation took over meanwhile, a
     *     JMSSecurityException where the name is another user's, a ResourceAllocationException where the node remembers no
     *     more names ({@code broker.identities-max})
     */
    public TransactionalProducer createTransactionalProducer(String name) throws JMSException {
        use();
        return TransactionalProducer.init(this, name);
    }

    /**
     * Makes a sender of half messages, see there.
     *
     * @param group 1 to 255 bytes in UTF-8: whose checkers are asked about what it sends
     */
    public HalfMessageSender createHalfMessageSender(String group) throws JMSException {
        use();
        DuramenSession session = added(new DuramenSession(this, Session.SESSION_TRANSACTED, Demarcation.PRODUCER));
        HalfMessageSender sender = new HalfMessageSender(this, session, group);
        try {
            sender.open();
        } catch (JMSException e) {
            session.close();
            throw e;
        }
        return sender;
    }

    /**
     * Has the node ask a checker, on a thread of its own, about half messages of a group that nobody has ended in time. Each is
     * asked of one checker of the group, wherever that is, again and again with growing pauses
     * ({@code broker.half-check-backoff}), until it is ended or parked. Works whether or not the connection is started.
     */
    public HalfMessageChecks checkHalfMessages(String group, HalfMessageChecker checker) throws JMSException {
        use();
        HalfMessageChecks made = new HalfMessageChecks(this, group, checker);
        checks.add(made);
        made.start();
        return made;
    }

    void onClosed(HalfMessageChecks ended) {
        checks.remove(ended);
    }

    /** The user's half messages that wait for their end, and those that were parked lately; an admin's, all of the node. */
    public List<HalfMessageState> halfMessages() throws JMSException {
        checkOpen();
        return HalfPlace.list(conversation.link());
    }

    /**
     * Asks what became of a transaction of any session, on this connection or another. Where it has not committed, it
     * cannot from now on. The node remembers the last transaction of each session, for {@code broker.producer-idle}.
     *
     * @param transactionId of an {@link OutcomeUnknownException}
     */
    public Outcome outcomeOf(String transactionId) throws JMSException {
        checkOpen();
        return Outcome.valueOf(
                TransactionId.parse(transactionId).ask(conversation.link()).name());
    }

    /**
     * Asks whether a message with a dedup id ({@code JMS_Duramen_DedupId}) was stored in a destination, by whomever, and
     * whether or not it was consumed since. The node remembers ids for {@code broker.dedup-window}. What it says is on disk.
     *
     * @return when it was stored, by the node's clock, to the second; empty where it is not known to be
     * @throws JMSException with the error code {@code DEDUP_ID_UNDECIDED} where a prepared branch of a distributed
     *     transaction will store it, or not
     */
    public Optional<Instant> whenStored(Destination destination, String dedupId) throws JMSException {
        checkOpen();
        return StoredIds.whenStored(
                conversation.link(),
                conversation.partitions(DuramenDestination.ours(destination)).all(),
                DedupKey.of(dedupId));
    }

    // ---- client id, listeners, meta data ---------------------------------------------------------------------------

    @Override
    public synchronized String getClientID() throws JMSException {
        checkOpen();
        return clientId;
    }

    @Override
    public synchronized void setClientID(String id) throws JMSException {
        checkOpen();
        if (clientId != null) {
            throw new IllegalStateException("the connection has the client id " + clientId + " already");
        }
        if (used) {
            throw new IllegalStateException("the client id is set before anything else is done with a connection");
        }
        if (id == null || id.isEmpty()) {
            throw new InvalidClientIDException("the client id is empty");
        }
        conversation.identify(id);
        clientId = id;
    }

    @Override
    public ConnectionMetaData getMetaData() throws JMSException {
        checkOpen();
        return DuramenMetaData.INSTANCE;
    }

    @Override
    public ExceptionListener getExceptionListener() throws JMSException {
        checkOpen();
        return conversation.exceptionListener();
    }

    @Override
    public void setExceptionListener(ExceptionListener listener) throws JMSException {
        checkOpen();
        conversation.exceptionListener(listener);
    }

    // ---- start, stop, close ----------------------------------------------------------------------------------------

    @Override
    public void start() throws JMSException {
        use();
        started = true;
        sessions.forEach(session -> session.flowing(true));
        connectionConsumers.forEach(consumer -> consumer.flowing(true));
    }

    @Override
    public void stop() throws JMSException {
        use();
        checkNotInMessageListener("stop");
        started = false;
        connectionConsumers.forEach(consumer -> consumer.flowing(false));
        sessions.forEach(session -> session.flowing(false));
    }

    /** {@inheritDoc} Listeners that run go on to use the connection until they have returned. */
    @Override
    public void close() throws JMSException {
        checkNotInMessageListener("close");
        checkNotInCompletionListener("close");
        synchronized (closing) {
            if (!closed) {
                end();
            }
        }
    }

    private void end() throws JMSException {
        if (conversation.link().upSinceNanos().isEmpty()) {
            conversation.link().close(); // nothing more can be said: who waits for an answer is let go
        }
        checks.forEach(HalfMessageChecks::close);
        JMSException failure = null;
        for (DuramenConnectionConsumer consumer : connectionConsumers) {
            try {
                consumer.close();
            } catch (JMSException e) {
                failure = e;
            }
        }
        while (!closed || !sessions.isEmpty()) {
            for (DuramenSession session : sessions) {
                try {
                    session.close();
                } catch (JMSException e) {
                    failure = e;
                }
            }
            closed = true;
        }
        branches.close();
        conversation.close();
        if (failure != null) {
            throw failure;
        }
    }

    // ---- application servers ---------------------------------------------------------------------------------------

    private ConnectionConsumer consume(
            DuramenDestination destination, Subscribing.Choice choice, ServerSessionPool pool, int messagesMax)
            throws JMSException {
        use();
        if (pool == null) {
            throw new JMSException("a connection consumer needs a pool of server sessions");
        }
        if (messagesMax < 1) {
            throw new JMSException("a connection consumer loads at least one message at a time, not " + messagesMax);
        }
        Flow flow = Acknowledgement.of(Session.AUTO_ACKNOWLEDGE).flow(settings);
        Feed feed = conversation.attach(destination, choice, flow, publisher());
        DuramenConnectionConsumer consumer = new DuramenConnectionConsumer(this, feed, destination, pool, messagesMax);
        connectionConsumers.add(consumer);
        consumer.start();
        feed.flowing(started);
        return consumer;
    }

    void onClosed(DuramenConnectionConsumer consumer) {
        connectionConsumers.remove(consumer);
    }

    @Override
    public ConnectionConsumer createConnectionConsumer(
            Destination destination, String selector, ServerSessionPool pool, int messagesMax) throws JMSException {
        checkOpen();
        DuramenDestination ours = DuramenDestination.ours(destination);
        return consume(ours, SessionConsumers.unnamed(ours, selector, false), pool, messagesMax);
    }

    @Override
    public ConnectionConsumer createConnectionConsumer(
            Queue queue, String selector, ServerSessionPool pool, int messagesMax) throws JMSException {
        return createConnectionConsumer((Destination) queue, selector, pool, messagesMax);
    }

    @Override
    public ConnectionConsumer createConnectionConsumer(
            Topic topic, String selector, ServerSessionPool pool, int messagesMax) throws JMSException {
        return createConnectionConsumer((Destination) topic, selector, pool, messagesMax);
    }

    private ConnectionConsumer consume(Topic topic, Subscribing.Choice choice, ServerSessionPool pool, int messagesMax)
            throws JMSException {
        return consume(DuramenDestination.ours(topic), choice, pool, messagesMax);
    }

    @Override
    public ConnectionConsumer createSharedConnectionConsumer(
            Topic topic, String name, String selector, ServerSessionPool pool, int messagesMax) throws JMSException {
        checkOpen();
        return consume(
                topic, SessionConsumers.named(SubscriptionKind.SHARED, name, selector, false), pool, messagesMax);
    }

    @Override
    public ConnectionConsumer createDurableConnectionConsumer(
            Topic topic, String name, String selector, ServerSessionPool pool, int messagesMax) throws JMSException {
        checkOpen();
        DuramenDestination.ours(topic);
        checkClientId();
        return consume(
                topic, SessionConsumers.named(SubscriptionKind.DURABLE, name, selector, false), pool, messagesMax);
    }

    @Override
    public ConnectionConsumer createSharedDurableConnectionConsumer(
            Topic topic, String name, String selector, ServerSessionPool pool, int messagesMax) throws JMSException {
        checkOpen();
        return consume(
                topic,
                SessionConsumers.named(SubscriptionKind.SHARED_DURABLE, name, selector, false),
                pool,
                messagesMax);
    }

    @Override
    public String toString() {
        return "DuramenConnection[" + settings.link().nodes() + "]";
    }
}
