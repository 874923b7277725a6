package io.duramen.log;

import java.nio.ByteBuffer;

/**
 * One record inside an entry. Big-endian.
 *
 * <pre>
 *   0        4      5       6      8           12       20      24
 *   | length | type | flags | zero | partition | offset | count | body …
 *   length counts from behind itself (20 + body).
 * </pre>
 *
 * A record of messages names its partition (any but 0), the offset of its first message and their count, and its body is a
 * {@link io.duramen.protocol.record.RecordBatch}; the log indexes it by them. Any other record has partition 0, and what
 * its type and body mean is the state machine's affair.
 */
public final class LogRecord {
    public static final int HEADER_LENGTH = 24;

    /** The type of a record that holds messages; all others are free for the state machine, 2 to 127. */
    public static final byte TYPE_MESSAGES = 1;

    private static final int TYPE_AT = 4;
    private static final int PARTITION_AT = 8;
    private static final int OFFSET_AT = 12;
    private static final int COUNT_AT = 20;

    private LogRecord() {}

    /** Takes one record after the other. */
    @FunctionalInterface
    public interface Visitor {
        /** @param body a slice, valid as long as the entry's buffer */
        void record(byte type, int partition, long offset, int count, ByteBuffer body);
    }

    /**
     * Bytes of the record that starts there.
     *
     * @param limit where its entry, or what was read of it, ends
     * @throws DamagedLogException where it would reach beyond
     */
    static int totalLength(ByteBuffer in, int at, int limit) {
        int remaining = limit - at;
        int length = remaining < HEADER_LENGTH ? -1 : in.getInt(at);
        if (length < HEADER_LENGTH - 4 || length > remaining - 4) {
            throw new DamagedLogException("a record does not fit in the " + remaining + " bytes left of its entry");
        }
        return length + 4;
    }

    static boolean holdsMessages(ByteBuffer in, int at) {
        return in.get(at + TYPE_AT) == TYPE_MESSAGES;
    }

    static int partition(ByteBuffer in, int at) {
        return in.getInt(at + PARTITION_AT);
    }

    static long offset(ByteBuffer in, int at) {
        return in.getLong(at + OFFSET_AT);
    }

    static int count(ByteBuffer in, int at) {
        return in.getInt(at + COUNT_AT);
    }

    /**
     * Hands every record of an entry to the visitor, in order.
     *
     * @throws DamagedLogException where the lengths do not fit; the entry's checksum was wrong, or its writer
     */
    public static void forEach(ByteBuffer records, int count, Visitor visitor) {
        int at = records.position();
        for (int i = 0; i < count; i++) {
            int length = totalLength(records, at, records.limit());
            visitor.record(
                    records.get(at + TYPE_AT),
                    records.getInt(at + PARTITION_AT),
                    records.getLong(at + OFFSET_AT),
                    records.getInt(at + COUNT_AT),
                    records.slice(at + HEADER_LENGTH, length - HEADER_LENGTH));
            at += length;
        }
        if (at != records.limit()) {
            throw new DamagedLogException((records.limit() - at) + " bytes behind the last record of an entry");
        }
    }
}
