package io.duramen.runtime.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Whole reads and writes at a position. Stateless, except for one staging buffer a thread. */
final class ChannelBytes {
    private static final int STAGING_LENGTH = 256 * 1024;

    /** From this length on a direct buffer is written as it is; shorter ones are gathered, one system call for many. */
    private static final int UNSTAGED_FROM = 32 * 1024;

    private static final ThreadLocal<ByteBuffer> STAGING =
            ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(STAGING_LENGTH));

    private ChannelBytes() {}

    /** @return bytes read; fewer than remained only at the file's end */
    static int read(FileChannel channel, long position, ByteBuffer into) throws IOException {
        int start = into.position();
        while (into.hasRemaining()) {
            int read = channel.read(into, position + into.position() - start);
            if (read < 0) {
                break;
            }
        }
        return into.position() - start;
    }

    static void write(FileChannel channel, long position, ByteBuffer[] from) throws IOException {
        if (from.length == 1 && from[0].isDirect()) {
            writeFully(channel, position, from[0]);
            return;
        }
        long at = position;
        ByteBuffer staging = STAGING.get().clear();
        for (ByteBuffer buffer : from) {
            if (buffer.isDirect() && buffer.remaining() >= UNSTAGED_FROM) {
                at = writeFully(channel, at, staging.flip());
                staging.clear();
                at = writeFully(channel, at, buffer);
            }
            while (buffer.hasRemaining()) {
                int length = Math.min(staging.remaining(), buffer.remaining());
                staging.put(staging.position(), buffer, buffer.position(), length);
                staging.position(staging.position() + length);
                buffer.position(buffer.position() + length);
                if (!staging.hasRemaining()) {
                    at = writeFully(channel, at, staging.flip());
                    staging.clear();
                }
            }
        }
        writeFully(channel, at, staging.flip());
    }

    private static long writeFully(FileChannel channel, long position, ByteBuffer buffer) throws IOException {
        long at = position;
        while (buffer.hasRemaining()) {
            at += channel.write(buffer, at);
        }
        return at;
    }
}
