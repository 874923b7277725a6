package io.duramen.jms.link;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.concurrent.FastThreadLocal;

/**
 * Buffers for long frames on their way out, used over and over. The channel's allocator makes one of them for each frame, and
 * fills it with zeros before the frame is written to it: as much again as copying the frame. Each thread has its own; what it
 * keeps is bounded, whatever its connections send.
 */
final class LongBuffers {
    private static final int KEPT_MAX = 4;
    private static final int KEPT_LENGTH_MAX = 4 << 20;
    /** So that frames which differ little in length have use for the same buffer. */
    private static final int ROUNDED_TO = 64 * 1024;

    private static final FastThreadLocal<LongBuffers> OF_THREAD = new FastThreadLocal<>() {
        @Override
        protected LongBuffers initialValue() {
            return new LongBuffers();
        }

        @Override
        protected void onRemoval(LongBuffers buffers) {
            buffers.release();
        }
    };

    private final ByteBuf[] kept = new ByteBuf[KEPT_MAX];
    private int next;

    private LongBuffers() {}

    /** An empty buffer with room for that many bytes or more; the caller's to release. Stays with this thread. */
    static ByteBuf take(ByteBufAllocator allocator, int length) {
        return length > KEPT_LENGTH_MAX
                ? allocator.directBuffer(length)
                : OF_THREAD.get().takeKept(allocator, length);
    }

    private ByteBuf takeKept(ByteBufAllocator allocator, int length) {
        for (ByteBuf buffer : kept) {
            if (buffer != null && buffer.refCnt() == 1 && buffer.capacity() >= length) {
                return buffer.retain().clear();
            }
        }
        next = (next + 1) % KEPT_MAX;
        if (kept[next] != null) {
            kept[next].release();
        }
        kept[next] = allocator.directBuffer((length + ROUNDED_TO - 1) / ROUNDED_TO * ROUNDED_TO);
        return kept[next].retain();
    }

    private void release() {
        for (int i = 0; i < KEPT_MAX; i++) {
            if (kept[i] != null) {
                kept[i].release();
                kept[i] = null;
            }
        }
    }
}
