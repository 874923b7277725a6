package io.duramen.log;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/** Buffers outside the heap that fetches read into, used over and over. Confined to the agent. */
final class FetchMemory {
    private static final int KEPT_MAX = 4;
    private static final int SMALL = 32 * 1024;

    private final int length;
    private final ArrayDeque<ByteBuffer> kept = new ArrayDeque<>();

    FetchMemory(int length) {
        this.length = length;
    }

    ByteBuffer take(int bytes) {
        if (bytes <= SMALL || bytes > length) {
            return ByteBuffer.allocate(bytes);
        }
        ByteBuffer buffer = kept.isEmpty() ? ByteBuffer.allocateDirect(length) : kept.pop();
        return buffer.clear().limit(bytes);
    }

    void giveBack(ByteBuffer buffer) {
        if (buffer.isDirect() && kept.size() < KEPT_MAX) {
            kept.push(buffer);
        }
    }
}
