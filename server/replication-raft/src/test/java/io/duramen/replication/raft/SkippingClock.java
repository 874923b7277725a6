package io.duramen.replication.raft;

import io.duramen.runtime.Clock;
import io.duramen.runtime.SystemClock;
import java.time.Duration;

/** The system's clock, of which a test skips what it will not wait for. From any thread. */
final class SkippingClock implements Clock {
    private final Clock system = new SystemClock();
    private volatile long skippedNanos;

    void skip(Duration time) {
        skippedNanos += time.toNanos();
    }

    @Override
    public long millis() {
        return system.millis();
    }

    @Override
    public long nanos() {
        return system.nanos() + skippedNanos;
    }
}
