package io.duramen.broker.talk;

import java.nio.ByteBuffer;

/**
 * One thing that a shard says to another, as it stands on the wire. Immutable, and so are its bytes.
 *
 * @param type what it is; the talk does not care
 * @param body from position to limit
 */
public record Word(byte type, ByteBuffer body) {
    /** Of a word without a body on the wire: type and length. */
    private static final int HEAD_LENGTH = 5;

    int lengthBytes() {
        return HEAD_LENGTH + body.remaining();
    }
}
