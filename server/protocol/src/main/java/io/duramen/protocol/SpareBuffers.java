package io.duramen.protocol;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntFunction;

/**
 * Thread-safe. Long buffers, to be used over and over: to make one is to fill it with zeros, as much again as copying what
 * it is for, in memory that the processor has not in its caches and the collector has to find room for. What is kept is bounded.
 *
 * <p>A buffer is taken by one, who fills it and may hand it on, and given back by the last who has it. One that is never given
 * back is the collector's, as any other.
 *
 * <p>Buffers outside the heap are for what goes to a socket or a file as it is. There are never more of them than a bound,
 * whether given back or not: past it, buffers on the heap are taken in their place, whose making brings the collector to those
 * that nobody gave back.
 */
public final class SpareBuffers {
    /** Those of this JVM. */
    public static final SpareBuffers SHARED =
            new SpareBuffers((int) Math.min(16 << 20, Runtime.getRuntime().maxMemory() / 16));

    /** Shorter ones are not kept: the collector is good at them. */
    public static final int LENGTH_MIN = 128 * 1024;

    private static final int KEPT_MAX = 32;

    /** What is made outside the heap and alive, in what is kept of it at most. */
    private static final int DIRECT_TO_KEPT = 4;

    /** So that what differs little in length has use for the same buffer. */
    private static final int ROUNDED_TO = 64 * 1024;

    private final Kept onHeap = new Kept();
    private final Kept direct = new Kept();
    private final int keptBytesMax;
    private final IntFunction<ByteBuffer> outsideHeap;
    private final AtomicLong directBytes = new AtomicLong();
    private final Set<Reference<?>> directAlive = ConcurrentHashMap.newKeySet();
    private final ReferenceQueue<ByteBuffer> directGone = new ReferenceQueue<>();

    /** @param keptBytesMax what is kept of what was given back, together; on the heap, and as much again outside */
    public SpareBuffers(int keptBytesMax) {
        this(keptBytesMax, ByteBuffer::allocateDirect);
    }

    /** @param outsideHeap makes a buffer of so many bytes; throws OutOfMemoryError where the process may have no more */
    SpareBuffers(int keptBytesMax, IntFunction<ByteBuffer> outsideHeap) {
        this.keptBytesMax = keptBytesMax;
        this.outsideHeap = outsideHeap;
    }

    /**
     * @return a buffer on the heap, its array exposed at offset 0 and maybe longer than asked for; position 0, limit at the
     *     capacity asked for. What it holds is undefined.
     */
    public ByteBuffer take(int capacity) {
        if (!isLong(capacity)) {
            return ByteBuffer.allocate(capacity);
        }
        ByteBuffer spare = onHeap.take(capacity);
        return spare != null ? spare : ByteBuffer.allocate(rounded(capacity)).limit(capacity);
    }

    /**
     * As {@link #take}, outside the heap: unless it is short, or there are as many as there may be, here or in the whole process,
     * which gives one on the heap.
     */
    public ByteBuffer takeDirect(int capacity) {
        ByteBuffer spare = isLong(capacity) ? direct.take(capacity) : null;
        if (spare != null) {
            return spare;
        }
        ByteBuffer made = isLong(capacity) && reserve(rounded(capacity)) ? make(rounded(capacity)) : null;
        return made != null ? made.limit(capacity) : take(capacity);
    }

    /** Null where the process may have no more. */
    private ByteBuffer make(int length) {
        try {
            ByteBuffer made = outsideHeap.apply(length);
            directAlive.add(new Made(made, length, directGone));
            return made;
        } catch (OutOfMemoryError others) {
            directBytes.addAndGet(-length);
            return null;
        }
    }

    private boolean reserve(int length) {
        for (Reference<?> gone = directGone.poll(); gone != null; gone = directGone.poll()) {
            directAlive.remove(gone);
            directBytes.addAndGet(-((Made) gone).length);
        }
        if (directBytes.addAndGet(length) > (long) DIRECT_TO_KEPT * keptBytesMax) {
            directBytes.addAndGet(-length);
            return false;
        }
        return true;
    }

    private boolean isLong(int length) {
        return length >= LENGTH_MIN && length <= keptBytesMax;
    }

    private static int rounded(int capacity) {
        return (capacity + ROUNDED_TO - 1) / ROUNDED_TO * ROUNDED_TO;
    }

    /**
     * Takes the memory of a buffer: the array behind it, of which it may be a part, or, outside the heap, its own from 0 to its
     * capacity. Nobody must read or write any of it any more.
     *
     * @param buffer one that is read-only, or short, is left alone
     */
    public void give(ByteBuffer buffer) {
        if (buffer.isReadOnly()) {
            return;
        }
        if (buffer.isDirect()) {
            direct.give(buffer.duplicate().clear());
        } else if (buffer.hasArray()) {
            onHeap.give(ByteBuffer.wrap(buffer.array()));
        }
    }

    /**
     * Leaves memory outside the heap out of what is counted as alive: its holder bounds what he has of it, and gives all of it
     * back by {@link #giveHeld}.
     */
    public void hold(ByteBuffer memory) {
        directBytes.addAndGet(-memory.capacity());
    }

    /** As {@link #give}, for what was left out by {@link #hold}. */
    public void giveHeld(ByteBuffer memory) {
        directBytes.addAndGet(memory.capacity());
        give(memory);
    }

    /** Bytes of what is kept on the heap. */
    public int keptBytes() {
        return onHeap.bytes.get();
    }

    /** Bytes of what is kept outside the heap. */
    public int keptDirectBytes() {
        return direct.bytes.get();
    }

    private static final class Made extends PhantomReference<ByteBuffer> {
        final int length;

        Made(ByteBuffer made, int length, ReferenceQueue<ByteBuffer> gone) {
            super(made, gone);
            this.length = length;
        }
    }

    private final class Kept {
        private final AtomicReferenceArray<ByteBuffer> buffers = new AtomicReferenceArray<>(KEPT_MAX);
        private final AtomicInteger bytes = new AtomicInteger();

        /** Null where none fits. */
        ByteBuffer take(int capacity) {
            for (int i = 0; i < KEPT_MAX; i++) {
                ByteBuffer spare = buffers.get(i);
                if (spare != null && fits(spare.capacity(), capacity) && buffers.compareAndSet(i, spare, null)) {
                    bytes.addAndGet(-spare.capacity());
                    return spare.clear().limit(capacity);
                }
            }
            return null;
        }

        /** Long enough, and not so long that others have more use for it. */
        private boolean fits(int length, int wanted) {
            return length >= wanted && length / 4 <= wanted;
        }

        void give(ByteBuffer whole) {
            int length = whole.capacity();
            if (!isLong(length)) {
                return;
            }
            if (bytes.addAndGet(length) > keptBytesMax) {
                bytes.addAndGet(-length);
                return;
            }
            for (int i = 0; i < KEPT_MAX; i++) {
                if (buffers.compareAndSet(i, null, whole)) {
                    return;
                }
            }
            bytes.addAndGet(-length);
        }
    }
}
