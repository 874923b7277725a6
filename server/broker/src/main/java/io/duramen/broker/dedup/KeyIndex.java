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

    private final DedupWindow window;
    private int[][] tables = {new int[SMALLEST]};
    private int[] sizes = new int[1];
    private boolean split;

    KeyIndex(DedupWindow window) {
        this.window = window;
    }

    /** Murmur's finalizer over both halves: keys come from clients, who may choose them badly. */
    static long hash(long high, long low) {
        long mixed = high ^ low * 0x9E3779B97F4A7C15L;
        mixed ^= mixed >>> 33;
        mixed *= 0xff51afd7ed558ccdL;
        mixed ^= mixed >>> 33;
        mixed *= 0xc4ceb9fe1a85ec53L;
        return mixed ^ mixed >>> 33;
    }

    private int tableOf(long hash) {
        return split ? (int) (hash >>> Long.SIZE - SPLIT_BITS) : 0;
    }

    /** @return the place number of the key, 0 for none */
    int find(long high, long low) {
        long hash = hash(high, low);
        int[] table = tables[tableOf(hash)];
        int mask = table.length - 1;
        for (int at = (int) hash & mask; table[at] != 0; at = at + 1 & mask) {
            if (window.isAt(table[at], high, low)) {
                return table[at];
            }
        }
        return 0;
    }

    /** @param place 1 or more, where the window has the key by now; another place of the same key is forgotten */
    void put(long high, long low, int place) {
        long hash = hash(high, low);
        int number = tableOf(hash);
        int[] table = tables[number];
        int mask = table.length - 1;
        int at = (int) hash & mask;
        while (table[at] != 0) {
            if (window.isAt(table[at], high, low)) {
                table[at] = place;
                return;
            }
            at = at + 1 & mask;
        }
        table[at] = place;
        sizes[number]++;
        if (!split && sizes[number] > SPLIT_AT) {
            split();
        } else if (sizes[number] > table.length / 4 * 3) {
            tables[number] = rehashed(table, 2 * table.length);
        }
    }

    private int[] rehashed(int[] table, int length) {
        int[] larger = new int[length];
        for (int place : table) {
            if (place != 0) {
                insert(larger, place);
            }
        }
        return larger;
    }

    private void insert(int[] table, int place) {
        int mask = table.length - 1;
        int at = (int) window.hashAt(place) & mask;
        while (table[at] != 0) {
            at = at + 1 & mask;
        }
        table[at] = place;
    }

    private void split() {
        int[] all = tables[0];
        split = true;
        tables = new int[1 << SPLIT_BITS][SMALLEST];
        sizes = new int[1 << SPLIT_BITS];
        for (int place : all) {
            if (place != 0) {
                int number = tableOf(window.hashAt(place));
                if (++sizes[number] > tables[number].length / 4 * 3) {
                    tables[number] = rehashed(tables[number], 2 * tables[number].length);
                }
                insert(tables[number], place);
            }
        }
    }

    /** Forgets the key if that is its place, which the window still has. */
    void remove(long high, long low, int place) {
        long hash = hash(high, low);
        int number = tableOf(hash);
        int[] table = tables[number];
        int mask = table.length - 1;
        int at = (int) hash & mask;
        while (table[at] != place) {
            if (table[at] == 0) {
                return;
            }
            at = at + 1 & mask;
        }
        sizes[number]--;
        close(table, at);
    }

    /** Moves what was probed past the gap into it. */
    private void close(int[] table, int from) {
        int mask = table.length - 1;
        int gap = from;
        for (int at = gap + 1 & mask; table[at] != 0; at = at + 1 & mask) {
            int home = (int) window.hashAt(table[at]) & mask;
            if ((at - home & mask) >= (at - gap & mask)) {
                table[gap] = table[at];
                gap = at;
            }
        }
        table[gap] = 0;
    }
}
