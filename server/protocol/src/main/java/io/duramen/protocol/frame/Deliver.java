package io.duramen.protocol.frame;

import java.nio.ByteBuffer;

/** One way, server to client: messages leased to a consumer. */
public interface Deliver {
    /**
     * @param count messages in {@code deliveries}, at least 1
     * @param deliveries see {@link io.duramen.protocol.record.Deliveries}
     */
    record Push(int shard, int consumerId, int partition, int count, ByteBuffer deliveries) {}
}
