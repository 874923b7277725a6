package io.duramen.ra.outbound;

import io.duramen.jms.link.JmsErrors;
import io.duramen.jms.session.DuramenContext;
import io.duramen.ra.address.Failures;
import io.duramen.ra.address.LoginSource;
import io.duramen.ra.address.NodeLogin;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueConnectionFactory;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicConnectionFactory;
import jakarta.resource.Referenceable;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.ConnectionManager;
import java.io.Serializable;
import javax.naming.Reference;

/** Any thread. What applications in a server look up: each connection or context is a handle on one of the server's pool. */
public final class PooledConnectionFactory
        implements ConnectionFactory,
                QueueConnectionFactory,
                TopicConnectionFactory,
                LoginSource,
                Referenceable,
                Serializable {
    private static final long serialVersionUID = 1L;

    private final DuramenManagedConnectionFactory factory;
    private final transient ConnectionManager server;
    private Reference reference;

    PooledConnectionFactory(DuramenManagedConnectionFactory factory, ConnectionManager server) {
        this.factory = factory;
        this.server = server;
    }

    private ConnectionHandle allocate(LoginRequest request) throws JMSException {
        try {
            ConnectionHandle handle = (ConnectionHandle) server.allocateConnection(factory, request);
            handle.allocatedBy(server);
            return handle;
        } catch (ResourceException e) {
            throw Failures.toApplication(e);
        }
    }

    @Override
    public Connection createConnection() throws JMSException {
        return allocate(LoginRequest.NOBODY);
    }

    @Override
    public Connection createConnection(String user, String password) throws JMSException {
        return allocate(new LoginRequest(user, password));
    }

    @Override
    public QueueConnection createQueueConnection() throws JMSException {
        return allocate(LoginRequest.NOBODY);
    }

    @Override
    public QueueConnection createQueueConnection(String user, String password) throws JMSException {
        return allocate(new LoginRequest(user, password));
    }

    @Override
    public TopicConnection createTopicConnection() throws JMSException {
        return allocate(LoginRequest.NOBODY);
    }

    @Override
    public TopicConnection createTopicConnection(String user, String password) throws JMSException {
        return allocate(new LoginRequest(user, password));
    }

    @Override
    public JMSContext createContext() {
        return context(LoginRequest.NOBODY, JMSContext.AUTO_ACKNOWLEDGE);
    }

    @Override
    public JMSContext createContext(int sessionMode) {
        return context(LoginRequest.NOBODY, sessionMode);
    }

    @Override
    public JMSContext createContext(String user, String password) {
        return context(new LoginRequest(user, password), JMSContext.AUTO_ACKNOWLEDGE);
    }

    @Override
    public JMSContext createContext(String user, String password, int sessionMode) {
        return context(new LoginRequest(user, password), sessionMode);
    }

    private JMSContext context(LoginRequest request, int sessionMode) {
        DuramenContext.checkMode(sessionMode);
        try {
            return ContextHandle.over(allocate(request));
        } catch (JMSException e) {
            throw JmsErrors.unchecked(e);
        }
    }

    @Override
    public NodeLogin login() {
        return factory.login();
    }

    @Override
    public void setReference(Reference bound) {
        reference = bound;
    }

    @Override
    public Reference getReference() {
        return reference;
    }

    @Override
    public String toString() {
        return "PooledConnectionFactory[" + factory.login() + "]";
    }
}
