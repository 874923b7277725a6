package io.duramen.protocol.record;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import java.nio.ByteBuffer;

/**
 * A part of a large body: bytes behind the header of a {@link RecordBatch}, so that the log stores and checks it as it
 * does a batch of one message. In place of producer, epoch and sequence stand the body's name, two random numbers, and
 * the part's index, from 0.
 */
public final class BodyPart {
    /** Bytes before the body's. */
    public static final int HEADER_LENGTH = RecordBatch.HEADER_LENGTH;

    /** Most bytes of a body in one part. */
    public static final int LENGTH_MAX = 1024 * 1024;

    private BodyPart() {}

    /** @param part position at its first byte, limit at the end of the body's bytes, which stand behind the gap left for the header */
    public static void seal(ByteBuffer part, BodyName body, int index) {
        RecordBatch.sealAs(RecordBatch.ATTRIBUTE_PART, part, body.high(), index, body.low(), 1);
    }

    /** Whose part it is. */
    public static BodyName body(ByteBuffer part) {
        return new BodyName(RecordBatch.producerId(part), RecordBatch.baseSequence(part));
    }

    public static int index(ByteBuffer part) {
        return RecordBatch.producerEpoch(part);
    }

    /** Bytes of the body in it. */
    public static int length(ByteBuffer part) {
        return part.remaining() - HEADER_LENGTH;
    }

    /** A view of the body's bytes. */
    public static ByteBuffer bytes(ByteBuffer part) {
        return part.slice(part.position() + HEADER_LENGTH, length(part));
    }

    /**
     * @param part position and limit enclose exactly the part
     * @throws ProtocolException with {@link ErrorCode#CORRUPT_BATCH} where it is none
     */
    public static void check(ByteBuffer part) {
        RecordBatch.checkLengthAndChecksum(part);
        if (!RecordBatch.isPart(part) || RecordBatch.count(part) != 1 || index(part) < 0) {
            throw new ProtocolException(ErrorCode.CORRUPT_BATCH, "it is no part of a large body");
        }
        if (length(part) < 1 || length(part) > LENGTH_MAX) {
            throw new ProtocolException(
                    ErrorCode.CORRUPT_BATCH, "a part of " + length(part) + " bytes is not within 1.." + LENGTH_MAX);
        }
    }

    /** Whether a batch from the log is this part of that body. */
    public static boolean isPart(ByteBuffer stored, BodyName body, int index) {
        return RecordBatch.isPart(stored)
                && index(stored) == index
                && body(stored).equals(body);
    }
}
