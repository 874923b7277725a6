package io.duramen.log;

import io.duramen.runtime.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Looks at a file through a buffer that moves forward, blocking; for start-up. Confined to the agent. */
final class FileWindow {
    private static final int LENGTH = 256 * 1024;

    private final DiskFile file;
    private final long limit;
    private ByteBuffer bytes;
    private long start;

    /** @param limit bytes of the file to look at, at most its length */
    FileWindow(DiskFile file, long limit) {
        this.file = file;
        this.limit = limit;
        bytes = ByteBuffer.allocate((int) Math.min(LENGTH, limit)).limit(0);
    }

    long limit() {
        return limit;
    }

    /**
     * Makes bytes visible.
     *
     * @param length must not reach beyond the limit
     * @return where they are in {@link #bytes}
     */
    int show(long position, int length) throws IOException {
        if (position < start || position + length > start + bytes.limit()) {
            int wanted = (int) Math.min(Math.max(length, LENGTH), limit - position);
            if (bytes.capacity() < wanted) {
                bytes = ByteBuffer.allocate(wanted);
            }
            bytes.clear().limit(wanted);
            start = position;
            int read = file.read(position, bytes);
            bytes.flip();
            if (read < length) {
                throw new IOException(file.name() + " ends at position " + (position + read) + ", before its length");
            }
        }
        return (int) (position - start);
    }

    ByteBuffer bytes() {
        return bytes;
    }

    /** Whether nothing but zeros stands from the position on. */
    boolean isZeroFrom(long position) throws IOException {
        for (long at = position; at < limit; ) {
            int length = (int) Math.min(LENGTH, limit - at);
            int from = show(at, length);
            for (int i = from; i < from + length; ) {
                if (from + length - i >= 8 ? bytes.getLong(i) != 0 : bytes.get(i) != 0) {
                    return false;
                }
                i += from + length - i >= 8 ? 8 : 1;
            }
            at += length;
        }
        return true;
    }
}
