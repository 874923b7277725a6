package io.duramen.management;

import javax.management.ConstructorParameters;

/**
 * A connection that consumes a destination. Immutable.
 *
 * @param connection its id, see {@link ConnectionsMXBean}
 * @param clientId empty for none
 * @param subscription of a topic, its name; empty for all without one, and of a queue
 * @param consumers that it has there, in the shard where it has most
 * @param held messages that they hold, prefetched ones included
 */
public record ConsumerRow(
        long connection, String user, String clientId, String subscription, int consumers, long held) {
    @ConstructorParameters({"connection", "user", "clientId", "subscription", "consumers", "held"})
    public ConsumerRow {}

    public long getConnection() {
        return connection;
    }

    public String getUser() {
        return user;
    }

    public String getClientId() {
        return clientId;
    }

    public String getSubscription() {
        return subscription;
    }

    public int getConsumers() {
        return consumers;
    }

    public long getHeld() {
        return held;
    }
}
