package io.duramen.log;

import java.util.Arrays;

/**
 * Index items, ascending by offset. Confined to the agent. An item stands for a run of a partition's records: offset of
 * the first, where it starts and where the last one ends in the segment file, and where the entry of the first one ends,
 * so that a reader who starts at the first can walk on from entry to entry.
 */
final class IndexItems {
    /** Bytes of heap that an item takes. */
    static final int ITEM_BYTES = 20;

    private long[] offsets;
    private int[] positions;
    private int[] ends;
    private int[] entryEnds;
    private int size;

    IndexItems(int capacity) {
        offsets = new long[capacity];
        positions = new int[capacity];
        ends = new int[capacity];
        entryEnds = new int[capacity];
    }

    int size() {
        return size;
    }

    long offset(int item) {
        return offsets[item];
    }

    int position(int item) {
        return positions[item];
    }

    int end(int item) {
        return ends[item];
    }

    int entryEnd(int item) {
        return entryEnds[item];
    }

    void add(long offset, int position, int end, int entryEnd) {
        if (size == offsets.length) {
            int larger = Math.max(4, size * 2);
            offsets = Arrays.copyOf(offsets, larger);
            positions = Arrays.copyOf(positions, larger);
            ends = Arrays.copyOf(ends, larger);
            entryEnds = Arrays.copyOf(entryEnds, larger);
        }
        offsets[size] = offset;
        positions[size] = position;
        ends[size] = end;
        entryEnds[size] = entryEnd;
        size++;
    }

    /** The run of the last item goes on to there. */
    void extendLast(int end) {
        ends[size - 1] = end;
    }

    void addAll(IndexItems other) {
        for (int i = 0; i < other.size; i++) {
            add(other.offsets[i], other.positions[i], other.ends[i], other.entryEnds[i]);
        }
    }

    /** Last item of {@code from..to-1} that starts at or before the offset; -1 where there is none. */
    int floor(int from, int to, long offset) {
        int low = from;
        int high = to - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (offsets[middle] <= offset) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high < from ? -1 : high;
    }

    /** Items {@code from} to {@code to - 1} of {@code items}: those of one partition. */
    record Run(IndexItems items, int from, int to) {}
}
