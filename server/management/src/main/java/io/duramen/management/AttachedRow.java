package io.duramen.management;

import javax.management.ConstructorParameters;

/**
 * What a consumer of an application is in one shard. Where its destination is in several shards, it has a row for each, under another
 * number. Immutable.
 *
 * @param consumer its number on the connection
 * @param subscription its name; empty for one without, and of a queue
 * @param held messages that it holds there, prefetched ones included
 */
public record AttachedRow(int consumer, int shard, String destination, String subscription, long held) {
    @ConstructorParameters({"consumer", "shard", "destination", "subscription", "held"})
    public AttachedRow {}

    public int getConsumer() {
        return consumer;
    }

    public int getShard() {
        return shard;
    }

    public String getDestination() {
        return destination;
    }

    public String getSubscription() {
        return subscription;
    }

    public long getHeld() {
        return held;
    }
}
