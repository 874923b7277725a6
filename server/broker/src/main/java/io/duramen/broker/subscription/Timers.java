package io.duramen.broker.subscription;

import java.util.Arrays;
import org.agrona.collections.LongHashSet;

/**
 * Offsets that wait for a time, the earliest first. Bounded: beyond the bound the later half is forgotten, and from
 * where and when it was is remembered, so that it can be looked for again. Confined to the shard's agent.
 */
final class Timers {
    private static final int CAPACITY_MIN = 16;

    private final int max;

    /** A binary heap of two columns. */
    private long[] times = new long[0];

    private long[] offsets = new long[0];
    private int size;

    /** Those kept, as messages are met more than once, and in no order. */
    private final LongHashSet kept = new LongHashSet();

    /** Everything kept is due before it; {@link Long#MAX_VALUE} where nothing was forgotten. */
    private long forgottenTime = Long.MAX_VALUE;

    private long forgottenFrom = Long.MAX_VALUE;

    /** @param max most offsets that are kept, at least 1 */
    Timers(int max) {
        this.max = max;
    }

    int size() {
        return size;
    }

    /** One that is kept already stays as it is. */
    void add(long time, long offset) {
        if (kept.contains(offset)) {
            return;
        }
        if (size == max) {
            forgetTheLater();
        }
        if (time >= forgottenTime) {
            forgottenFrom = Math.min(forgottenFrom, offset);
            return;
        }
        if (size == times.length) {
            int capacity = Math.min(max, Math.max(CAPACITY_MIN, 2 * size));
            times = Arrays.copyOf(times, capacity);
            offsets = Arrays.copyOf(offsets, capacity);
        }
        times[size] = time;
        offsets[size] = offset;
        kept.add(offset);
        siftUp(size++);
    }

    private void forgetTheLater() {
        long[] sorted = Arrays.copyOf(times, size);
        Arrays.sort(sorted);
        forgottenTime = sorted[size / 2];
        int left = 0;
        for (int i = 0; i < size; i++) {
            if (times[i] < forgottenTime) {
                times[left] = times[i];
                offsets[left++] = offsets[i];
            } else {
                forgottenFrom = Math.min(forgottenFrom, offsets[i]);
                kept.remove(offsets[i]);
            }
        }
        size = left;
        for (int i = 1; i < size; i++) {
            siftUp(i);
        }
    }

    /** The earliest time of any, forgotten or not; {@link Long#MAX_VALUE} where there is none. */
    long nextTime() {
        return Math.min(size == 0 ? Long.MAX_VALUE : times[0], forgottenTime);
    }

    /** Takes the earliest that is due; -1 where none is. */
    long poll(long now) {
        if (size == 0 || times[0] > now) {
            return -1;
        }
        long offset = offsets[0];
        kept.remove(offset);
        size--;
        times[0] = times[size];
        offsets[0] = offsets[size];
        siftDown();
        if (size == 0) {
            times = new long[0];
            offsets = new long[0];
            kept.compact();
        }
        return offset;
    }

    /** Whether something that was forgotten is due: everything from {@link #recall} on has to be added again. */
    boolean mustRecall(long now) {
        return forgottenTime <= now;
    }

    /** The lowest forgotten offset; nothing counts as forgotten any more. */
    long recall() {
        long from = forgottenFrom;
        forgottenTime = Long.MAX_VALUE;
        forgottenFrom = Long.MAX_VALUE;
        return from;
    }

    private void siftUp(int from) {
        int at = from;
        while (at > 0 && isBefore(at, (at - 1) / 2)) {
            swap(at, (at - 1) / 2);
            at = (at - 1) / 2;
        }
    }

    private void siftDown() {
        int at = 0;
        while (2 * at + 1 < size) {
            int child = 2 * at + 1;
            if (child + 1 < size && isBefore(child + 1, child)) {
                child++;
            }
            if (!isBefore(child, at)) {
                return;
            }
            swap(child, at);
            at = child;
        }
    }

    private boolean isBefore(int one, int other) {
        return times[one] < times[other] || times[one] == times[other] && offsets[one] < offsets[other];
    }

    private void swap(int one, int other) {
        long time = times[one];
        times[one] = times[other];
        times[other] = time;
        long offset = offsets[one];
        offsets[one] = offsets[other];
        offsets[other] = offset;
    }
}
