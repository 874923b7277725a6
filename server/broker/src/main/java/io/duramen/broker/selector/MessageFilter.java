package io.duramen.broker.selector;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Which of a partition's messages a consumer takes. Says the same of the same message for ever. Consumers of one
 * subscription whose filters are equal share a lane through each partition, so that each message is looked at once for
 * all of them: an implementation has {@code equals} and {@code hashCode}. Confined to the shard's agent.
 */
@FunctionalInterface
public interface MessageFilter {
    /** Takes every message. It alone is served by streaming, without a look at the messages. */
    MessageFilter ALL = (batch, record, offset) -> true;

    /**
     * @param batch holds the record; its position is not to be relied on, nor moved
     * @param record where the record begins in it
     * @param offset of the message in its partition
     */
    boolean matches(ByteBuffer batch, int record, long offset);

    /** What it demands of one field, if it does, so that it can be answered from an index. */
    default Optional<Equality> equality() {
        return Optional.empty();
    }
}
