package io.duramen.runtime.disk;

import java.util.concurrent.TimeUnit;

/**
 * How long syncs of a disk took: what is stored waits for them, so a slow disk is to be seen here before anybody complains. Counted by one
 * thread at a time, which sees what the one before has counted; read from any.
 */
public final class SyncTimes {
    /** A sync that takes longer is slow: a good disk takes a tenth of a millisecond, and a blocking sender waits for one or two. */
    public static final long SLOW_MILLIS = 10;

    private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(SLOW_MILLIS);

    private volatile long count;
    private volatile long nanos;
    private volatile long slow;
    private volatile long longestNanos;

    /** One more sync took so long, whether it succeeded or failed. */
    void took(long tookNanos) {
        nanos = nanos + tookNanos;
        if (tookNanos > SLOW_NANOS) {
            slow = slow + 1;
        }
        if (tookNanos > longestNanos) {
            longestNanos = tookNanos;
        }
        count = count + 1;
    }

    /** Syncs so far. */
    public long count() {
        return count;
    }

    /** Nanoseconds of all of them together. */
    public long nanos() {
        return nanos;
    }

    /** Those that took longer than {@link #SLOW_MILLIS}. */
    public long slow() {
        return slow;
    }

    /** Nanoseconds of the longest. */
    public long longestNanos() {
        return longestNanos;
    }
}
