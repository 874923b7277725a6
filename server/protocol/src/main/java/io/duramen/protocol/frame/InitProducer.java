package io.duramen.protocol.frame;

/**
 * Takes over the identity of a transactional producer: from here on, Commits of every earlier incarnation are refused with
 * {@link io.duramen.protocol.ErrorCode#PRODUCER_FENCED}. Answered when that is as durable as {@link Publish.Acks#ALL} asks
 * for, and thereby knows for certain which transaction of the earlier incarnations was the last to commit. A repeat with the
 * same incarnation is answered as the first was and changes nothing.
 */
public interface InitProducer {
    /**
     * @param name of the identity; made where there is none
     * @param incarnation a random number of the one who asks, other than those before it
     * @param producerId a random number, not 0: that of the identity's Commits if it is made now
     */
    record Request(int shard, String name, long incarnation, long producerId) implements ForShard {}

    /**
     * @param producerId for this incarnation's Commits
     * @param epoch for this incarnation's Commits; at least 1. Their sequences begin beyond {@code epoch << 32}, so that they
     *     ascend over incarnations
     * @param lastSequence of the last transaction of the identity that has committed; 0 for none
     * @param lastLabel of that transaction; empty for none
     */
    record Response(long producerId, int epoch, long lastSequence, String lastLabel) {}
}
