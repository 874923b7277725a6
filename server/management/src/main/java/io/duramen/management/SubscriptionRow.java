package io.duramen.management;

import javax.management.ConstructorParameters;

/**
 * A durable subscription of a topic. Immutable.
 *
 * @param clientId empty for none
 * @param selector empty for none
 * @param backlog messages that it has not settled; what its selector leaves out is among them until it is met
 * @param held of these, those that consumers hold
 * @param consumers in the shard where it has most
 * @param paused whether nothing is handed out of it, by itself or with its topic
 */
public record SubscriptionRow(
        int id,
        String topic,
        String clientId,
        String name,
        boolean shared,
        String selector,
        long backlog,
        long held,
        int consumers,
        boolean paused) {
    @ConstructorParameters({
        "id",
        "topic",
        "clientId",
        "name",
        "shared",
        "selector",
        "backlog",
        "held",
        "consumers",
        "paused"
    })
    public SubscriptionRow {}

    public int getId() {
        return id;
    }

    public String getTopic() {
        return topic;
    }

    public String getClientId() {
        return clientId;
    }

    public String getName() {
        return name;
    }

    public boolean isShared() {
        return shared;
    }

    public String getSelector() {
        return selector;
    }

    public long getBacklog() {
        return backlog;
    }

    public long getHeld() {
        return held;
    }

    public int getConsumers() {
        return consumers;
    }

    public boolean isPaused() {
        return paused;
    }
}
