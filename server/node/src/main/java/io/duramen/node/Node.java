package io.duramen.node;

import io.duramen.node.directory.DataDirectory;
import io.duramen.node.directory.PidFile;
import io.duramen.node.management.NodeManagement;
import io.duramen.node.network.Door;
import io.duramen.node.network.NetworkServer;
import io.duramen.node.security.AnonymousRule;
import io.duramen.node.security.Users;
import io.duramen.node.shard.Clients;
import io.duramen.node.shard.ShardHosts;
import jakarta.enterprise.inject.se.SeContainer;
import jakarta.enterprise.inject.se.SeContainerInitializer;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.Collection;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The order in which a node's parts start, and, reversed, end. Used by one thread at a time.
 */
@Singleton
class Node {
    private static final Logger LOG = LoggerFactory.getLogger(Node.class);

    private final NodeSettings settings;
    private final DataDirectory directory;
    private final ShardHosts shards;
    private final NetworkServer network;
    private final NodeManagement management;

    @Inject
    Node(
            NodeSettings settings,
            DataDirectory directory,
            ShardHosts shards,
            NetworkServer network,
            NodeManagement management) {
        this.settings = settings;
        this.directory = directory;
        this.shards = shards;
        this.network = network;
        this.management = management;
    }

    /** Wires a node; closing the container does not close the node. */
    static SeContainer wire(NodeSettings settings, DataDirectory directory, Door door, ShardHosts shards) {
        return SeContainerInitializer.newInstance()
                .disableDiscovery()
                .addBeanClasses(NodeBeans.class, Node.class)
                .addExtensions(new GivenBeans()
                        .with(NodeSettings.class, settings)
                        .with(DataDirectory.class, directory)
                        .with(Door.class, door)
                        .with(ShardHosts.class, shards))
                .addProperty("org.jboss.weld.se.shutdownHook", false)
                .initialize();
    }

    /**
     * Starts everything; returns when clients are served.
     *
     * @param localName address inside this JVM to listen on, too
     * @return the TCP port
     * @throws IOException where data cannot be read or written, or an address cannot be bound
     */
    int start(Optional<String> localName) throws IOException {
        LOG.info(
                "Duramen {} starts on {} with Java {}",
                Version.current(),
                directory.path(),
                System.getProperty("java.version"));
        if (settings.changed().isEmpty()) {
            LOG.info("All settings are at their defaults");
        } else {
            LOG.info("Settings that differ from the defaults: {}", String.join(", ", settings.changed()));
        }
        AnonymousRule.check(settings.network().host(), settings.security());
        Users.createAdmin(directory.path(), settings.security())
                .ifPresent(file -> LOG.info("First start: user '{}' made, its password is in {}", Users.ADMIN, file));
        PidFile.write(directory);
        try {
            shards.start(clients());
            if (localName.isPresent()) {
                network.listenInside(localName.get());
            }
            int port = network.listen();
            management.start(port);
            return port;
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private Clients clients() {
        return new Clients() {
            @Override
            public void letIn() {
                network.letIn();
            }

            @Override
            public void sendAway() {
                network.sendAway();
            }

            @Override
            public void admitNone() {
                network.admitNone();
            }

            @Override
            public void cut(Collection<Long> connections) {
                network.cut(connections);
            }

            @Override
            public void cutSoon(long connection) {
                network.close(connection);
            }
        };
    }

    /** Ends everything that was started, the last first. */
    void close() {
        LOG.info("Duramen on {} stops: no new connections, {} open", directory.path(), network.connections());
        management.close();
        network.close();
        shards.close();
        try {
            PidFile.remove(directory);
        } catch (IOException e) {
            LOG.warn("The pid file stays: {}", e.toString());
        }
        LOG.info("Duramen on {} has stopped", directory.path());
    }
}
