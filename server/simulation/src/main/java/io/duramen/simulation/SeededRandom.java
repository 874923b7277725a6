package io.duramen.simulation;

import java.util.List;

/** The only source of chance in a simulation (SplitMix64). Not thread-safe. Equal seeds give equal numbers in every JVM. */
public final class SeededRandom {
    private long state;

    public SeededRandom(long seed) {
        state = seed;
    }

    public long nextLong() {
        state += 0x9E3779B97F4A7C15L;
        return mix(state);
    }

    /** A number of {@code 0..bound-1}. */
    public int below(int bound) {
        return (int) ((nextLong() >>> 33) % bound);
    }

    /** A number of {@code 0..bound-1}. */
    public long below(long bound) {
        return (nextLong() >>> 1) % bound;
    }

    /** A number from {@code least} to {@code most}, both included. */
    public int between(int least, int most) {
        return least + below(most - least + 1);
    }

    /** True once in {@code n} times. */
    public boolean oneIn(int n) {
        return below(n) == 0;
    }

    /** True with that probability, 0 to 1. */
    public boolean chance(double probability) {
        return (nextLong() >>> 11) * 0x1.0p-53 < probability;
    }

    public <T> T pick(List<T> from) {
        return from.get(below(from.size()));
    }

    /** A generator of its own, so that one consumer's draws do not shift those of another. */
    public SeededRandom split() {
        return new SeededRandom(nextLong());
    }

    static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
