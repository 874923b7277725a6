package io.duramen.broker.shard;

import io.duramen.protocol.FormatLevel;
import io.duramen.protocol.frame.ForShard;

/**
 * Which shard of a node it is, and the others. Immutable.
 *
 * @param counters where it tells how it stands; the same for one agent after the other
 * @param secret random, known to no client, so that none can foretell what is hashed with it; another after each start
 * @param formatMax {@link FormatLevel} up to which the node reads
 */
public record ShardPlace(int shard, Neighbours others, ShardCounters counters, long secret, int formatMax) {
    public ShardPlace(int shard, Neighbours others, long secret) {
        this(shard, others, new ShardCounters(), secret, FormatLevel.NEWEST);
    }

    /** The only one, and one whose clients are trusted. */
    public static ShardPlace alone() {
        return new ShardPlace(0, Neighbours.NONE, 0);
    }

    int shards() {
        return others.shards();
    }

    /** Whether it carries the definitions of destinations and subscriptions. */
    boolean hasCatalogue() {
        return shard == ForShard.CATALOGUE;
    }
}
