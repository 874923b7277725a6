package io.duramen.log;

import java.nio.ByteBuffer;

/**
 * An entry being filled. Confined to the agent. The bytes written here are those that go to disk, and to followers:
 *
 * <pre>
 *   0        4        8       16      24           32          40      44     45      46     48
 *   | length | crc32c | index | epoch | baseOffset | timestamp | count | type | flags | zero | records …
 *   length counts from behind itself; crc32c covers index to the end; all but the records are written by the log when
 *   the entry is appended. type is 1 for records, 2 for a configuration of the replication engine, whose count is 0.
 *   flags bit 0: must be on disk before it is committed.
 * </pre>
 */
public final class EntryBuffer {
    public static final int HEADER_LENGTH = 48;

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
        ensure(LogRecord.HEADER_LENGTH + body.remaining());
        bytes.putInt(LogRecord.HEADER_LENGTH - 4 + body.remaining());
        bytes.put(type).put((byte) 0).putShort((short) 0);
        bytes.putInt(partition).putLong(offset).putInt(messages);
        bytes.put(body.duplicate());
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
}
