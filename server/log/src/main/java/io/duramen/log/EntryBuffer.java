package io.duramen.log;

import java.nio.ByteBuffer;

/** An entry being filled; used again once it has been appended. Confined to the agent. Layout: {@link EntryHeader}. */
public final class EntryBuffer {
    public static final int HEADER_LENGTH = EntryHeader.LENGTH;

    static final int INITIAL_CAPACITY = 16 * 1024;

    private ByteBuffer bytes;
    private int count;

    /** @param capacityBytes the buffer grows beyond it where it must */
    public EntryBuffer(int capacityBytes) {
        bytes = ByteBuffer.allocateDirect(Math.max(capacityBytes, HEADER_LENGTH));
        bytes.position(HEADER_LENGTH);
    }

    /** Adds a record of messages; {@code batch} is copied and keeps its position. */
    public void addMessages(int partition, long baseOffset, int messages, ByteBuffer batch) {
        add(LogRecord.TYPE_MESSAGES, partition, baseOffset, messages, batch);
    }

    /** Adds a record of the state machine's own; {@code body} is copied and keeps its position. */
    public void addControl(byte type, ByteBuffer body) {
        add(type, 0, 0, 0, body);
    }

    private void add(byte type, int partition, long offset, int messages, ByteBuffer body) {
        int length = body.remaining();
        ensure(LogRecord.HEADER_LENGTH + length);
        bytes.putInt(LogRecord.HEADER_LENGTH - 4 + length);
        bytes.put(type).put((byte) 0).putShort((short) 0);
        bytes.putInt(partition).putLong(offset).putInt(messages);
        bytes.put(bytes.position(), body, body.position(), length);
        bytes.position(bytes.position() + length);
        count++;
    }

    /** Records added so far. */
    public int count() {
        return count;
    }

    /** Bytes of the entry so far, its header included. */
    public int length() {
        return bytes.position();
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

    /** The log's own view: position 0, limit at the end of the records. */
    ByteBuffer bytes() {
        return bytes.duplicate().flip();
    }

    int capacity() {
        return bytes.capacity();
    }

    /** Empties it, to be filled anew. */
    void clear() {
        bytes.clear().position(HEADER_LENGTH);
        count = 0;
    }
}
