package io.duramen.jms.message;

import jakarta.jms.JMSException;
import java.nio.ByteBuffer;

/** The body of a received message that is sent on: read from the node as it is sent. */
final class PartsContent implements BodyContent {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private BodyParts parts;
    private ByteBuffer part = NOTHING;

    PartsContent(BodyParts parts) {
        this.parts = parts;
    }

    @Override
    public void read(ByteBuffer into) throws JMSException {
        while (into.hasRemaining()) {
            if (!part.hasRemaining()) {
                part = parts.next();
                if (part == null) {
                    part = NOTHING;
                    return;
                }
            }
            int length = Math.min(into.remaining(), part.remaining());
            into.put(part.slice(part.position(), length));
            part.position(part.position() + length);
        }
    }

    @Override
    public boolean isRereadable() {
        return true;
    }

    @Override
    public void rewind() {
        parts = parts.fresh();
        part = NOTHING;
    }
}
