package io.duramen.broker.selector;

import java.nio.ByteBuffer;

/** Says of a stored message whether a consumer or a subscription wants it. Confined to the shard's agent. */
@FunctionalInterface
public interface MessageFilter {
    /**
     * @param batch holds the record; its position and limit mean nothing here
     * @param recordPosition where the record begins in it; it was checked when it was stored
     * @param offset of the message in its partition
     */
    boolean matches(ByteBuffer batch, int recordPosition, long offset);
}
