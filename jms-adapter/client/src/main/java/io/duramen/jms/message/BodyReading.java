package io.duramen.jms.message;

import jakarta.jms.JMSException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** One thread at a time. How far a received body is read, whether it came with its message or comes in parts. */
final class BodyReading {
    /** Null where all of it is here. */
    private BodyParts parts;

    private final long length;
    private ByteBuffer here;

    /** A body that is here, from the buffer's position on. */
    BodyReading(ByteBuffer whole) {
        here = whole;
        length = whole.remaining();
    }

    /** A body that comes in parts. */
    BodyReading(BodyParts parts) {
        this.parts = parts.fresh();
        here = ByteBuffer.allocate(0);
        length = parts.length();
    }

    /** Bytes of the whole body. */
    long length() {
        return length;
    }

    /** What is here from the next byte to read on: moving its position reads. */
    ByteBuffer here() {
        return here;
    }

    /** As {@link #here}, with so many bytes, or as many as are left. */
    ByteBuffer atLeast(int bytes) throws JMSException {
        if (here.remaining() < bytes && parts != null) {
            gather(bytes);
        }
        return here;
    }

    /** Copies each byte once, however many parts there are. */
    private void gather(int bytes) throws JMSException {
        List<ByteBuffer> pieces = new ArrayList<>();
        long gathered = here.remaining();
        if (gathered > 0) {
            pieces.add(here);
        }
        while (gathered < bytes && parts != null) {
            ByteBuffer next = parts.next();
            if (next == null) {
                parts = null;
            } else {
                pieces.add(next);
                gathered += next.remaining();
            }
        }
        here = pieces.size() == 1 ? pieces.get(0) : joined(pieces, gathered);
    }

    private static ByteBuffer joined(List<ByteBuffer> pieces, long length) throws JMSException {
        if (length > BatchBuffer.MAX_CAPACITY) {
            throw new MessageTooLongException("a value of " + length + " bytes does not fit into an array");
        }
        ByteBuffer joined = ByteBuffer.allocate((int) length);
        pieces.forEach(joined::put);
        return joined.flip();
    }

    /** Reads some bytes; -1 at the end. */
    int read(byte[] into, int from, int length) throws JMSException {
        ByteBuffer next = atLeast(1);
        if (!next.hasRemaining()) {
            return -1;
        }
        int read = Math.min(length, next.remaining());
        next.get(into, from, read);
        return read;
    }

    /** Reads as many bytes as there are room and body for; returns their number. */
    int readFully(byte[] into, int from, int length) throws JMSException {
        int read = 0;
        while (read < length) {
            int more = read(into, from + read, length - read);
            if (more < 0) {
                break;
            }
            read += more;
        }
        return read;
    }
}
