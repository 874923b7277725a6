package io.duramen.protocol.frame;

import io.duramen.protocol.frame.Publish.Acks;
import java.nio.ByteBuffer;

/**
 * Stores a part of a large body, ahead of the message that will name it. Parts are sent in the order of their index,
 * from 0; the first of a name begins a body. A repeat is answered as the first was and changes nothing. A body that no
 * message has named is kept for as long as the connection that stored its last part lives, and a time beyond.
 */
public interface StorePart {
    /**
     * @param partition to which the message will be sent
     * @param acks what the answer waits for; not {@link Acks#NONE}
     * @param part see {@link io.duramen.protocol.record.BodyPart}
     */
    record Request(int shard, int partition, Acks acks, ByteBuffer part) implements ForShard {}

    /** @param offset of the part among those of the partition */
    record Response(long offset) {}
}
