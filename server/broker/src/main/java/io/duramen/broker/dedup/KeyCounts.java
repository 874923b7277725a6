package io.duramen.broker.dedup;

/**
 * How often each of some keys is there, for a partition each: open addressing with linear probing, without an object for any,
 * since messages by the hundred thousand a second come and go. Confined to the shard's agent.
 */
final class KeyCounts {
    private static final int SMALLEST = 64;

    /** Places that a table may keep when it is cleared. */
    private static final int KEPT = 4_096;

    /** Words of a place: what of it is looked at lies together, and is no reference that a collector has to know of. */
    private static final int WORDS = 4;

    /**
     * The first word: the generation in the upper half, another than that of the table where none is, and of its key's hash the
     * lower half: what is probed, so that of a key that is not there hardly anything else is looked at.
     */
    private static final int MARK = 0;

    private static final int HIGH = 1;
    private static final int LOW = 2;

    /** The last: the partition in the upper half, and how often. */
    private static final int COUNT = 3;

    private long[] table;
    private int mask;
    private int size;

    /** Counts up when all go, so that a table with little in it costs little, however long it is. */
    private int generation;

    KeyCounts() {
        allocate(SMALLEST);
    }

    private void allocate(int places) {
        table = new long[places * WORDS];
        mask = places - 1;
        size = 0;
        generation = 1;
    }

    private static boolean isOf(int generation, long mark) {
        return (int) (mark >>> Integer.SIZE) == generation;
    }

    private boolean isFree(int place) {
        return !isOf(generation, table[place * WORDS + MARK]);
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
        while (!isFree(place) && !(table[place * WORDS + MARK] == wanted && isAt(place, partition, key))) {
            place = place + 1 & mask;
        }
        return place;
    }

    private boolean isAt(int place, int partition, HashedKey key) {
        int at = place * WORDS;
        return table[at + LOW] == key.low() && table[at + HIGH] == key.high() && partitionAt(place) == partition;
    }

    private int partitionAt(int place) {
        return (int) (table[place * WORDS + COUNT] >>> Integer.SIZE);
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
        int at = place * WORDS;
        if (isFree(place)) {
            table[at + MARK] = markOf(key.hashed());
            table[at + HIGH] = key.high();
            table[at + LOW] = key.low();
            table[at + COUNT] = (long) partition << Integer.SIZE;
            size++;
        }
        return (int) ++table[at + COUNT];
    }

    private void move(long[] from, int fromAt, int toPlace) {
        System.arraycopy(from, fromAt, table, toPlace * WORDS, WORDS);
    }

    private void grow() {
        long[] before = table;
        int generationBefore = generation;
        int sizeBefore = size;
        allocate(2 * (mask + 1));
        size = sizeBefore;
        for (int from = 0; from < before.length; from += WORDS) {
            if (isOf(generationBefore, before[from + MARK])) {
                before[from + MARK] = markOf(before[from + MARK]);
                int place = homeOf(before[from + MARK], (int) (before[from + COUNT] >>> Integer.SIZE));
                while (!isFree(place)) {
                    place = place + 1 & mask;
                }
                move(before, from, place);
            }
        }
    }

    /** Takes one away where it is there. */
    void remove(int partition, HashedKey key) {
        if (size == 0) {
            return;
        }
        int place = find(partition, key);
        if (!isFree(place) && (int) --table[place * WORDS + COUNT] == 0) {
            size--;
            close(place);
        }
    }

    /** Moves what was probed past the gap into it. */
    private void close(int from) {
        int gap = from;
        for (int place = gap + 1 & mask; !isFree(place); place = place + 1 & mask) {
            int home = homeOf(table[place * WORDS + MARK], partitionAt(place));
            if ((place - home & mask) >= (place - gap & mask)) {
                move(table, place * WORDS, gap);
                gap = place;
            }
        }
        table[gap * WORDS + MARK] = 0;
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
