package io.duramen.jms.message;

import jakarta.jms.JMSException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/** A body that comes from a stream of the application: read once. */
final class StreamContent implements BodyContent {
    private final InputStream in;

    StreamContent(InputStream in) {
        this.in = in;
    }

    @Override
    public void read(ByteBuffer into) throws JMSException {
        try {
            int length = in.readNBytes(into.array(), into.arrayOffset() + into.position(), into.remaining());
            into.position(into.position() + length);
        } catch (IOException e) {
            JMSException failed = new JMSException("the body's input stream cannot be read: " + e.getMessage());
            failed.setLinkedException(e);
            failed.initCause(e);
            throw failed;
        }
    }

    @Override
    public boolean isRereadable() {
        return false;
    }

    @Override
    public void rewind() {
        throw new IllegalStateException("an input stream is read once");
    }
}
