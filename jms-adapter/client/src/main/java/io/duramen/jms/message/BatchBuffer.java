package io.duramen.jms.message;

import io.duramen.protocol.SpareBuffers;
import java.nio.ByteBuffer;

/**
 * One thread at a time. A heap buffer that grows by doubling; records of a batch are encoded into it one after the
 * other. Its {@link #written bytes} may be handed to the link for good; who knows that the link is done with them may
 * {@link #recycle} them.
 */
public final class BatchBuffer {
    static final int MAX_CAPACITY = Integer.MAX_VALUE - 64;

    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    private ByteBuffer bytes;

    /**
     * @param capacity bytes to start with
     * @param gap bytes left free at the start, for a header that is written later
     */
    public BatchBuffer(int capacity, int gap) {
        bytes = SpareBuffers.SHARED.take(Math.max(capacity, gap)).clear().position(gap);
    }

    /** Bytes written so far, the gap included. */
    public int length() {
        return bytes.position();
    }

    /** Takes back everything from {@code length} on: for a record that turned out too long, or failed half way. */
    public void truncate(int length) {
        bytes.position(length);
    }

    /** A view of everything written, the gap included, position 0; valid for good if nothing is written any more. */
    public ByteBuffer written() {
        return bytes.duplicate().flip();
    }

    /**
     * @return the buffer, with room for {@code more} bytes at its position; its array is exposed at offset 0
     * @throws MessageTooLongException where it would not fit into a Java array
     */
    ByteBuffer ensure(int more) throws MessageTooLongException {
        return bytes.remaining() >= more ? bytes : grow(more);
    }

    /** Appends what remains in a buffer, whose position stays. */
    void putAll(ByteBuffer from) throws MessageTooLongException {
        int length = from.remaining();
        if (length > 0) {
            ByteBuffer to = ensure(length);
            to.put(to.position(), from, from.position(), length).position(to.position() + length);
        }
    }

    private ByteBuffer grow(int more) throws MessageTooLongException {
        long needed = (long) bytes.position() + more;
        if (more < 0 || needed > MAX_CAPACITY) {
            throw new MessageTooLongException("a message of more than " + MAX_CAPACITY + " bytes cannot be sent");
        }
        int capacity = (int) Math.min(MAX_CAPACITY, Math.max(needed, bytes.capacity() * 2L));
        ByteBuffer outgrown = bytes;
        bytes = SpareBuffers.SHARED.take(capacity).clear().put(outgrown.flip());
        SpareBuffers.SHARED.give(outgrown);
        return bytes;
    }

    /** Lets other batches have the memory: nobody reads any more what was {@link #written}. */
    public void recycle() {
        ByteBuffer done = bytes;
        bytes = NONE;
        SpareBuffers.SHARED.give(done);
    }
}
