package io.duramen.jms.message;

import io.duramen.protocol.MalformedFrameException;
import io.duramen.protocol.record.MessageRecord;
import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import java.nio.ByteBuffer;
import java.util.function.Function;

/** One thread at a time. The body that a message was received with: in its record, or apart, to be fetched. */
final class ReceivedBody {
    /** Longest body that is always fetched with its message, as if it had come with it: one part of what clients send. */
    static final int FETCHED_AT_ONCE = 128 * 1024;

    private ByteBuffer atHand;
    /** Null where it is at hand. */
    private BodyParts parts;
    /** All of the parts, once they were asked for at once. */
    private ByteBuffer whole;

    /** @param record whose body region begins {@code from} bytes behind its first */
    ReceivedBody(ByteBuffer record, int recordAt, int from) {
        atHand = record.slice(from, record.getInt(recordAt + MessageRecord.BODY_LENGTH_AT));
    }

    /**
     * It is read from there.
     *
     * @param inParts whether its application reads it part by part
     * @throws JMSException where it is fetched at once, and cannot be
     */
    void comesFrom(BodyParts apart, boolean inParts) throws JMSException {
        if (inParts && apart.length() > FETCHED_AT_ONCE) {
            parts = apart;
        } else {
            atHand = whole(apart);
        }
    }

    /** Null where it is at hand. */
    BodyParts parts() {
        return parts;
    }

    /** Appends it, where it is at hand. */
    void put(BatchBuffer out) throws JMSException {
        out.putAll(atHand);
    }

    /** A new view of all of it, fetched where it is not at hand. */
    ByteBuffer bytes() throws JMSException {
        if (parts == null) {
            return atHand.duplicate();
        }
        if (whole == null) {
            whole = whole(parts.fresh());
        }
        return whole.duplicate();
    }

    private static ByteBuffer whole(BodyParts parts) throws JMSException {
        if (parts.length() > BatchBuffer.MAX_CAPACITY) {
            throw new MessageTooLongException("a body of " + parts.length() + " bytes does not fit into an array");
        }
        ByteBuffer whole = ByteBuffer.allocate((int) parts.length());
        for (ByteBuffer part = parts.next(); part != null; part = parts.next()) {
            if (part.remaining() > whole.remaining()) {
                throw new MessageFormatException("the body is longer than the " + parts.length() + " bytes it says");
            }
            whole.put(part);
        }
        return whole.flip();
    }

    /** See {@link DuramenMessage#longBody}. */
    BodyContent ifLong(int lengthMax) {
        if (parts != null) {
            return new PartsContent(parts.fresh());
        }
        return atHand.remaining() > lengthMax ? new BytesContent(atHand.duplicate()) : null;
    }

    /** @return what the bytes say, never the runtime's exception for bytes that are none of ours */
    static <T> T decode(ByteBuffer in, Function<ByteBuffer, T> reader) throws MessageFormatException {
        try {
            return reader.apply(in);
        } catch (MalformedFrameException e) {
            MessageFormatException damaged = new MessageFormatException("the message is damaged: " + e.getMessage());
            damaged.initCause(e);
            throw damaged;
        }
    }
}
