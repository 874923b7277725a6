package io.duramen.ra.outbound;

import io.duramen.ra.address.Failures;
import jakarta.jms.ConnectionConsumer;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.Destination;
import jakarta.jms.ExceptionListener;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicSession;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.ConnectionManager;
import jakarta.resource.spi.LazyAssociatableConnectionManager;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Thread-safe. An application's hold on a pooled connection. The server may take that away while the application is not
 * using it, and gives another with the next use: sessions go on, what was made of them is closed.
 */
final class ConnectionHandle implements QueueConnection, TopicConnection {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionHandle.class);

    private final DuramenManagedConnectionFactory factory;
    private final LoginRequest request;
    private final Set<SharedUse> uses = ConcurrentHashMap.newKeySet();
    private final Set<Destination> temporaries = ConcurrentHashMap.newKeySet();
    private volatile ConnectionManager server;
    /** Null while the server has taken it away. */
    private volatile DuramenManagedConnection managed;

    private volatile boolean started;
    private volatile boolean closed;

    ConnectionHandle(DuramenManagedConnectionFactory factory, LoginRequest request, DuramenManagedConnection managed) {
        this.factory = factory;
        this.request = request;
        this.managed = managed;
    }

    void allocatedBy(ConnectionManager manager) {
        server = manager;
    }

    // ---- the connection behind -------------------------------------------------------------------------------------

    /** @throws IllegalStateException once the handle is closed, by the application or with its connection */
    DuramenManagedConnection managed() throws JMSException {
        DuramenManagedConnection current = managed;
        if (closed) {
            throw new IllegalStateException("the connection is closed");
        }
        return current != null ? current : associated();
    }

    private synchronized DuramenManagedConnection associated() throws JMSException {
        if (managed == null) {
            if (!(server instanceof LazyAssociatableConnectionManager lazy)) {
                throw new IllegalStateException("the application server has taken the connection away");
            }
            try {
                lazy.associateConnection(this, factory, request);
            } catch (ResourceException e) {
                throw Failures.toApplication(e);
            }
            if (started) {
                managed().physical().start();
            }
        }
        return managed();
    }

    /** The server has given another, or taken it away where null. */
    void associate(DuramenManagedConnection next) {
        DuramenManagedConnection before = managed;
        if (before != null && before != next) {
            leave();
            before.forget(this);
        }
        managed = next;
    }

    /** Its connection goes back to the pool. */
    void invalidate() {
        closed = true;
        leave();
        managed = null;
    }

    private void leave() {
        uses.forEach(SharedUse::closeChildren);
        temporaries.forEach(ConnectionHandle::delete);
        temporaries.clear();
    }

    private static void delete(Destination temporary) {
        try {
            if (temporary instanceof TemporaryQueue queue) {
                queue.delete();
            } else if (temporary instanceof TemporaryTopic topic) {
                topic.delete();
            }
        } catch (JMSException e) {
            LOG.debug("Temporary destination {} ends with its connection", temporary, e);
        }
    }

    /** It ends with this handle, not with the connection, which goes back to its pool. */
    void made(Destination temporary) {
        temporaries.add(temporary);
    }

    void opened(SharedUse use) {
        uses.add(use);
    }

    void closed(SharedUse use) {
        uses.remove(use);
    }

    // ---- for applications ------------------------------------------------------------------------------------------

    private <T> T session(Class<T> kind) throws JMSException {
        managed();
        return SessionHandle.of(this, kind);
    }

    /** {@inheritDoc} In a server the arguments say nothing: the transaction does, and without one it is AUTO_ACKNOWLEDGE. */
    @Override
    public Session createSession(boolean transacted, int acknowledgeMode) throws JMSException {
        return session(Session.class);
    }

    @Override
    public Session createSession(int sessionMode) throws JMSException {
        return session(Session.class);
    }

    @Override
    public Session createSession() throws JMSException {
        return session(Session.class);
    }

    @Override
    public QueueSession createQueueSession(boolean transacted, int acknowledgeMode) throws JMSException {
        return session(QueueSession.class);
    }

    @Override
    public TopicSession createTopicSession(boolean transacted, int acknowledgeMode) throws JMSException {
        return session(TopicSession.class);
    }

    @Override
    public void start() throws JMSException {
        managed().physical().start();
        started = true;
    }

    @Override
    public String getClientID() throws JMSException {
        return managed().physical().getClientID();
    }

    @Override
    public ConnectionMetaData getMetaData() throws JMSException {
        return managed().physical().getMetaData();
    }

    @Override
    public ExceptionListener getExceptionListener() throws JMSException {
        managed();
        return null;
    }

    @Override
    public void close() throws JMSException {
        if (closed) {
            return;
        }
        closed = true;
        leave();
        DuramenManagedConnection current = managed;
        managed = null;
        if (current != null) {
            current.onClosed(this);
        }
    }

    // ---- for the server alone --------------------------------------------------------------------------------------

    @Override
    public void stop() throws JMSException {
        throw Refused.inContainer("Connection.stop");
    }

    @Override
    public void setClientID(String id) throws JMSException {
        throw Refused.inContainer("Connection.setClientID");
    }

    @Override
    public void setExceptionListener(ExceptionListener listener) throws JMSException {
        throw Refused.inContainer("Connection.setExceptionListener");
    }

    @Override
    public ConnectionConsumer createConnectionConsumer(
            Destination destination, String selector, ServerSessionPool pool, int messagesMax) throws JMSException {
        throw Refused.inContainer("createConnectionConsumer");
    }

    @Override
    public ConnectionConsumer createConnectionConsumer(
            Queue queue, String selector, ServerSessionPool pool, int messagesMax) throws JMSException {
        throw Refused.inContainer("createConnectionConsumer");
    }

    @Override
    public ConnectionConsumer createConnectionConsumer(
            Topic topic, String selector, ServerSessionPool pool, int messagesMax) throws JMSException {
        throw Refused.inContainer("createConnectionConsumer");
    }

    @Override
    public ConnectionConsumer createDurableConnectionConsumer(
            Topic topic, String name, String selector, ServerSessionPool pool, int messagesMax) throws JMSException {
        throw Refused.inContainer("createDurableConnectionConsumer");
    }

    @Override
    public ConnectionConsumer createSharedConnectionConsumer(
            Topic topic, String name, String selector, ServerSessionPool pool, int messagesMax) throws JMSException {
        throw Refused.inContainer("createSharedConnectionConsumer");
    }

    @Override
    public ConnectionConsumer createSharedDurableConnectionConsumer(
            Topic topic, String name, String selector, ServerSessionPool pool, int messagesMax) throws JMSException {
        throw Refused.inContainer("createSharedDurableConnectionConsumer");
    }

    @Override
    public String toString() {
        return "ConnectionHandle[" + factory.login() + (closed ? ", closed]" : "]");
    }
}
