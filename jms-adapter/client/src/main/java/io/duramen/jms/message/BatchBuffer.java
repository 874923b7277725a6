package io.duramen.jms.message;

import io.duramen.protocol.SpareBuffers;
import java.nio.ByteBuffer;

/**
 * One thread at a time. A buffer that grows by doubling; records of a batch are encoded into it one after the
 * other. Its {@link #written bytes} may be handed to the link for good; who knows that the link is done with them may
 * {@link #recycle} them.
 *
 * <p>It is on the heap, unless it is {@link #toSend} and long: what goes to a socket from where it is must be outside.
 */
public final class BatchBuffer {
    static final int MAX_CAPACITY = Integer.MAX_VALUE - 64;

    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    private final boolean toSend;
    private ByteBuffer bytes;

    /**
     * @param capacity bytes to start with
     * @param gap bytes left free at the start, for a header that is written later
     */
    public BatchBuffer(int capacity, int gap) {
        this(capacity, gap, false);
    }

    private BatchBuffer(int capacity, int gap, boolean toSend) {
        this.toSend = toSend;
        bytes = memory(Math.max(capacity, gap)).position(gap);
    }

    /** One whose bytes are sent, and then recycled. */
    public static BatchBuffer toSend(int capacity, int gap) {
        return new BatchBuffer(capacity, gap, true);
    }

    private ByteBuffer memory(int capacity) {
        return (toSend ? SpareBuffers.SHARED.takeDirect(capacity) : SpareBuffers.SHARED.take(capacity)).clear();
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
     * @return the buffer, with room for {@code more} bytes at its position; where it has an array, at offset 0
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
        bytes = memory(capacity).put(outgrown.flip());
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
