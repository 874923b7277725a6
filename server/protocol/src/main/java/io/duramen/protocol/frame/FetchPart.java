package io.duramen.protocol.frame;

import java.nio.ByteBuffer;

/** Reads a part of a large body, as long as its message is not settled: by the consumer that holds it, or by a browser. */
public interface FetchPart {
    /** In place of a consumer: a browser. */
    int BROWSER = 0;

    /**
     * @param consumerId who holds the message, or {@link #BROWSER}
     * @param partition of the message
     * @param offset of the message
     * @param home partition of the part, see {@link io.duramen.protocol.record.LargeBody#partition}
     * @param nameHigh with {@code nameLow} the body's name
     * @param index of the part in its body
     * @param place offset of the part
     */
    record Request(
            int shard,
            int consumerId,
            int partition,
            long offset,
            int home,
            long nameHigh,
            long nameLow,
            int index,
            long place)
            implements ForShard {}

    /** @param part see {@link io.duramen.protocol.record.BodyPart} */
    record Response(ByteBuffer part) {}
}
