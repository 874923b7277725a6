package io.duramen.jms.message;

import io.duramen.protocol.MalformedFrameException;
import io.duramen.protocol.record.PropertyType;
import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * One thread at a time. The values of a stream message's body, decoded one after the other as the body comes in parts;
 * of a byte array that is read in pieces no more than those are in memory.
 */
final class StreamedValues {
    private static final int FIXED_MAX = 9;
    private static final int LENGTH_END = 5;

    private final BodyReading body;

    /** Values not yet begun; {@link ValueCodec#UNTIL_THE_END} where the body's end tells. */
    private int left;

    private boolean begun;
    private Object value;

    /** Bytes of the present array that are not read; -1 where the present value is no array, or was read whole. */
    private int arrayLeft = -1;

    private boolean arrayBegun;

    StreamedValues(BodyParts parts) throws JMSException {
        body = new BodyReading(parts);
        ByteBuffer in = body.atLeast(Integer.BYTES);
        if (in.remaining() < Integer.BYTES) {
            throw damaged("it has no count of values");
        }
        left = in.getInt();
    }

    /** Moves on to the next value, unless one is being read; false where there is none. */
    boolean begin() throws JMSException {
        if (begun) {
            return true;
        }
        ByteBuffer in = body.atLeast(FIXED_MAX);
        if (left == 0 || left == ValueCodec.UNTIL_THE_END && !in.hasRemaining()) {
            return false;
        }
        try {
            decode(in);
        } catch (BufferUnderflowException e) {
            throw damaged("a value ends early");
        } catch (MalformedFrameException e) {
            throw damaged(e.getMessage());
        }
        begun = true;
        return true;
    }

    private void decode(ByteBuffer in) throws JMSException {
        PropertyType type = PropertyType.of(in.get(in.position()));
        if (type != PropertyType.BYTES && type != PropertyType.STRING) {
            value = ValueCodec.read(in);
            return;
        }
        int length = in.getInt(in.position() + 1);
        if (length < 0 || length > body.length()) {
            throw damaged("a value of " + length + " bytes");
        }
        if (type == PropertyType.BYTES) {
            in.position(in.position() + LENGTH_END);
            arrayLeft = length;
        } else {
            value = ValueCodec.read(body.atLeast(LENGTH_END + length));
        }
    }

    /** Whether some of the present value, an array, was read and not its end. */
    boolean isPartlyRead() {
        return arrayBegun;
    }

    /** The present value as a whole. */
    Object value() throws JMSException {
        if (arrayLeft >= 0) {
            byte[] whole = new byte[arrayLeft];
            fill(whole, whole.length);
            value = whole;
            arrayLeft = -1;
        }
        return value;
    }

    /** Whether the present value is an array that {@link #readBytes} reads. */
    boolean isArray() {
        return arrayLeft >= 0;
    }

    /** As {@link jakarta.jms.StreamMessage#readBytes}, of the present array; after its end the next value is due. */
    int readBytes(byte[] into) throws JMSException {
        int length = Math.min(into.length, arrayLeft);
        boolean atEnd = arrayBegun && arrayLeft == 0;
        fill(into, length);
        arrayLeft -= length;
        arrayBegun = true;
        if (atEnd || length < into.length) {
            taken();
        }
        return atEnd ? -1 : length;
    }

    private void fill(byte[] into, int length) throws JMSException {
        if (body.readFully(into, 0, length) < length) {
            throw damaged("a byte array ends early");
        }
    }

    /** The present value is done with. */
    void taken() {
        begun = false;
        value = null;
        arrayLeft = -1;
        arrayBegun = false;
        if (left > 0) {
            left--;
        }
    }

    private static MessageFormatException damaged(String how) {
        return new MessageFormatException("the body of the stream message is damaged: " + how);
    }
}
