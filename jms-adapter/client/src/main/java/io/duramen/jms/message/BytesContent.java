package io.duramen.jms.message;

import jakarta.jms.JMSException;
import java.nio.ByteBuffer;

/** A body that is in memory. */
final class BytesContent implements BodyContent {
    private final ByteBuffer bytes;

    /** @param bytes of which the position is moved */
    BytesContent(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    /** A message's own body, of which only encoding it tells the length; null where it is not longer than that. */
    static BytesContent ifLonger(DuramenMessage message, int lengthMax) throws JMSException {
        BatchBuffer encoded = new BatchBuffer(lengthMax, 0);
        message.putOwnBody(encoded);
        return encoded.length() > lengthMax ? new BytesContent(encoded.written()) : null;
    }

    @Override
    public void read(ByteBuffer into) {
        int length = Math.min(into.remaining(), bytes.remaining());
        into.put(into.position(), bytes, bytes.position(), length).position(into.position() + length);
        bytes.position(bytes.position() + length);
    }

    @Override
    public boolean isRereadable() {
        return true;
    }

    @Override
    public void rewind() {
        bytes.rewind();
    }
}
