package io.duramen.ra.outbound;

import io.duramen.ra.address.LoginSource;
import io.duramen.ra.address.NodeLogin;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.ConfigProperty;
import jakarta.resource.spi.ConnectionDefinition;
import jakarta.resource.spi.ConnectionManager;
import jakarta.resource.spi.ConnectionRequestInfo;
import jakarta.resource.spi.IllegalStateException;
import jakarta.resource.spi.ManagedConnection;
import jakarta.resource.spi.ManagedConnectionFactory;
import jakarta.resource.spi.ResourceAdapter;
import jakarta.resource.spi.ResourceAdapterAssociation;
import jakarta.resource.spi.ValidatingManagedConnectionFactory;
import jakarta.resource.spi.security.PasswordCredential;
import java.io.PrintWriter;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Objects;
import java.util.Set;
import javax.security.auth.Subject;

/**
 * Any thread, once configured. Makes the connections that the server pools; what is not said here, the resource adapter
 * says. One definition for all kinds of factories: what an application gets is a ConnectionFactory, QueueConnectionFactory
 * and TopicConnectionFactory.
 */
@ConnectionDefinition(
        connectionFactory = ConnectionFactory.class,
        connectionFactoryImpl = PooledConnectionFactory.class,
        connection = Connection.class,
        connectionImpl = ConnectionHandle.class)
public final class DuramenManagedConnectionFactory
        implements ManagedConnectionFactory,
                ResourceAdapterAssociation,
                ValidatingManagedConnectionFactory,
                LoginSource {
    private static final long serialVersionUID = 1L;

    private NodeLogin own = NodeLogin.UNSAID;
    private String clientId;
    private ResourceAdapter adapter;
    private transient PrintWriter logWriter;

    // ---- configuration ---------------------------------------------------------------------------------------------

    @ConfigProperty(description = "duramen://host:port,host:port?option=value; the adapter's where it is not said")
    public void setServerUrl(String url) {
        own = new NodeLogin(url, own.user(), own.password());
    }

    public String getServerUrl() {
        return own.url();
    }

    @ConfigProperty(description = "who logs in where neither the application nor the server says it")
    public void setUserName(String user) {
        own = new NodeLogin(own.url(), user, own.password());
    }

    public String getUserName() {
        return own.user();
    }

    @ConfigProperty(description = "its password", confidential = true)
    public void setPassword(String password) {
        own = new NodeLogin(own.url(), own.user(), password);
    }

    public String getPassword() {
        return own.password();
    }

    @ConfigProperty(description = "of each connection; two cannot have the same, so for pools of one")
    public void setClientId(String id) {
        clientId = id == null || id.isEmpty() ? null : id;
    }

    public String getClientId() {
        return clientId;
    }

    @Override
    public ResourceAdapter getResourceAdapter() {
        return adapter;
    }

    @Override
    public void setResourceAdapter(ResourceAdapter ra) throws ResourceException {
        if (adapter != null && adapter != ra) {
            throw new IllegalStateException("the connection factory belongs to another resource adapter already");
        }
        adapter = ra;
    }

    @Override
    public NodeLogin login() {
        return own.orElse(adapter instanceof LoginSource source ? source.login() : NodeLogin.UNSAID);
    }

    /** Who logs in: as the server says, else as the application says, else as is configured. */
    NodeLogin login(Subject subject, ConnectionRequestInfo request) {
        if (subject != null) {
            for (PasswordCredential credential : subject.getPrivateCredentials(PasswordCredential.class)) {
                if (equals(credential.getManagedConnectionFactory())) {
                    return login().as(credential.getUserName(), new String(credential.getPassword()));
                }
            }
        }
        return request instanceof LoginRequest said ? login().as(said.user(), said.password()) : login();
    }

    // ---- factories and connections ---------------------------------------------------------------------------------

    @Override
    public Object createConnectionFactory(ConnectionManager server) {
        return new PooledConnectionFactory(this, server);
    }

    /** Outside of a server: the client's own, which needs none. */
    @Override
    public Object createConnectionFactory() throws ResourceException {
        return login().factory();
    }

    @Override
    public ManagedConnection createManagedConnection(Subject subject, ConnectionRequestInfo request)
            throws ResourceException {
        return new DuramenManagedConnection(this, login(subject, request));
    }

    @Override
    public ManagedConnection matchManagedConnections(
            @SuppressWarnings("rawtypes") Set candidates, Subject subject, ConnectionRequestInfo request) {
        NodeLogin wanted = login(subject, request);
        for (Object candidate : candidates) {
            if (candidate instanceof DuramenManagedConnection connection
                    && connection.login().equals(wanted)
                    && connection.isValid()) {
                return connection;
            }
        }
        return null;
    }

    @Override
    public Set<?> getInvalidConnections(@SuppressWarnings("rawtypes") Set candidates) {
        Set<Object> invalid = new HashSet<>();
        for (Iterator<?> each = candidates.iterator(); each.hasNext(); ) {
            if (each.next() instanceof DuramenManagedConnection connection && !connection.isValid()) {
                invalid.add(connection);
            }
        }
        return invalid;
    }

    @Override
    public void setLogWriter(PrintWriter writer) {
        logWriter = writer;
    }

    /** Nothing is written to it: the adapter logs as the client does. */
    @Override
    public PrintWriter getLogWriter() {
        return logWriter;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DuramenManagedConnectionFactory that
                && own.equals(that.own)
                && Objects.equals(clientId, that.clientId)
                && Objects.equals(adapter, that.adapter);
    }

    @Override
    public int hashCode() {
        return Objects.hash(own, clientId, adapter);
    }

    @Override
    public String toString() {
        return "DuramenManagedConnectionFactory[" + login() + "]";
    }
}
