package io.duramen.runtime;

/** The machine's clock. Thread-safe. */
public final class SystemClock implements Clock {
    @Override
    public long millis() {
        return System.currentTimeMillis();
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }
}
