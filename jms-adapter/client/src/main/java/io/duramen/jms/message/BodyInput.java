package io.duramen.jms.message;

import jakarta.jms.JMSException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/** One thread at a time. A bytes message that is read, as a stream. */
final class BodyInput extends InputStream {
    private final DuramenBytesMessage message;
    private final byte[] one = new byte[1];

    BodyInput(DuramenBytesMessage message) {
        this.message = message;
    }

    @Override
    public int read() throws IOException {
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        Objects.checkFromIndexSize(from, length, into.length);
        try {
            return length == 0 ? 0 : message.readSome(into, from, length);
        } catch (JMSException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
