package io.duramen.log;

import java.nio.ByteBuffer;

/**
 * What of an entry is the same on every replica and is decided by the leader alone: an entry as it stands in the log from its
 * timestamp on (see {@link EntryHeader}). Index, epoch and place in the log come with the append. Stateless. Big-endian:
 *
 * <pre>
 *   0           8       12     13      14     16
 *   | timestamp | count | type | flags | zero | records, or a configuration of the replication engine …
 * </pre>
 */
public final class EntryPayload {
    /** Bytes before the records. */
    public static final int HEADER_LENGTH = EntryHeader.LENGTH - EntryHeader.TIMESTAMP_AT;

    private static final int COUNT_AT = EntryHeader.COUNT_AT - EntryHeader.TIMESTAMP_AT;
    private static final int TYPE_AT = EntryHeader.TYPE_AT - EntryHeader.TIMESTAMP_AT;
    private static final int FLAGS_AT = EntryHeader.FLAGS_AT - EntryHeader.TIMESTAMP_AT;

    private EntryPayload() {}

    /** A configuration of the replication engine, which must be on disk before it counts; the body is copied. */
    public static ByteBuffer ofConfiguration(ByteBuffer body) {
        return of(0, 0, EntryHeader.TYPE_CONFIGURATION, true, body);
    }

    /** As it was appended; the body is copied. */
    public static ByteBuffer of(LogEntry entry) {
        byte type = entry.configuration() ? EntryHeader.TYPE_CONFIGURATION : EntryHeader.TYPE_RECORDS;
        return of(entry.timestampMillis(), entry.count(), type, entry.synced(), entry.body());
    }

    static ByteBuffer of(EntryBuffer entry, boolean synced, long timestampMillis) {
        ByteBuffer head = entry.head();
        ByteBuffer tail = entry.tail();
        ByteBuffer payload = ByteBuffer.allocate(HEADER_LENGTH - EntryHeader.LENGTH + entry.length());
        putHead(payload, timestampMillis, entry.count(), EntryHeader.TYPE_RECORDS, synced);
        int length = head.limit() - EntryHeader.LENGTH;
        payload.put(HEADER_LENGTH, head, EntryHeader.LENGTH, length);
        payload.put(HEADER_LENGTH + length, tail, tail.position(), tail.remaining());
        return payload;
    }

    private static ByteBuffer of(long timestampMillis, int count, byte type, boolean synced, ByteBuffer body) {
        ByteBuffer payload = ByteBuffer.allocate(HEADER_LENGTH + body.remaining());
        putHead(payload, timestampMillis, count, type, synced);
        payload.put(HEADER_LENGTH, body, body.position(), body.remaining());
        return payload;
    }

    private static void putHead(ByteBuffer payload, long timestampMillis, int count, byte type, boolean synced) {
        payload.putLong(0, timestampMillis)
                .putInt(COUNT_AT, count)
                .put(TYPE_AT, type)
                .put(FLAGS_AT, (byte) (synced ? EntryHeader.FLAG_SYNCED : 0));
    }

    /** Whether it must be on disk before it counts. */
    public static boolean isSynced(ByteBuffer payload) {
        return (payload.get(payload.position() + FLAGS_AT) & EntryHeader.FLAG_SYNCED) != 0;
    }

    public static boolean isConfiguration(ByteBuffer payload) {
        return payload.get(payload.position() + TYPE_AT) == EntryHeader.TYPE_CONFIGURATION;
    }

    /** What follows the head; a view. */
    public static ByteBuffer body(ByteBuffer payload) {
        return payload.slice(payload.position() + HEADER_LENGTH, payload.remaining() - HEADER_LENGTH);
    }

    static long timestampMillis(ByteBuffer payload) {
        return payload.getLong(payload.position());
    }

    static int count(ByteBuffer payload) {
        return payload.getInt(payload.position() + COUNT_AT);
    }

    /**
     * Checks every length in it before anything of it is taken.
     *
     * @param payload from another node; position and limit enclose it
     * @throws DamagedLogException where it is not the payload of an entry
     */
    public static void requireSound(ByteBuffer payload) {
        if (payload.remaining() < HEADER_LENGTH) {
            throw new DamagedLogException(
                    "an entry of " + payload.remaining() + " bytes, where its head alone has " + HEADER_LENGTH);
        }
        int count = count(payload);
        byte type = payload.get(payload.position() + TYPE_AT);
        if (count < 0 || type != EntryHeader.TYPE_RECORDS && (type != EntryHeader.TYPE_CONFIGURATION || count != 0)) {
            throw new DamagedLogException("an entry of type " + type + " with " + count + " records");
        }
        if (type == EntryHeader.TYPE_RECORDS) {
            LogRecord.forEach(body(payload), count, (recordType, partition, offset, messages, body) -> {});
        }
    }
}
