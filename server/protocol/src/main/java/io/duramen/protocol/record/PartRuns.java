package io.duramen.protocol.record;

import java.util.Arrays;

/** Offsets of a large body's parts, ascending: where they follow one another, kept as one run. One thread at a time. */
public final class PartRuns {
    private static final int INITIAL_CAPACITY = 4;

    private long[] firsts = new long[INITIAL_CAPACITY];
    /** Index of each run's first part. */
    private int[] indexes = new int[INITIAL_CAPACITY];

    private int runs;
    private int parts;

    /** The next part stands at this offset, beyond all others. */
    public void add(long offset) {
        if (runs > 0 && offset == firsts[runs - 1] + count(runs - 1)) {
            parts++;
        } else {
            addRun(offset, 1);
        }
    }

    void addRun(long first, int count) {
        if (runs == firsts.length) {
            firsts = Arrays.copyOf(firsts, 2 * runs);
            indexes = Arrays.copyOf(indexes, 2 * runs);
        }
        firsts[runs] = first;
        indexes[runs++] = parts;
        parts += count;
    }

    public int parts() {
        return parts;
    }

    public int runs() {
        return runs;
    }

    /** Offset of a run's first part. */
    public long first(int run) {
        return firsts[run];
    }

    /** Parts of a run. */
    public int count(int run) {
        return (run + 1 < runs ? indexes[run + 1] : parts) - indexes[run];
    }

    /** Offset of a part. */
    public long offset(int index) {
        if (index < 0 || index >= parts) {
            throw new IndexOutOfBoundsException("part " + index + " of " + parts);
        }
        int found = Arrays.binarySearch(indexes, 0, runs, index);
        int run = found >= 0 ? found : -found - 2;
        return firsts[run] + index - indexes[run];
    }

    /** The first so many parts. */
    public PartRuns upTo(int count) {
        PartRuns some = new PartRuns();
        for (int i = 0; i < runs && some.parts < count; i++) {
            some.addRun(firsts[i], Math.min(count(i), count - some.parts));
        }
        return some;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PartRuns that
                && parts == that.parts
                && Arrays.equals(firsts, 0, runs, that.firsts, 0, that.runs)
                && Arrays.equals(indexes, 0, runs, that.indexes, 0, that.runs);
    }

    @Override
    public int hashCode() {
        return 31 * parts + (runs == 0 ? 0 : Long.hashCode(firsts[0]));
    }
}
