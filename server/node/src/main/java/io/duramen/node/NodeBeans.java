package io.duramen.node;

import io.duramen.broker.shard.ShardRequest;
import io.duramen.node.directory.DataDirectory;
import io.duramen.node.network.NetworkServer;
import io.duramen.node.security.Authenticator;
import io.duramen.node.security.Users;
import io.duramen.node.shard.ShardHost;
import io.duramen.node.shard.StateStore;
import io.duramen.runtime.Clock;
import io.duramen.runtime.SystemClock;
import io.duramen.runtime.agent.MpscInbox;
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
    Clock clock() {
        return new SystemClock();
    }

    @Produces
    @Singleton
    MpscInbox<ShardRequest> shardInbox() {
        return new MpscInbox<>();
    }

    @Produces
    @Singleton
    Authenticator authenticator(DataDirectory directory) {
        return new Users(directory.path(), settings.security());
    }

    @Produces
    @Singleton
    ShardHost shardHost(DataDirectory directory, StateStore state, Clock clock, MpscInbox<ShardRequest> inbox) {
        return new ShardHost(directory, settings.broker(), state, settings.log(), clock, inbox);
    }

    @Produces
    @Singleton
    NetworkServer networkServer(Authenticator authenticator, MpscInbox<ShardRequest> inbox) {
        return new NetworkServer(settings.network(), settings.node().name(), authenticator, inbox);
    }
}
