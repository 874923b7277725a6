package io.duramen.log;

import java.util.Arrays;

/** Places of one partition's records in the tail cache, ascending. Confined to the agent. */
final class TailRecords {
    private static final int SLOTS = 3;

    /** For each record: offset, place, count and length. */
    private long[] slots = new long[SLOTS * 4];

    private int head;
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    long offset(int i) {
        return slots[at(i)];
    }

    /** Of the record's body. */
    long place(int i) {
        return slots[at(i) + 1];
    }

    int count(int i) {
        return (int) (slots[at(i) + 2] >>> 32);
    }

    int length(int i) {
        return (int) slots[at(i) + 2];
    }

    private int at(int i) {
        return (head + i) * SLOTS;
    }

    void add(long offset, long place, int count, int length) {
        if (at(size) == slots.length) {
            if (head > size) {
                System.arraycopy(slots, at(0), slots, 0, size * SLOTS);
                head = 0;
            } else {
                slots = Arrays.copyOf(slots, slots.length * 2);
            }
        }
        int at = at(size);
        slots[at] = offset;
        slots[at + 1] = place;
        slots[at + 2] = (long) count << 32 | length;
        size++;
    }

    void removeBefore(long place) {
        while (size > 0 && place(0) < place) {
            head++;
            size--;
        }
    }

    /** The record that holds the offset; -1 where there is none. */
    int find(long offset) {
        int low = 0;
        int high = size - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (offset(middle) <= offset) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high >= 0 && offset < offset(high) + count(high) ? high : -1;
    }
}
