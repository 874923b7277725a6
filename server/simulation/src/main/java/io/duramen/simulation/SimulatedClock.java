package io.duramen.simulation;

import io.duramen.runtime.Clock;

/** Virtual time as a process sees it. Confined to the simulation; its wall clock can be set, its intervals cannot. */
public final class SimulatedClock implements Clock {
    /** 2026-01-01T00:00:00Z. */
    public static final long START_MILLIS = 1_767_225_600_000L;

    private final Simulation simulation;
    private final long nanosOrigin;
    private long skewMillis;

    public SimulatedClock(Simulation simulation) {
        this.simulation = simulation;
        this.nanosOrigin = simulation.random().below(1L << 40) - (1L << 39);
    }

    /** Sets the wall clock that far ahead of virtual time, or behind it. */
    public void skew(long millis) {
        simulation.note("clock", "skew ms", millis, 0);
        skewMillis = millis;
    }

    @Override
    public long millis() {
        return START_MILLIS + skewMillis + simulation.nowNanos() / 1_000_000;
    }

    @Override
    public long nanos() {
        return nanosOrigin + simulation.nowNanos();
    }
}
