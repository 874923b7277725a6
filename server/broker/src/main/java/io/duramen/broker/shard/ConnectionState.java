package io.duramen.broker.shard;

import io.duramen.broker.subscription.Consumer;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a connection has with this shard. Soft state; confined to the agent. */
final class ConnectionState {
    private static final int CONSUMERS_MAX = 10_000;

    private final ClientConnection connection;
    private final TreeMap<Integer, Consumer> consumers = new TreeMap<>();
    private final TreeSet<String> temporaries = new TreeSet<>();
    private boolean gone;

    ConnectionState(ClientConnection connection) {
        this.connection = connection;
    }

    ClientConnection connection() {
        return connection;
    }

    /** Whether the connection has ended. */
    boolean isGone() {
        return gone;
    }

    void end() {
        gone = true;
    }

    void add(Consumer consumer) {
        consumers.put(consumer.id(), consumer);
    }

    /** @throws ProtocolException where the connection has as many consumers as it may */
    void requireRoom() {
        if (consumers.size() >= CONSUMERS_MAX) {
            throw new ProtocolException(
                    ErrorCode.RESOURCE_EXHAUSTED, "the connection has " + CONSUMERS_MAX + " consumers");
        }
    }

    boolean has(int consumerId) {
        return consumers.containsKey(consumerId);
    }

    /** @throws ProtocolException where no such consumer is attached */
    Consumer consumer(int consumerId) {
        Consumer consumer = consumers.get(consumerId);
        if (consumer == null) {
            throw new ProtocolException(
                    ErrorCode.CONSUMER_NOT_FOUND, "no consumer " + consumerId + " is attached on this connection");
        }
        return consumer;
    }

    /** Sorted by id. */
    List<Consumer> consumers() {
        return new ArrayList<>(consumers.values());
    }

    /** Those of higher ids, sorted by id. */
    Collection<Consumer> consumersBehind(int id) {
        return consumers.tailMap(id, false).values();
    }

    /** Forgets consumers that have left and hold nothing any more. */
    void forgetSpent() {
        consumers.values().removeIf(consumer -> consumer.isDetached() && consumer.leases() == 0);
    }

    /** Names of the temporary destinations that live as long as this connection, sorted. */
    TreeSet<String> temporaries() {
        return temporaries;
    }
}
