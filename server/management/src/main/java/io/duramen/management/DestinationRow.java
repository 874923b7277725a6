package io.duramen.management;

import javax.management.ConstructorParameters;

/**
 * A destination of a node. Immutable.
 *
 * @param kind QUEUE, TOPIC, TEMPORARY_QUEUE or TEMPORARY_TOPIC
 * @param partitions of all shards
 * @param messages that a queue has and has not settled, held or not; 0 of a topic, see its subscriptions
 * @param held of these, those that consumers hold
 * @param consumers of all its subscriptions, in the shard where it has most
 * @param subscriptions durable or not; 1 of a queue
 * @param paused whether nothing is handed out of it
 */
public record DestinationRow(
        String name,
        String kind,
        int partitions,
        long messages,
        long held,
        int consumers,
        int subscriptions,
        boolean paused) {
    @ConstructorParameters({"name", "kind", "partitions", "messages", "held", "consumers", "subscriptions", "paused"})
    public DestinationRow {}

    public String getName() {
        return name;
    }

    public String getKind() {
        return kind;
    }

    public int getPartitions() {
        return partitions;
    }

    public long getMessages() {
        return messages;
    }

    public long getHeld() {
        return held;
    }

    public int getConsumers() {
        return consumers;
    }

    public int getSubscriptions() {
        return subscriptions;
    }

    public boolean isPaused() {
        return paused;
    }
}
