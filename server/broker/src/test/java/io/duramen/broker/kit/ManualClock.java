package io.duramen.broker.kit;

import io.duramen.runtime.Clock;
import java.time.Duration;

/** A clock that stands still until it is told to move. Not thread-safe. */
public final class ManualClock implements Clock {
    public static final long START_MILLIS = 1_700_000_000_000L;

    private long nanos;
    private long backMillis;

    public void advance(Duration by) {
        nanos += by.toNanos();
    }

    /** The time of day changes; time goes on. */
    public void setBack(Duration by) {
        backMillis += by.toMillis();
    }

    @Override
    public long millis() {
        return START_MILLIS + nanos / 1_000_000 - backMillis;
    }

    @Override
    public long nanos() {
        return nanos;
    }
}
