package io.duramen.broker.dedup;

/**
 * How often each of some keys is there, for a partition each: open addressing with linear probing, without an object for
 * any, since messages by the hundred thousand a second come and go. Confined to the shard's agent.
 */
final class KeyCounts {
    private static final int SMALLEST = 64;

    /** Places that a table may keep when it is cleared. */
    private static final int KEPT = 4_096;

    // Numbers of a place.
    private static final int HIGH = 0;
    private static final int LOW = 1;
    private static final int HASHED = 2;
    private static final int PARTITION = 3;
    private static final int COUNT = 4;

    /** Another than that of the table where none is. */
    private static final int GENERATION = 5;

    /** Rounded up, so that a place is found by a shift. */
    private static final int WIDTH_BITS = 3;

    private long[] table;
    private int mask;
    private int size;

    /** Counts up when all go, so that a table with little in it costs little, however long it is. */
    private long generation;

    KeyCounts() {
        allocate(SMALLEST);
    }

    private void allocate(int places) {
        table = new long[places << WIDTH_BITS];
        mask = places - 1;
        size = 0;
        generation = 1;
    }

    private boolean isFree(int at) {
        return table[at + GENERATION] != generation;
    }

    private int homeOf(long hashed, long partition) {
        return (int) hashed + (int) partition & mask;
    }

    /** Where it stands in the table, or would. */
    private int find(int partition, HashedKey key) {
        int place = homeOf(key.hashed(), partition);
        while (true) {
            int at = place << WIDTH_BITS;
            if (isFree(at)
                    || table[at + LOW] == key.low()
                            && table[at + HIGH] == key.high()
                            && table[at + PARTITION] == partition) {
                return at;
            }
            place = place + 1 & mask;
        }
    }

    boolean contains(int partition, HashedKey key) {
        return size > 0 && !isFree(find(partition, key));
    }

    /** @return how often it is there now */
    long add(int partition, HashedKey key) {
        if (size > mask / 2) {
            grow();
        }
        int at = find(partition, key);
        if (isFree(at)) {
            table[at + HIGH] = key.high();
            table[at + LOW] = key.low();
            table[at + HASHED] = key.hashed();
            table[at + PARTITION] = partition;
            table[at + COUNT] = 0;
            table[at + GENERATION] = generation;
            size++;
        }
        return ++table[at + COUNT];
    }

    private void grow() {
        long[] before = table;
        long generationBefore = generation;
        int sizeBefore = size;
        allocate(2 * (mask + 1));
        size = sizeBefore;
        for (int from = 0; from < before.length; from += 1 << WIDTH_BITS) {
            if (before[from + GENERATION] == generationBefore) {
                int place = homeOf(before[from + HASHED], before[from + PARTITION]);
                while (!isFree(place << WIDTH_BITS)) {
                    place = place + 1 & mask;
                }
                System.arraycopy(before, from, table, place << WIDTH_BITS, GENERATION);
                table[(place << WIDTH_BITS) + GENERATION] = generation;
            }
        }
    }

    /** Takes one away where it is there. */
    void remove(int partition, HashedKey key) {
        if (size == 0) {
            return;
        }
        int at = find(partition, key);
        if (!isFree(at) && --table[at + COUNT] == 0) {
            size--;
            close(at >> WIDTH_BITS);
        }
    }

    /** Moves what was probed past the gap into it. */
    private void close(int from) {
        int gap = from;
        int place = gap + 1 & mask;
        for (int at = place << WIDTH_BITS; !isFree(at); at = place << WIDTH_BITS) {
            int home = homeOf(table[at + HASHED], table[at + PARTITION]);
            if ((place - home & mask) >= (place - gap & mask)) {
                System.arraycopy(table, at, table, gap << WIDTH_BITS, GENERATION);
                gap = place;
            }
            place = place + 1 & mask;
        }
        table[(gap << WIDTH_BITS) + GENERATION] = 0;
    }

    void clear() {
        if (mask >= KEPT) {
            allocate(SMALLEST);
        } else {
            generation++;
            size = 0;
        }
    }
}
