package io.duramen.log;

import io.duramen.protocol.SpareBuffers;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** An entry being filled; used again once it has been appended. Confined to the agent. Layout: {@link EntryHeader}. */
public final class EntryBuffer {
    public static final int HEADER_LENGTH = EntryHeader.LENGTH;

    static final int INITIAL_CAPACITY = 16 * 1024;

    /** A body from this length on is not copied where it stands last, as it does where messages are long. */
    private static final int TAIL_LENGTH_MIN = 128 * 1024;

    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    private ByteBuffer bytes;

    /** What follows {@code bytes}; the caller's memory. */
    private ByteBuffer tail = NONE;

    /** What the tail is a view of, as the caller has it. */
    private ByteBuffer tailSource;

    /** Where the tail stands, if that was given; otherwise null. */
    private ByteBuffer tailMemory;

    /** Given, and of no use to the entry. */
    private final List<ByteBuffer> givenMemory = new ArrayList<>();

    private int count;

    /** @param capacityBytes the buffer grows beyond it where it must */
    public EntryBuffer(int capacityBytes) {
        bytes = ByteBuffer.allocateDirect(Math.max(capacityBytes, HEADER_LENGTH));
        bytes.position(HEADER_LENGTH);
    }

    /** Adds a record of messages; {@code batch} keeps its position, and must not change until the entry is appended. */
    public void addMessages(int partition, long baseOffset, int messages, ByteBuffer batch) {
        add(LogRecord.TYPE_MESSAGES, partition, baseOffset, messages, batch);
    }

    /**
     * Gives the entry memory outside the heap in which a batch stands, that was the last to be added to it or of which nothing
     * is needed any more once it is appended. The log may keep it, as a part of its cache, or hands it to {@link SpareBuffers}.
     *
     * @param batch as it was added, or would have been; its checksum was found right
     * @param memory position and limit enclose the batch; what stands before may be overwritten
     */
    public void giveMemory(ByteBuffer batch, ByteBuffer memory) {
        if (tail != NONE && tailSource == batch) {
            tailMemory = memory;
        } else {
            givenMemory.add(memory);
        }
    }

    /** Adds a record of the state machine's own; {@code body} is copied and keeps its position. */
    public void addControl(byte type, ByteBuffer body) {
        add(type, 0, 0, 0, body);
    }

    private void add(byte type, int partition, long offset, int messages, ByteBuffer body) {
        int length = body.remaining();
        takeInTail();
        boolean apart = length >= TAIL_LENGTH_MIN;
        ensure(LogRecord.HEADER_LENGTH + (apart ? 0 : length));
        bytes.putInt(LogRecord.HEADER_LENGTH - 4 + length);
        bytes.put(type).put((byte) 0).putShort((short) 0);
        bytes.putInt(partition).putLong(offset).putInt(messages);
        count++;
        if (apart) {
            tail = body.duplicate();
            tailSource = body;
        } else {
            put(body);
        }
    }

    private void put(ByteBuffer body) {
        int length = body.remaining();
        bytes.put(bytes.position(), body, body.position(), length);
        bytes.position(bytes.position() + length);
    }

    private void takeInTail() {
        if (tail != NONE) {
            ensure(tail.remaining());
            put(tail);
            forgetTail();
        }
    }

    private void forgetTail() {
        if (tailMemory != null) {
            givenMemory.add(tailMemory);
        }
        tail = NONE;
        tailSource = null;
        tailMemory = null;
    }

    /** Records added so far. */
    public int count() {
        return count;
    }

    /** Bytes of the entry so far, its header included. */
    public int length() {
        return bytes.position() + tail.remaining();
    }

    public boolean isEmpty() {
        return count == 0;
    }

    private void ensure(int more) {
        if (bytes.remaining() < more) {
            int needed = Math.addExact(bytes.position(), more);
            ByteBuffer larger =
                    ByteBuffer.allocateDirect((int) Math.max(needed, Math.min(2L * bytes.capacity(), 1 << 30)));
            bytes.flip();
            larger.put(bytes);
            bytes = larger;
        }
    }

    /** The log's own view of all but the {@link #tail}: position 0, limit at its end. */
    ByteBuffer head() {
        return bytes.duplicate().flip();
    }

    /** What follows the {@link #head}; often nothing. */
    ByteBuffer tail() {
        return tail;
    }

    /** Bytes of the {@link #tail}, where that is a batch whose checksum was found right; else 0. Before its memory is taken. */
    int checkedBatchLength() {
        return tailMemory == null ? 0 : tail.remaining();
    }

    /**
     * The memory in which the {@link #tail} stands, for good: position and limit enclose it, and what stands before may be
     * overwritten. Null where it was not given.
     */
    ByteBuffer takeTailMemory() {
        ByteBuffer memory = tailMemory;
        tailMemory = null;
        return memory;
    }

    /** The log's own view of all of it: position 0, limit at the end of the records. */
    ByteBuffer bytes() {
        takeInTail();
        return head();
    }

    int capacity() {
        return bytes.capacity();
    }

    /** Empties it, to be filled anew, once it was appended. */
    void clear() {
        bytes.clear().position(HEADER_LENGTH);
        forgetTail();
        givenMemory.forEach(SpareBuffers.SHARED::give);
        givenMemory.clear();
        count = 0;
    }
}
