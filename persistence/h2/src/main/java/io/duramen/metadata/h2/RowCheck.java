package io.duramen.metadata.h2;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A 64-bit checksum of a row: H2 does not notice a flipped byte in its file, and a wrong cursor loses messages. Not
 * against people. Each value is mixed in by the finalizer of MurmurHash3, which is in the public domain.
 */
final class RowCheck {
    private long value;

    /** @param table a number of its own for each table, so that no row passes for one of another */
    RowCheck(int table) {
        value = table;
    }

    RowCheck add(long more) {
        long mixed = value * 31 + more;
        mixed ^= mixed >>> 33;
        mixed *= 0xff51afd7ed558ccdL;
        mixed ^= mixed >>> 33;
        mixed *= 0xc4ceb9fe1a85ec53L;
        value = mixed ^ mixed >>> 33;
        return this;
    }

    RowCheck add(byte[] bytes) {
        add(bytes.length);
        ByteBuffer in = ByteBuffer.wrap(bytes);
        while (in.remaining() >= Long.BYTES) {
            add(in.getLong());
        }
        while (in.hasRemaining()) {
            add(in.get());
        }
        return this;
    }

    RowCheck add(String text) {
        return add(text.getBytes(StandardCharsets.UTF_8));
    }

    long value() {
        return value;
    }
}
