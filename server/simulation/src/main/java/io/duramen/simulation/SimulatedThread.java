package io.duramen.simulation;

import io.duramen.runtime.agent.Agent;

/**
 * Runs an agent's duty cycle as a thread would: again while there is work, at its deadline, and when woken, each time after
 * a moment that the seed decides. Confined to the simulation.
 */
public final class SimulatedThread {
    private static final int CYCLE_NANOS_MAX = 20_000;
    private static final int DEADLINE_NANOS_MIN = 1_000;

    private final Simulation simulation;
    private final SimulatedClock clock;
    private final Agent agent;
    private final SeededRandom random;
    private boolean alive = true;
    private long wakeAt = Long.MAX_VALUE;

    public SimulatedThread(Simulation simulation, SimulatedClock clock, Agent agent) {
        this.simulation = simulation;
        this.clock = clock;
        this.agent = agent;
        this.random = simulation.random().split();
        wake();
    }

    /** Lets the agent run soon. */
    public void wake() {
        scheduleIn(1 + random.below(CYCLE_NANOS_MAX));
    }

    /** Ends it as a crash does: the agent is never called again. */
    public void kill() {
        alive = false;
    }

    private void scheduleIn(long delayNanos) {
        long at = simulation.nowNanos() + delayNanos;
        if (alive && at < wakeAt) {
            wakeAt = at;
            simulation.after(delayNanos, () -> cycle(at));
        }
    }

    private void cycle(long scheduledAt) {
        if (!alive || scheduledAt != wakeAt) {
            return;
        }
        wakeAt = Long.MAX_VALUE;
        if (agent.doWork() > 0) {
            wake();
            return;
        }
        long deadline = agent.deadlineNanos();
        if (deadline != Long.MAX_VALUE) {
            scheduleIn(Math.max(DEADLINE_NANOS_MIN, deadline - clock.nanos()));
        }
    }
}
