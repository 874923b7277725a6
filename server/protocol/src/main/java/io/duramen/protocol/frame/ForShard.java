package io.duramen.protocol.frame;

/** What a client says to one shard; everything else is for the catalogue in shard {@value #CATALOGUE}. */
public interface ForShard {
    /** The shard that carries the definitions of destinations and subscriptions. */
    int CATALOGUE = 0;

    /** Number of the shard. */
    int shard();
}
