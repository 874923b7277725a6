package io.duramen.jms.delivery;

import io.duramen.protocol.frame.OffsetRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Not thread-safe. A set of offsets as ascending ranges that do not touch; adding in order costs no search. */
final class OffsetRanges {
    private static final int CAPACITY = 4;

    private long[] firsts = new long[CAPACITY];
    private long[] lasts = new long[CAPACITY];
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    void clear() {
        size = 0;
    }

    void add(long offset) {
        if (size > 0 && lasts[size - 1] + 1 == offset) {
            lasts[size - 1] = offset;
        } else {
            add(offset, offset);
        }
    }

    /** Adds all from first to last. */
    void add(long first, long last) {
        int from = firstTouching(first);
        int to = from;
        long mergedFirst = first;
        long mergedLast = last;
        while (to < size && firsts[to] <= last + 1) {
            mergedFirst = Math.min(mergedFirst, firsts[to]);
            mergedLast = Math.max(mergedLast, lasts[to]);
            to++;
        }
        splice(from, to, 1);
        firsts[from] = mergedFirst;
        lasts[from] = mergedLast;
    }

    void addAll(List<OffsetRange> ranges) {
        for (OffsetRange range : ranges) {
            add(range.first(), range.last());
        }
    }

    void addAll(OffsetRanges other) {
        for (int i = 0; i < other.size; i++) {
            add(other.firsts[i], other.lasts[i]);
        }
    }

    void remove(long offset) {
        remove(offset, offset);
    }

    /** Removes all from first to last, as far as they are in the set. */
    void remove(long first, long last) {
        int from = firstTouching(first + 1); // the first range that ends at or behind first
        int to = from;
        while (to < size && firsts[to] <= last) {
            to++;
        }
        if (from == to) {
            return;
        }
        long leftFirst = firsts[from];
        long rightLast = lasts[to - 1];
        boolean left = leftFirst < first;
        boolean right = rightLast > last;
        splice(from, to, (left ? 1 : 0) + (right ? 1 : 0));
        if (left) {
            firsts[from] = leftFirst;
            lasts[from] = first - 1;
            from++;
        }
        if (right) {
            firsts[from] = last + 1;
            lasts[from] = rightLast;
        }
    }

    void removeAll(List<OffsetRange> ranges) {
        for (OffsetRange range : ranges) {
            remove(range.first(), range.last());
        }
    }

    boolean contains(long offset) {
        int at = firstTouching(offset + 1);
        return at < size && firsts[at] <= offset;
    }

    List<OffsetRange> toList() {
        List<OffsetRange> ranges = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            ranges.add(new OffsetRange(firsts[i], lasts[i]));
        }
        return ranges;
    }

    /** Index of the first range whose end is at least {@code first - 1}. */
    private int firstTouching(long first) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (lasts[middle] + 1 < first) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Replaces the ranges from..to (exclusive) by {@code count} that the caller fills. */
    private void splice(int from, int to, int count) {
        int newSize = size - (to - from) + count;
        if (newSize > firsts.length) {
            firsts = Arrays.copyOf(firsts, newSize * 2);
            lasts = Arrays.copyOf(lasts, newSize * 2);
        }
        System.arraycopy(firsts, to, firsts, from + count, size - to);
        System.arraycopy(lasts, to, lasts, from + count, size - to);
        size = newSize;
    }
}
