package io.duramen.node.network;

import io.duramen.broker.shard.ShardRequest;
import io.duramen.node.security.Authenticator;
import io.duramen.node.security.LoginThrottle;
import io.duramen.runtime.agent.Inbox;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * What the connections of a node share. Thread-safe.
 *
 * @param door whether clients are let in
 * @param logins runs what a login costs, beside the event loops
 * @param shards where each takes requests, by its number
 * @param outboundTotal bytes that wait on all connections together
 * @param connections those that are open
 */
record NetworkContext(
        NetworkConfig config,
        String nodeName,
        Authenticator authenticator,
        Door door,
        LoginThrottle throttle,
        Executor logins,
        List<Inbox<ShardRequest>> shards,
        ClientIds clientIds,
        ConnectionLimits limits,
        InboundBudget inbound,
        AtomicLong outboundTotal,
        LongSupplier connectionIds,
        boolean overNodes,
        Set<Connection> connections) {
    NetworkContext(
            NetworkConfig config,
            String nodeName,
            Authenticator authenticator,
            Door door,
            Executor logins,
            List<Inbox<ShardRequest>> shards) {
        this(
                config,
                nodeName,
                authenticator,
                door,
                new LoginThrottle(),
                logins,
                shards,
                new ClientIds(),
                new ConnectionLimits(config.connectionsMax(), config.connectionsPerAddressMax()),
                new InboundBudget(config.inboundTotal().count()),
                new AtomicLong(),
                new AtomicLong()::incrementAndGet,
                false,
                ConcurrentHashMap.newKeySet());
    }

    /**
     * Where clients of a cluster come to several nodes.
     *
     * @param ids gives each connection its id
     */
    NetworkContext overNodes(LongSupplier ids) {
        return new NetworkContext(
                config,
                nodeName,
                authenticator,
                door,
                throttle,
                logins,
                shards,
                clientIds,
                limits,
                inbound,
                outboundTotal,
                ids,
                true,
                connections);
    }
}
