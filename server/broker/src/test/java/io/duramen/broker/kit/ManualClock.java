package io.duramen.broker.kit;

import io.duramen.runtime.Clock;
import java.time.Duration;

/** A clock that stands still until it is told to move. Not thread-safe. */
public final class ManualClock implements Clock {
    public static final long START_MILLIS = 1_700_000_000_000L;

    private long nanos;

    public void advance(Duration by) {
        nanos += by.toNanos();
    }

    @Override
    public long millis() {
        return START_MILLIS + nanos / 1_000_000;
    }

    @Override
    public long nanos() {
        return nanos;
    }
}
