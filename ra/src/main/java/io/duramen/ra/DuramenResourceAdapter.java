package io.duramen.ra;

import io.duramen.jms.link.LinkThreads;
import io.duramen.ra.address.ConnectionOwner;
import io.duramen.ra.address.Failures;
import io.duramen.ra.address.LoginSource;
import io.duramen.ra.address.NodeLogin;
import io.duramen.ra.embedded.EmbeddedNode;
import io.duramen.ra.inbound.DuramenActivationSpec;
import io.duramen.ra.inbound.Endpoint;
import io.duramen.ra.inbound.ServerThreads;
import jakarta.jms.JMSException;
import jakarta.jms.XAConnection;
import jakarta.resource.NotSupportedException;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.ActivationSpec;
import jakarta.resource.spi.BootstrapContext;
import jakarta.resource.spi.ConfigProperty;
import jakarta.resource.spi.Connector;
import jakarta.resource.spi.InvalidPropertyException;
import jakarta.resource.spi.ResourceAdapter;
import jakarta.resource.spi.ResourceAdapterInternalException;
import jakarta.resource.spi.TransactionSupport.TransactionSupportLevel;
import jakarta.resource.spi.UnavailableException;
import jakarta.resource.spi.endpoint.MessageEndpointFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.transaction.xa.XAResource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Thread-safe, once configured. What a server deploys: knows where the node is, for all that say nothing else, and the
 * endpoints that are fed.
 */
@Connector(
        displayName = "Duramen",
        vendorName = "Duramen",
        eisType = "Jakarta Messaging",
        transactionSupport = TransactionSupportLevel.XATransaction)
public final class DuramenResourceAdapter implements ResourceAdapter, LoginSource, ConnectionOwner {
    private static final Logger LOG = LoggerFactory.getLogger(DuramenResourceAdapter.class);
    private static final long THREADS_END_MILLIS = 3_000;

    /** Of an activation, as the contract has it: equal factories and specs are the same activation. */
    private record Activation(MessageEndpointFactory factory, ActivationSpec spec) {}

    private final Map<Activation, Endpoint> endpoints = new ConcurrentHashMap<>();
    private final Set<AutoCloseable> connections = ConcurrentHashMap.newKeySet();
    private NodeLogin login = NodeLogin.UNSAID;
    private String embeddedHome;
    private String embeddedData;
    private int embeddedPort;
    private volatile EmbeddedNode embedded;
    private volatile ServerThreads threads;

    // ---- configuration ---------------------------------------------------------------------------------------------

    @ConfigProperty(description = "duramen://host:port,host:port?option=value", defaultValue = "duramen://localhost")
    public void setServerUrl(String url) {
        login = new NodeLogin(url, login.user(), login.password());
    }

    public String getServerUrl() {
        return login.url();
    }

    @ConfigProperty(description = "who logs in where nothing else says it")
    public void setUserName(String user) {
        login = new NodeLogin(login.url(), user, login.password());
    }

    public String getUserName() {
        return login.user();
    }

    @ConfigProperty(description = "its password", confidential = true)
    public void setPassword(String password) {
        login = new NodeLogin(login.url(), login.user(), password);
    }

    public String getPassword() {
        return login.password();
    }

    @ConfigProperty(description = "directory of a distribution, of which a node is to run inside the server")
    public void setEmbeddedHome(String directory) {
        embeddedHome = directory;
    }

    public String getEmbeddedHome() {
        return embeddedHome;
    }

    @ConfigProperty(description = "data directory of the node inside the server")
    public void setEmbeddedData(String directory) {
        embeddedData = directory;
    }

    public String getEmbeddedData() {
        return embeddedData;
    }

    @ConfigProperty(description = "TCP port of the node inside the server; 0 for any that is free", defaultValue = "0")
    public void setEmbeddedPort(Integer port) {
        embeddedPort = port;
    }

    public Integer getEmbeddedPort() {
        return embeddedPort;
    }

    /** At the node inside the server where there is one, with the options of the URL that is configured. */
    @Override
    public NodeLogin login() {
        EmbeddedNode inside = embedded;
        return inside == null ? login : login.at(inside.url());
    }

    // ---- life ------------------------------------------------------------------------------------------------------

    @Override
    public void start(BootstrapContext server) throws ResourceAdapterInternalException {
        try {
            login.factory(); // so that a wrong URL is told to who deploys
            embedded = embeddedNode();
            threads = new ServerThreads(server.getWorkManager(), server.createTimer());
        } catch (UnavailableException e) {
            endEmbedded();
            throw new ResourceAdapterInternalException("the server has no timer for the resource adapter", e);
        } catch (ResourceException e) {
            throw new ResourceAdapterInternalException(e.getMessage(), e);
        }
    }

    private EmbeddedNode embeddedNode() throws ResourceException {
        if (embeddedHome == null || embeddedHome.isBlank()) {
            return null;
        }
        if (embeddedData == null || embeddedData.isBlank()) {
            throw new InvalidPropertyException("embeddedData must say where the node inside the server keeps its data");
        }
        return EmbeddedNode.start(Path.of(embeddedHome.trim()), Path.of(embeddedData.trim()), embeddedPort);
    }

    private void endEmbedded() {
        EmbeddedNode inside = embedded;
        embedded = null;
        if (inside != null) {
            inside.close();
        }
    }

    @Override
    public void opened(AutoCloseable connection) {
        connections.add(connection);
    }

    @Override
    public void closed(AutoCloseable connection) {
        connections.remove(connection);
    }

    /** {@inheritDoc} Returns when nothing of the adapter runs any more, so that its classes may go. */
    @Override
    public void stop() {
        endpoints.values().forEach(Endpoint::stop);
        endpoints.clear();
        threads.stop();
        connections.forEach(DuramenResourceAdapter::close);
        connections.clear();
        LinkThreads.awaitEnd(THREADS_END_MILLIS);
        endEmbedded();
    }

    private static void close(AutoCloseable left) {
        try {
            left.close();
        } catch (Exception e) {
            LOG.debug("{} did not end cleanly", left, e);
        }
    }

    // ---- endpoints -------------------------------------------------------------------------------------------------

    @Override
    public void endpointActivation(MessageEndpointFactory factory, ActivationSpec spec) throws ResourceException {
        if (!(spec instanceof DuramenActivationSpec ours)) {
            throw new NotSupportedException(spec + " is no activation spec of this resource adapter");
        }
        if (ours.getResourceAdapter() == null) {
            ours.setResourceAdapter(this);
        }
        ours.validate();
        Endpoint endpoint = new Endpoint(threads, factory, ours);
        endpoints.put(new Activation(factory, spec), endpoint);
        endpoint.start();
    }

    /** {@inheritDoc} Returns when what is in hand has ended; what was sent ahead goes back untouched. */
    @Override
    public void endpointDeactivation(MessageEndpointFactory factory, ActivationSpec spec) {
        Endpoint endpoint = endpoints.remove(new Activation(factory, spec));
        if (endpoint != null) {
            endpoint.stop();
        }
    }

    // ---- recovery --------------------------------------------------------------------------------------------------

    /** One for each node and user that the specs name. They need no connection to stay open. */
    @Override
    public XAResource[] getXAResources(ActivationSpec[] specs) throws ResourceException {
        Set<NodeLogin> logins = new LinkedHashSet<>();
        for (ActivationSpec spec : specs) {
            if (spec instanceof DuramenActivationSpec ours) {
                if (ours.getResourceAdapter() == null) {
                    ours.setResourceAdapter(this);
                }
                logins.add(ours.login());
            }
        }
        List<XAResource> resources = new ArrayList<>();
        for (NodeLogin each : logins) {
            resources.add(resource(each));
        }
        return resources.toArray(XAResource[]::new);
    }

    private static XAResource resource(NodeLogin login) throws ResourceException {
        try (XAConnection connection = login.factory().createXAConnection()) {
            return connection.createXASession().getXAResource();
        } catch (JMSException e) {
            throw Failures.toServer(e);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DuramenResourceAdapter that && login.equals(that.login);
    }

    @Override
    public int hashCode() {
        return Objects.hash(login);
    }

    @Override
    public String toString() {
        return "DuramenResourceAdapter[" + login + "]";
    }
}
