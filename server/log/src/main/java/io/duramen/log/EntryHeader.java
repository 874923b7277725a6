package io.duramen.log;

import io.duramen.protocol.record.RecordBatch;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * What stands before the records of an entry. Stateless. Big-endian:
 *
 * <pre>
 *   0        4        8       16      24           32          40      44     45      46         48
 *   | length | crc32c | index | epoch | baseOffset | timestamp | count | type | flags | unsynced | records …
 *   length counts from behind itself; crc32c covers index to the end, and is xored with the salt of the segment (see
 *   {@link SegmentHeader}), so that bytes inside a message's body never pass for an entry. type is 1 for records, 2 for a configuration of
 *   the replication engine, whose count is 0. flags bit 0: must be on disk before it is committed.
 *   unsynced: index minus the last index known to be on disk when this entry was appended, at most 65535. So an entry
 *   that stands behind a hole tells whether the hole was on disk once (damage) or may never have been (a torn tail).
 * </pre>
 */
final class EntryHeader {
    static final int LENGTH = 48;
    static final byte TYPE_RECORDS = 1;
    static final byte TYPE_CONFIGURATION = 2;
    static final int FLAG_SYNCED = 1;

    /** From where on the checksum covers an entry. */
    static final int CHECKED_FROM = 8;

    private static final int CRC_AT = 4;
    private static final int INDEX_AT = 8;
    private static final int EPOCH_AT = 16;
    private static final int BASE_OFFSET_AT = 24;
    static final int TIMESTAMP_AT = 32;
    static final int COUNT_AT = 40;
    static final int TYPE_AT = 44;
    static final int FLAGS_AT = 45;
    private static final int UNSYNCED_AT = 46;
    private static final int UNSYNCED_MAX = 0xFFFF;

    private EntryHeader() {}

    /** Everything but the count of records, and the checksum, which {@link #seal} sets last. */
    static void write(
            ByteBuffer entry, int totalLength, long index, long epoch, long baseOffset, long timestampMillis) {
        entry.putInt(0, totalLength - 4);
        entry.putLong(INDEX_AT, index);
        entry.putLong(EPOCH_AT, epoch);
        entry.putLong(BASE_OFFSET_AT, baseOffset);
        entry.putLong(TIMESTAMP_AT, timestampMillis);
        entry.put(TYPE_AT, TYPE_RECORDS);
    }

    static void putType(ByteBuffer entry, byte type) {
        entry.put(TYPE_AT, type);
    }

    static void putCount(ByteBuffer entry, int records) {
        entry.putInt(COUNT_AT, records);
    }

    /**
     * Sets the checksum, without a salt.
     *
     * @param entry position 0, limit at its end
     * @param batchLength bytes of the batch that the entry ends with, if its own checksum was found right, which then stands for
     *     them; else 0
     */
    static void seal(ByteBuffer entry, boolean synced, long unsynced, int batchLength) {
        entry.put(FLAGS_AT, (byte) (synced ? FLAG_SYNCED : 0));
        entry.putShort(UNSYNCED_AT, (short) Math.min(unsynced, UNSYNCED_MAX));
        entry.putInt(CRC_AT, batchLength == 0 ? crc(entry, 0, entry.limit()) : crc(entry, batchLength));
    }

    private static int crc(ByteBuffer entry, int batchLength) {
        ByteBuffer batch = entry.slice(entry.limit() - batchLength, batchLength);
        int checked = batchLength - RecordBatch.CHECKED_FROM;
        return JoinedCrc.of(crc(entry, 0, entry.limit() - checked), RecordBatch.checksum(batch), checked);
    }

    /** Salts an entry that was sealed without a salt; once it is known to which segment it goes. */
    static void salt(ByteBuffer in, int at, int salt) {
        in.putInt(at + CRC_AT, in.getInt(at + CRC_AT) ^ salt);
    }

    /** Bytes of the whole entry that starts there. */
    static long totalLength(ByteBuffer in, int at) {
        return in.getInt(at) + 4L;
    }

    static long index(ByteBuffer in, int at) {
        return in.getLong(at + INDEX_AT);
    }

    static long epoch(ByteBuffer in, int at) {
        return in.getLong(at + EPOCH_AT);
    }

    static long baseOffset(ByteBuffer in, int at) {
        return in.getLong(at + BASE_OFFSET_AT);
    }

    static long timestampMillis(ByteBuffer in, int at) {
        return in.getLong(at + TIMESTAMP_AT);
    }

    static int count(ByteBuffer in, int at) {
        return in.getInt(at + COUNT_AT);
    }

    static boolean isSynced(ByteBuffer in, int at) {
        return (in.get(at + FLAGS_AT) & FLAG_SYNCED) != 0;
    }

    static boolean isConfiguration(ByteBuffer in, int at) {
        return in.get(at + TYPE_AT) == TYPE_CONFIGURATION;
    }

    static boolean isKnownType(ByteBuffer in, int at) {
        byte type = in.get(at + TYPE_AT);
        return type == TYPE_RECORDS || type == TYPE_CONFIGURATION;
    }

    /** Last index known to be on disk when the entry that starts there was appended; a lower bound. */
    static long syncedBefore(ByteBuffer in, int at) {
        return index(in, at) - Short.toUnsignedInt(in.getShort(at + UNSYNCED_AT));
    }

    /** The checksum as it stands there. */
    static int checksum(ByteBuffer in, int at) {
        return in.getInt(at + CRC_AT);
    }

    /** Whether the bytes match their checksum; their length is taken as given. */
    static boolean isIntact(ByteBuffer in, int at, int totalLength, int salt) {
        return in.getInt(at + CRC_AT) == (crc(in, at, totalLength) ^ salt);
    }

    private static int crc(ByteBuffer in, int at, int totalLength) {
        CRC32C crc = new CRC32C();
        crc.update(in.duplicate().limit(at + totalLength).position(at + INDEX_AT));
        return (int) crc.getValue();
    }
}
