package io.duramen.protocol.frame;

/**
 * One way, server to client: the consumer is to leave, since an operator wants it to. The client settles what its application has
 * accepted, leaves by {@link Detach} in all shards in which that consumer is, and tells the application. Where it does not do so in
 * time, the server has the consumer leave by itself; it says this once more then.
 */
public interface EndConsumer {
    /** @param reason for the application */
    record Push(int shard, int consumerId, String reason) {}
}
