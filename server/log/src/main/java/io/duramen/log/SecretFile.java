package io.duramen.log;

import java.nio.ByteBuffer;
import java.util.OptionalInt;
import java.util.zip.CRC32C;

/**
 * Layout of the file that holds the secret of a log's checksums; on disk before the first segment of the log gets content, so
 * that a segment whose header is lost can be judged, too. It never changes while the log has segments. Stateless. Big-endian:
 *
 * <pre>
 *   0       8        12        16       20
 *   | magic | crc32c | version | secret |
 *   crc32c covers version and secret; magic and crc32c are the same in all versions.
 * </pre>
 */
final class SecretFile {
    static final int LENGTH = 20;

    private static final long MAGIC = 0x4475_5265_5365_6372L;
    private static final int VERSION = 1;
    private static final int CRC_AT = 8;
    private static final int VERSION_AT = 12;
    private static final int SECRET_AT = 16;

    private SecretFile() {}

    static ByteBuffer toBytes(int secret) {
        ByteBuffer bytes = ByteBuffer.allocate(LENGTH);
        bytes.putLong(MAGIC).putInt(0).putInt(VERSION).putInt(secret);
        bytes.putInt(CRC_AT, crc(bytes));
        return bytes.flip();
    }

    /**
     * @param bytes what the file begins with, from position 0
     * @return empty where they are not intact, or of a version not known
     */
    static OptionalInt read(ByteBuffer bytes) {
        return isIntact(bytes) && bytes.getInt(VERSION_AT) == VERSION
                ? OptionalInt.of(bytes.getInt(SECRET_AT))
                : OptionalInt.empty();
    }

    /** Whether this is one of a version that this code does not know. */
    static boolean isOfOtherVersion(ByteBuffer bytes) {
        return isIntact(bytes) && bytes.getInt(VERSION_AT) != VERSION;
    }

    private static boolean isIntact(ByteBuffer bytes) {
        return bytes.limit() == LENGTH && bytes.getLong(0) == MAGIC && bytes.getInt(CRC_AT) == crc(bytes);
    }

    private static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate().limit(LENGTH).position(VERSION_AT));
        return (int) crc.getValue();
    }
}
