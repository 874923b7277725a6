package io.duramen.broker.dedup;

/** Keys with their hashes, as numbers alone: a collector that moves or marks has to look at none of them. Confined to the agent. */
final class KeyList {
    private final long[] highs;
    private final long[] lows;
    private final long[] hashes;
    private int size;

    /** @param sizeMax keys that it takes */
    KeyList(int sizeMax) {
        highs = new long[sizeMax];
        lows = new long[sizeMax];
        hashes = new long[sizeMax];
    }

    void add(long[] moreHighs, long[] moreLows, long[] moreHashes, int count) {
        System.arraycopy(moreHighs, 0, highs, size, count);
        System.arraycopy(moreLows, 0, lows, size, count);
        System.arraycopy(moreHashes, 0, hashes, size, count);
        size += count;
    }

    int size() {
        return size;
    }

    HashedKey key(int at) {
        return new HashedKey(highs[at], lows[at], hashes[at]);
    }

    /** Of all keys, and others behind them. */
    long[] hashes() {
        return hashes;
    }
}
