package io.duramen.log;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The first bytes of a segment file, written together with its first entry. Immutable. Big-endian:
 *
 * <pre>
 *   0       8        12        16       24         32          40           48              56         64     68
 *   | magic | crc32c | version | number | previous | baseIndex | baseOffset | previousEpoch | capacity | salt | entries …
 *   crc32c covers version to salt. version is that of the entries, too; magic and crc32c are the same in all versions.
 * </pre>
 *
 * @param number of the file; ascends in the order in which segments are filled
 * @param previous number of the segment that was filled before; 0 for none
 * @param baseIndex index of the first entry
 * @param baseOffset offset in the shard log of the first record
 * @param previousEpoch epoch of the entry before; 0 for none
 * @param capacity length of the whole file
 * @param salt that of its entries' checksums: a random secret of the log that no client knows, mixed with the number. In
 *     version 1 it was the same for all segments; so it says nothing of the version how it came about
 */
record SegmentHeader(
        long number, long previous, long baseIndex, long baseOffset, long previousEpoch, long capacity, int salt) {
    static final int LENGTH = 68;
    static final long MAGIC = 0x4475_5265_634F_7264L;
    static final int VERSION = 2;
    private static final int VERSION_OLDEST = 1;
    /** Odd, so that different numbers give different salts. */
    private static final int SALT_FACTOR = 0x9E37_79B9;

    private static final int CRC_AT = 8;
    private static final int VERSION_AT = 12;
    private static final int NUMBER_AT = 16;
    private static final int SALT_AT = 64;

    /**
     * Salt of a segment: another for every number, so that an entry which a file held under one number does not check out
     * under any other.
     */
    static int saltOf(int secret, long number) {
        return secret ^ (int) number * SALT_FACTOR;
    }

    /** The secret of a log, by one of its segments. */
    static int secretOf(int salt, long number) {
        return saltOf(salt, number);
    }

    ByteBuffer toBytes() {
        ByteBuffer bytes = ByteBuffer.allocate(LENGTH);
        bytes.putLong(MAGIC).putInt(0).putInt(VERSION);
        bytes.putLong(number).putLong(previous).putLong(baseIndex).putLong(baseOffset);
        bytes.putLong(previousEpoch).putLong(capacity).putInt(salt);
        bytes.putInt(CRC_AT, crc(bytes));
        return bytes.flip();
    }

    /**
     * @param bytes {@link #LENGTH} of them from position 0
     * @return empty where they are not a header of a version known
     */
    static Optional<SegmentHeader> read(ByteBuffer bytes) {
        if (!isIntact(bytes) || !isKnownVersion(bytes)) {
            return Optional.empty();
        }
        return Optional.of(new SegmentHeader(
                bytes.getLong(NUMBER_AT),
                bytes.getLong(NUMBER_AT + 8),
                bytes.getLong(NUMBER_AT + 16),
                bytes.getLong(NUMBER_AT + 24),
                bytes.getLong(NUMBER_AT + 32),
                bytes.getLong(NUMBER_AT + 40),
                bytes.getInt(SALT_AT)));
    }

    /** Whether this is a header of a version that this code does not know. */
    static boolean isOfOtherVersion(ByteBuffer bytes) {
        return isIntact(bytes) && !isKnownVersion(bytes);
    }

    private static boolean isKnownVersion(ByteBuffer bytes) {
        int version = bytes.getInt(VERSION_AT);
        return version >= VERSION_OLDEST && version <= VERSION;
    }

    private static boolean isIntact(ByteBuffer bytes) {
        return bytes.limit() >= LENGTH && bytes.getLong(0) == MAGIC && bytes.getInt(CRC_AT) == crc(bytes);
    }

    private static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate().limit(LENGTH).position(VERSION_AT));
        return (int) crc.getValue();
    }
}
