package io.duramen.protocol.frame;

/**
 * Confirms a half message, so that it is in its partition, behind all that are there; or cancels it. Answered when that is as
 * durable as {@link Publish.Acks#ALL} asks for. Either is answered again, as often as it is repeated, as long as the node
 * remembers the end; the other one then is refused with {@link io.duramen.protocol.ErrorCode#HALF_ENDED}. For the user who
 * stored it, or an admin.
 */
public interface EndHalf {
    record Request(int shard, HalfId id, boolean confirm) implements ForShard {}

    record Response() {}
}
