package io.duramen.log;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The first bytes of a segment file that was full of other entries once and waits to be filled anew; on disk before the
 * file has its number, and written over together with the first entry. Stateless. Big-endian:
 *
 * <pre>
 *   0       8        12        16       24
 *   | magic | crc32c | version | number | what stood there before …
 *   crc32c covers version to number, which is that of the file.
 * </pre>
 */
final class SpareHeader {
    static final int LENGTH = 24;

    private static final long MAGIC = 0x4475_5265_5370_4172L;
    private static final int VERSION = 1;
    private static final int CRC_AT = 8;
    private static final int VERSION_AT = 12;
    private static final int NUMBER_AT = 16;

    private SpareHeader() {}

    static ByteBuffer toBytes(long number) {
        ByteBuffer bytes = ByteBuffer.allocate(LENGTH);
        bytes.putLong(MAGIC).putInt(0).putInt(VERSION).putLong(number);
        bytes.putInt(CRC_AT, crc(bytes));
        return bytes.flip();
    }

    /** @param bytes what the file of that number begins with */
    static boolean stands(ByteBuffer bytes, long number) {
        return bytes.limit() >= LENGTH
                && bytes.getLong(0) == MAGIC
                && bytes.getInt(CRC_AT) == crc(bytes)
                && bytes.getInt(VERSION_AT) == VERSION
                && bytes.getLong(NUMBER_AT) == number;
    }

    private static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate().limit(LENGTH).position(VERSION_AT));
        return (int) crc.getValue();
    }
}
