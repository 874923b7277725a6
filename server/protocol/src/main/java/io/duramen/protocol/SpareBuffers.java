package io.duramen.protocol;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Thread-safe. Long heap buffers, to be used over and over: to make one is to fill it with zeros, as much again as copying what
 * it is for, in memory that the processor has not in its caches and the collector has to find room for. What is kept is bounded.
 *
 * <p>A buffer is taken by one, who fills it and may hand it on, and given back by the last who has it. One that is never given
 * back is the collector's, as any other.
 */
public final class SpareBuffers {
    /** Those of this JVM. */
    public static final SpareBuffers SHARED =
            new SpareBuffers((int) Math.min(16 << 20, Runtime.getRuntime().maxMemory() / 16));

    /** Shorter ones are not kept: the collector is good at them. */
    public static final int LENGTH_MIN = 128 * 1024;

    private static final int KEPT_MAX = 32;

    /** So that what differs little in length has use for the same buffer. */
    private static final int ROUNDED_TO = 64 * 1024;

    private final AtomicReferenceArray<ByteBuffer> kept = new AtomicReferenceArray<>(KEPT_MAX);
    private final AtomicInteger keptBytes = new AtomicInteger();
    private final int keptBytesMax;

    /** @param keptBytesMax what is kept of what was given back, together */
    public SpareBuffers(int keptBytesMax) {
        this.keptBytesMax = keptBytesMax;
    }

    /**
     * @return a buffer on the heap, its array exposed at offset 0 and maybe longer than asked for; position 0, limit at the
     *     capacity asked for. What it holds is undefined.
     */
    public ByteBuffer take(int capacity) {
        if (capacity < LENGTH_MIN || capacity > keptBytesMax) {
            return ByteBuffer.allocate(capacity);
        }
        for (int i = 0; i < KEPT_MAX; i++) {
            ByteBuffer spare = kept.get(i);
            if (spare != null && fits(spare.capacity(), capacity) && kept.compareAndSet(i, spare, null)) {
                keptBytes.addAndGet(-spare.capacity());
                return spare.clear().limit(capacity);
            }
        }
        return ByteBuffer.allocate((capacity + ROUNDED_TO - 1) / ROUNDED_TO * ROUNDED_TO)
                .limit(capacity);
    }

    /** Long enough, and not so long that others have more use for it. */
    private static boolean fits(int length, int wanted) {
        return length >= wanted && length / 4 <= wanted;
    }

    /**
     * Takes the array behind a buffer, which may be a part of it. Nobody must read or write any of it any more.
     *
     * @param buffer one without an array, or with a short one, is left alone
     */
    public void give(ByteBuffer buffer) {
        if (!buffer.hasArray() || buffer.array().length < LENGTH_MIN || buffer.array().length > keptBytesMax) {
            return;
        }
        int length = buffer.array().length;
        if (keptBytes.addAndGet(length) > keptBytesMax) {
            keptBytes.addAndGet(-length);
            return;
        }
        ByteBuffer whole = ByteBuffer.wrap(buffer.array());
        for (int i = 0; i < KEPT_MAX; i++) {
            if (kept.compareAndSet(i, null, whole)) {
                return;
            }
        }
        keptBytes.addAndGet(-length);
    }

    /** Bytes of what is kept. */
    public int keptBytes() {
        return keptBytes.get();
    }
}
