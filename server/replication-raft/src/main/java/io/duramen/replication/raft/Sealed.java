package io.duramen.replication.raft;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * What stands around the content of a {@link SmallFile}. Stateless. Big-endian:
 *
 * <pre>
 *   0       8        12        16
 *   | magic | crc32c | version | content …
 *   crc32c covers version to the end.
 * </pre>
 */
final class Sealed {
    private static final int HEADER_LENGTH = 16;
    private static final int CRC_AT = 8;
    private static final int VERSION_AT = 12;
    private static final int VERSION = 1;

    private Sealed() {}

    static ByteBuffer wrap(long magic, ByteBuffer content) {
        ByteBuffer bytes = ByteBuffer.allocate(HEADER_LENGTH + content.remaining());
        bytes.putLong(magic).putInt(0).putInt(VERSION).put(content.duplicate());
        bytes.putInt(CRC_AT, crc(bytes));
        return bytes.flip();
    }

    /**
     * @param name of the file, for messages
     * @return the content
     * @throws IOException where it is not intact, or of another version
     */
    static ByteBuffer unwrap(long magic, ByteBuffer bytes, String name) throws IOException {
        if (bytes.limit() < HEADER_LENGTH || bytes.getLong(0) != magic || bytes.getInt(CRC_AT) != crc(bytes)) {
            throw new IOException(
                    name + " is damaged. A node that has lost it must not vote as if it were new: remove it"
                            + " from the cluster and add it again, empty");
        }
        if (bytes.getInt(VERSION_AT) != VERSION) {
            throw new IOException(
                    name + " has format " + bytes.getInt(VERSION_AT) + ", which this version does not know:"
                            + " start the version of Duramen that wrote it, or a newer one");
        }
        return bytes.slice(HEADER_LENGTH, bytes.limit() - HEADER_LENGTH);
    }

    private static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate().position(VERSION_AT));
        return (int) crc.getValue();
    }
}
