package io.duramen.protocol.frame;

/** Leaves a subscription, in the shard with the catalogue last. What the consumer still holds is given back; deliveries beyond {@code seen} do not count. */
public interface Detach {
    /**
     * @param seen see {@link Credit.Push#seen}
     * @param keepSeen when true, the leases of deliveries up to {@code seen} stay until they are settled (or the
     *     connection ends): the session may still acknowledge or roll back what a closed consumer gave it
     */
    record Request(int shard, int consumerId, long seen, boolean keepSeen) implements ForShard {}

    record Response() {}
}
