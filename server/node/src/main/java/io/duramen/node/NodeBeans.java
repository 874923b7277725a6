package io.duramen.node;

import io.duramen.node.directory.DataDirectory;
import io.duramen.node.management.NodeManagement;
import io.duramen.node.network.Door;
import io.duramen.node.network.NetworkServer;
import io.duramen.node.security.Authenticator;
import io.duramen.node.security.Users;
import io.duramen.node.shard.ShardHosts;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;

/** Makes the parts of the floors below, which know nothing of injection. Nothing is started here. */
@Singleton
class NodeBeans {
    private final NodeSettings settings;

    @Inject
    NodeBeans(NodeSettings settings) {
        this.settings = settings;
    }

    @Produces
    @Singleton
    Authenticator authenticator(DataDirectory directory) {
        return new Users(directory.path(), settings.security());
    }

    @Produces
    @Singleton
    NetworkServer networkServer(Authenticator authenticator, Door door, ShardHosts shards) {
        return new NetworkServer(
                settings.network(),
                settings.node().name(),
                authenticator,
                door,
                shards.inboxes(),
                shards.connectionIds());
    }

    @Produces
    @Singleton
    NodeManagement nodeManagement(
            DataDirectory directory, ShardHosts shards, NetworkServer network, Authenticator authenticator) {
        NodeManagement.Identity identity = new NodeManagement.Identity(
                settings.node().name(),
                Version.current(),
                settings.network().host(),
                directory.path(),
                settings.changed());
        return new NodeManagement(settings.management(), identity, shards, network, authenticator);
    }
}
