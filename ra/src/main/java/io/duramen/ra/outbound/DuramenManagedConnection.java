package io.duramen.ra.outbound;

import io.duramen.jms.session.DuramenConnection;
import io.duramen.jms.session.DuramenSession;
import io.duramen.ra.address.ConnectionOwner;
import io.duramen.ra.address.Failures;
import io.duramen.ra.address.NodeLogin;
import io.duramen.ra.branch.LocalBranch;
import io.duramen.ra.branch.ObservedResource;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.ConnectionEvent;
import jakarta.resource.spi.ConnectionEventListener;
import jakarta.resource.spi.ConnectionRequestInfo;
import jakarta.resource.spi.DissociatableManagedConnection;
import jakarta.resource.spi.LocalTransaction;
import jakarta.resource.spi.ManagedConnection;
import jakarta.resource.spi.ManagedConnectionMetaData;
import jakarta.resource.spi.SecurityException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import javax.security.auth.Subject;
import javax.transaction.xa.XAResource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Thread-safe. A connection of the server's pool, with its one session: outside of a transaction it acknowledges as it goes,
 * in one all belongs to that. Handles that share it are in the same transaction.
 */
final class DuramenManagedConnection
        implements ManagedConnection, DissociatableManagedConnection, ObservedResource.Observer {
    private static final Logger LOG = LoggerFactory.getLogger(DuramenManagedConnection.class);

    private final DuramenManagedConnectionFactory factory;
    private final NodeLogin login;
    private final DuramenConnection physical;
    private final DuramenSession session;
    private final XAResource resource;
    private final LocalBranch local;
    private final Set<ConnectionHandle> handles = ConcurrentHashMap.newKeySet();
    private final List<ConnectionEventListener> listeners = new CopyOnWriteArrayList<>();
    private volatile boolean inTransaction;
    private volatile boolean failed;
    private volatile PrintWriter logWriter;

    /** Connects and logs in. */
    DuramenManagedConnection(DuramenManagedConnectionFactory factory, NodeLogin login) throws ResourceException {
        this.factory = factory;
        this.login = login;
        XAConnection opened = null;
        try {
            opened = login.factory().createXAConnection();
            if (factory.getClientId() != null) {
                opened.setClientID(factory.getClientId());
            }
            XASession made = opened.createXASession();
            this.physical = (DuramenConnection) opened;
            this.session = (DuramenSession) made.getSession();
            this.resource = new ObservedResource(made.getXAResource(), this);
            this.local = new LocalBranch(resource);
            opened.setExceptionListener(this::onException);
            owner().ifPresent(owner -> owner.opened(physical));
        } catch (JMSException e) {
            close(opened);
            throw Failures.toServer(e);
        }
    }

    private static void close(XAConnection opened) {
        try {
            if (opened != null) {
                opened.close();
            }
        } catch (JMSException e) {
            LOG.debug("A connection that could not be set up did not close", e);
        }
    }

    private Optional<ConnectionOwner> owner() {
        return factory.getResourceAdapter() instanceof ConnectionOwner owner ? Optional.of(owner) : Optional.empty();
    }

    NodeLogin login() {
        return login;
    }

    DuramenConnection physical() {
        return physical;
    }

    DuramenSession session() {
        return session;
    }

    boolean isValid() {
        return !failed;
    }

    boolean isInTransaction() {
        return inTransaction;
    }

    int sessionMode() {
        return inTransaction ? Session.SESSION_TRANSACTED : Session.AUTO_ACKNOWLEDGE;
    }

    // ---- transactions ----------------------------------------------------------------------------------------------

    /** {@inheritDoc} It stays of use once the connection is closed. */
    @Override
    public XAResource getXAResource() {
        return resource;
    }

    @Override
    public LocalTransaction getLocalTransaction() {
        return local;
    }

    @Override
    public void onActive(boolean active) {
        inTransaction = active;
    }

    @Override
    public void onOutcome(boolean committed) {
        // The application is told by the transaction manager.
    }

    // ---- handles ---------------------------------------------------------------------------------------------------

    /** {@inheritDoc} Nobody is logged in anew over it: the server matches connections by who they are for. */
    @Override
    public Object getConnection(Subject subject, ConnectionRequestInfo request) throws ResourceException {
        if (!factory.login(subject, request).equals(login)) {
            throw new SecurityException("the connection belongs to another user, and cannot be logged in anew");
        }
        ConnectionHandle handle =
                new ConnectionHandle(factory, request instanceof LoginRequest said ? said : LoginRequest.NOBODY, this);
        handles.add(handle);
        return handle;
    }

    @Override
    public void associateConnection(Object connection) throws ResourceException {
        if (!(connection instanceof ConnectionHandle handle)) {
            throw new ResourceException(connection + " is no connection of this resource adapter");
        }
        handle.associate(this);
        handles.add(handle);
    }

    @Override
    public void dissociateConnections() {
        for (ConnectionHandle handle : handles) {
            handle.associate(null);
        }
        handles.clear();
    }

    /** The handle is another connection's from here on, or none's for the moment. */
    void forget(ConnectionHandle handle) {
        handles.remove(handle);
    }

    void onClosed(ConnectionHandle handle) {
        if (handles.remove(handle)) {
            ConnectionEvent closed = new ConnectionEvent(this, ConnectionEvent.CONNECTION_CLOSED);
            closed.setConnectionHandle(handle);
            tell(closed, ConnectionEventListener::connectionClosed);
        }
    }

    // ---- the pool --------------------------------------------------------------------------------------------------

    @Override
    public void cleanup() throws ResourceException {
        handles.forEach(ConnectionHandle::invalidate);
        handles.clear();
        try {
            if (!failed) {
                physical.stop(); // who has it next starts it again
            }
        } catch (JMSException e) {
            throw Failures.toServer(e);
        }
    }

    @Override
    public void destroy() throws ResourceException {
        handles.forEach(ConnectionHandle::invalidate);
        handles.clear();
        owner().ifPresent(owner -> owner.closed(physical));
        try {
            physical.close();
        } catch (JMSException e) {
            throw Failures.toServer(e);
        }
    }

    private void onException(JMSException problem) {
        if (!Failures.isEnd(problem)) {
            LOG.warn("A pooled connection to {}: {}", login, problem.toString());
            return;
        }
        failed = true;
        LOG.warn("A pooled connection to {} is given up: {}", login, problem.toString());
        tell(
                new ConnectionEvent(this, ConnectionEvent.CONNECTION_ERROR_OCCURRED, problem),
                ConnectionEventListener::connectionErrorOccurred);
    }

    private void tell(ConnectionEvent event, BiConsumer<ConnectionEventListener, ConnectionEvent> how) {
        listeners.forEach(listener -> how.accept(listener, event));
    }

    @Override
    public void addConnectionEventListener(ConnectionEventListener listener) {
        listeners.add(listener);
    }

    @Override
    public void removeConnectionEventListener(ConnectionEventListener listener) {
        listeners.remove(listener);
    }

    // ---- what it is ------------------------------------------------------------------------------------------------

    @Override
    public ManagedConnectionMetaData getMetaData() throws ResourceException {
        try {
            return ProductMetaData.of(physical.getMetaData(), login);
        } catch (JMSException e) {
            throw Failures.toServer(e);
        }
    }

    @Override
    public void setLogWriter(PrintWriter writer) {
        logWriter = writer;
    }

    @Override
    public PrintWriter getLogWriter() {
        return logWriter;
    }

    @Override
    public String toString() {
        return "DuramenManagedConnection[" + login + "]";
    }
}
