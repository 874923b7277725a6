package io.duramen.ra.inbound;

import java.util.Collection;
import java.util.function.LongSupplier;

/** Begun and ended by its session's thread, read by any. How long a session has been at work since it was made. */
final class WorkTime {
    private final LongSupplier nanos;
    private final long origin;
    /**
     * While idle, the nanoseconds at work. Else the complement of when it would have begun, in nanoseconds since the origin,
     * had it done all its work in one go: one number, so that whoever reads never sees the halves of two deliveries.
     */
    private volatile long state;

    /** @param nanos a clock that only goes forward */
    WorkTime(LongSupplier nanos) {
        this.nanos = nanos;
        this.origin = nanos.getAsLong();
    }

    void begin() {
        state = ~(now() - state);
    }

    void end() {
        state = now() - ~state;
    }

    boolean isAtWork() {
        return state < 0;
    }

    private long now() {
        return nanos.getAsLong() - origin;
    }

    private long worked() {
        long seen = state;
        return seen >= 0 ? seen : now() - ~seen;
    }

    /** Of several sessions, at a moment. */
    record Total(long atNanos, long workedNanos) {
        static Total of(Collection<WorkTime> times, long nowNanos) {
            return new Total(
                    nowNanos, times.stream().mapToLong(WorkTime::worked).sum());
        }

        /** Whether so many sessions were at work together for at least this share of the time since an earlier one. */
        boolean isBusySince(Total before, int sessions, double share) {
            return workedNanos - before.workedNanos >= share * sessions * (atNanos - before.atNanos);
        }
    }
}
