package io.duramen.broker.shard;

import io.duramen.protocol.frame.ForShard;

/** Which shard of a node it is, and the others. Immutable. */
public record ShardPlace(int shard, Neighbours others) {
    public static ShardPlace alone() {
        return new ShardPlace(0, Neighbours.NONE);
    }

    int shards() {
        return others.shards();
    }

    /** Whether it carries the definitions of destinations and subscriptions. */
    boolean hasCatalogue() {
        return shard == ForShard.CATALOGUE;
    }
}
