package io.duramen.broker.dedup;

import io.duramen.protocol.record.DedupKey;
import java.util.Arrays;

/**
 * How often each of some keys is there, for a partition each: open addressing with linear probing, without an object for
 * any, since messages by the hundred thousand a second come and go. Confined to the shard's agent.
 */
final class KeyCounts {
    private static final int SMALLEST = 64;

    private final KeyHash hash;
    private long[] highs;
    private long[] lows;
    private int[] partitions;

    /** 0 where none is. */
    private int[] counts;

    private int size;

    KeyCounts(KeyHash hash) {
        this.hash = hash;
        allocate(SMALLEST);
    }

    private void allocate(int length) {
        highs = new long[length];
        lows = new long[length];
        partitions = new int[length];
        counts = new int[length];
        size = 0;
    }

    private int homeOf(long high, long low, int partition) {
        return (int) hash.of(high, low) + partition & counts.length - 1;
    }

    /** Where it is, or would be. */
    private int find(int partition, long high, long low) {
        int mask = counts.length - 1;
        int at = homeOf(high, low, partition);
        while (counts[at] != 0 && (lows[at] != low || highs[at] != high || partitions[at] != partition)) {
            at = at + 1 & mask;
        }
        return at;
    }

    boolean contains(int partition, DedupKey key) {
        return size > 0 && counts[find(partition, key.high(), key.low())] != 0;
    }

    /** @return how often it is there now */
    int add(int partition, DedupKey key) {
        if (size > counts.length / 2) {
            grow();
        }
        return add(partition, key.high(), key.low(), 1);
    }

    private int add(int partition, long high, long low, int times) {
        int at = find(partition, high, low);
        if (counts[at] == 0) {
            highs[at] = high;
            lows[at] = low;
            partitions[at] = partition;
            size++;
        }
        return counts[at] += times;
    }

    private void grow() {
        long[] highsBefore = highs;
        long[] lowsBefore = lows;
        int[] partitionsBefore = partitions;
        int[] countsBefore = counts;
        allocate(2 * countsBefore.length);
        for (int at = 0; at < countsBefore.length; at++) {
            if (countsBefore[at] != 0) {
                add(partitionsBefore[at], highsBefore[at], lowsBefore[at], countsBefore[at]);
            }
        }
    }

    /** Takes one away where it is there. */
    void remove(int partition, DedupKey key) {
        if (size == 0) {
            return;
        }
        int at = find(partition, key.high(), key.low());
        if (counts[at] != 0 && --counts[at] == 0) {
            size--;
            close(at);
        }
    }

    /** Moves what was probed past the gap into it. */
    private void close(int from) {
        int mask = counts.length - 1;
        int gap = from;
        for (int at = gap + 1 & mask; counts[at] != 0; at = at + 1 & mask) {
            int home = homeOf(highs[at], lows[at], partitions[at]);
            if ((at - home & mask) >= (at - gap & mask)) {
                highs[gap] = highs[at];
                lows[gap] = lows[at];
                partitions[gap] = partitions[at];
                counts[gap] = counts[at];
                gap = at;
            }
        }
        counts[gap] = 0;
    }

    void clear() {
        if (counts.length > 16 * SMALLEST) {
            allocate(SMALLEST);
        } else if (size > 0) {
            Arrays.fill(counts, 0);
            size = 0;
        }
    }
}
