package io.duramen.protocol.frame;

/** One way, server to client: nothing more is available now, and the consumer's credit is zero. */
public interface Drained {
    record Push(int shard, int consumerId) {}
}
