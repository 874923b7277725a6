package io.duramen.broker.dedup;

/**
 * Finds the place of a key in a {@link DedupWindow}: open addressing with linear probing over numbers of places, some 7
 * bytes a key. From some thousand keys on it is split by their hash into many tables, each of which grows by itself, so
 * that no step is long. Confined to the shard's agent.
 */
final class KeyIndex {
    private static final int SMALLEST = 16;
    private static final int SPLIT_BITS = 10;
    private static final int SPLIT_AT = 6_000;

    /** A tag says where in a table of this length, or a shorter one, a key belongs. */
    private static final int TAGS = 1 << Short.SIZE;

    private final DedupWindow window;
    private final KeyHash hash;
    private int[][] tables = {new int[SMALLEST]};

    /** Beside each place the low bits of its key's hash, so that few keys are looked at that are not the one. */
    private short[][] tags = {new short[SMALLEST]};

    private int[] sizes = new int[1];
    private boolean split;

    KeyIndex(DedupWindow window, KeyHash hash) {
        this.window = window;
        this.hash = hash;
    }

    private int tableOf(long hashed) {
        return split ? (int) (hashed >>> Long.SIZE - SPLIT_BITS) : 0;
    }

    /** @return the place number of the key, 0 for none */
    int find(long high, long low) {
        long hashed = hash.of(high, low);
        int number = tableOf(hashed);
        int[] table = tables[number];
        short[] tag = tags[number];
        int mask = table.length - 1;
        for (int at = (int) hashed & mask; table[at] != 0; at = at + 1 & mask) {
            if (tag[at] == (short) hashed && window.isAt(table[at], high, low)) {
                return table[at];
            }
        }
        return 0;
    }

    /** @param place 1 or more, where the window has the key by now; another place of the same key is forgotten */
    void put(long high, long low, int place) {
        long hashed = hash.of(high, low);
        int number = tableOf(hashed);
        int[] table = tables[number];
        short[] tag = tags[number];
        int mask = table.length - 1;
        int at = (int) hashed & mask;
        while (table[at] != 0) {
            if (tag[at] == (short) hashed && window.isAt(table[at], high, low)) {
                table[at] = place;
                return;
            }
            at = at + 1 & mask;
        }
        table[at] = place;
        tag[at] = (short) hashed;
        sizes[number]++;
        if (!split && sizes[number] > SPLIT_AT) {
            split();
        } else if (sizes[number] > table.length / 4 * 3) {
            grow(number);
        }
    }

    private void grow(int number) {
        int[] before = tables[number];
        tables[number] = new int[2 * before.length];
        tags[number] = new short[2 * before.length];
        for (int place : before) {
            if (place != 0) {
                insert(number, place);
            }
        }
    }

    private void insert(int number, int place) {
        int[] table = tables[number];
        int mask = table.length - 1;
        long hashed = window.hashAt(place);
        int at = (int) hashed & mask;
        while (table[at] != 0) {
            at = at + 1 & mask;
        }
        table[at] = place;
        tags[number][at] = (short) hashed;
    }

    private void split() {
        int[] all = tables[0];
        split = true;
        tables = new int[1 << SPLIT_BITS][SMALLEST];
        tags = new short[1 << SPLIT_BITS][SMALLEST];
        sizes = new int[1 << SPLIT_BITS];
        for (int place : all) {
            if (place != 0) {
                int number = tableOf(window.hashAt(place));
                if (++sizes[number] > tables[number].length / 4 * 3) {
                    grow(number);
                }
                insert(number, place);
            }
        }
    }

    /** Forgets the key if that is its place, which the window still has. */
    void remove(long high, long low, int place) {
        long hashed = hash.of(high, low);
        int number = tableOf(hashed);
        int[] table = tables[number];
        int mask = table.length - 1;
        int at = (int) hashed & mask;
        while (table[at] != place) {
            if (table[at] == 0) {
                return;
            }
            at = at + 1 & mask;
        }
        sizes[number]--;
        close(number, at);
    }

    /** Moves what was probed past the gap into it. */
    private void close(int number, int from) {
        int[] table = tables[number];
        short[] tag = tags[number];
        int mask = table.length - 1;
        int gap = from;
        for (int at = gap + 1 & mask; table[at] != 0; at = at + 1 & mask) {
            int home = (table.length <= TAGS ? tag[at] : (int) window.hashAt(table[at])) & mask;
            if ((at - home & mask) >= (at - gap & mask)) {
                table[gap] = table[at];
                tag[gap] = tag[at];
                gap = at;
            }
        }
        table[gap] = 0;
    }
}
