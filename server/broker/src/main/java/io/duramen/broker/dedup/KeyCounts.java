package io.duramen.broker.dedup;

/**
 * How often each of some keys is there, for a partition each: open addressing with linear probing, without an object more for
 * any, since messages by the hundred thousand a second come and go. Confined to the shard's agent.
 */
final class KeyCounts {
    private static final int SMALLEST = 64;

    /** Places that a table may keep when it is cleared. */
    private static final int KEPT = 4_096;

    /**
     * Of each place the generation in the upper half, another than that of the table where none is, and of its key's hash
     * the lower half: what is probed, so that of a key that is not there hardly anything else is looked at.
     */
    private long[] marks;

    private HashedKey[] keys;
    private int[] partitions;
    private int[] counts;
    private int mask;
    private int size;

    /** Counts up when all go, so that a table with little in it costs little, however long it is. */
    private int generation;

    KeyCounts() {
        allocate(SMALLEST);
    }

    private void allocate(int places) {
        marks = new long[places];
        keys = new HashedKey[places];
        partitions = new int[places];
        counts = new int[places];
        mask = places - 1;
        size = 0;
        generation = 1;
    }

    private boolean isFree(int place) {
        return (int) (marks[place] >>> Integer.SIZE) != generation;
    }

    private long markOf(long hashed) {
        return (long) generation << Integer.SIZE | hashed & 0xFFFF_FFFFL;
    }

    /** From its hash, or from the mark that has the lower half of it. */
    private int homeOf(long hashed, int partition) {
        return (int) hashed + partition & mask;
    }

    /** Where it stands in the table, or would. */
    private int find(int partition, HashedKey key) {
        long wanted = markOf(key.hashed());
        int place = homeOf(key.hashed(), partition);
        while (!isFree(place) && !(marks[place] == wanted && isAt(place, partition, key))) {
            place = place + 1 & mask;
        }
        return place;
    }

    private boolean isAt(int place, int partition, HashedKey key) {
        HashedKey there = keys[place];
        return there.low() == key.low() && there.high() == key.high() && partitions[place] == partition;
    }

    boolean contains(int partition, HashedKey key) {
        return size > 0 && !isFree(find(partition, key));
    }

    /** @return how often it is there now */
    int add(int partition, HashedKey key) {
        if (size > mask / 2) {
            grow();
        }
        int place = find(partition, key);
        if (isFree(place)) {
            put(place, markOf(key.hashed()), key, partition, 0);
            size++;
        }
        return ++counts[place];
    }

    private void put(int place, long mark, HashedKey key, int partition, int count) {
        marks[place] = mark;
        keys[place] = key;
        partitions[place] = partition;
        counts[place] = count;
    }

    private void grow() {
        long[] marksBefore = marks;
        int generationBefore = generation;
        HashedKey[] keysBefore = keys;
        int[] partitionsBefore = partitions;
        int[] countsBefore = counts;
        int sizeBefore = size;
        allocate(2 * (mask + 1));
        size = sizeBefore;
        for (int from = 0; from < keysBefore.length; from++) {
            if ((int) (marksBefore[from] >>> Integer.SIZE) == generationBefore) {
                long hashed = keysBefore[from].hashed();
                int place = homeOf(hashed, partitionsBefore[from]);
                while (!isFree(place)) {
                    place = place + 1 & mask;
                }
                put(place, markOf(hashed), keysBefore[from], partitionsBefore[from], countsBefore[from]);
            }
        }
    }

    /** Takes one away where it is there. */
    void remove(int partition, HashedKey key) {
        if (size == 0) {
            return;
        }
        int place = find(partition, key);
        if (!isFree(place) && --counts[place] == 0) {
            size--;
            close(place);
        }
    }

    /** Moves what was probed past the gap into it. */
    private void close(int from) {
        int gap = from;
        for (int place = gap + 1 & mask; !isFree(place); place = place + 1 & mask) {
            int home = homeOf(marks[place], partitions[place]);
            if ((place - home & mask) >= (place - gap & mask)) {
                put(gap, marks[place], keys[place], partitions[place], counts[place]);
                gap = place;
            }
        }
        marks[gap] = 0;
        keys[gap] = null;
    }

    void clear() {
        if (mask >= KEPT || generation == Integer.MAX_VALUE) {
            allocate(SMALLEST);
        } else {
            generation++;
            size = 0;
        }
    }
}
