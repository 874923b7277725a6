package io.duramen.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * One run of a simulated world: virtual time, a queue of events, chance from a seed, and a trace. Confined to the thread
 * that runs it. The same seed and code give the same run in every JVM.
 */
public final class Simulation {
    private static final int TRACE_LINES_SHOWN = Integer.getInteger("simulation.trace-lines", 80);
    private static final Comparator<Event> BY_TIME =
            Comparator.comparingLong(Event::timeNanos).thenComparingLong(Event::sequence);

    private final long seed;
    private final SeededRandom random;
    private final Trace trace = new Trace();
    private final PriorityQueue<Event> events = new PriorityQueue<>(BY_TIME);
    private final List<Runnable> checks = new ArrayList<>();
    private long nowNanos;
    private long sequence;

    public Simulation(long seed) {
        this.seed = seed;
        this.random = new SeededRandom(seed);
    }

    public long seed() {
        return seed;
    }

    public SeededRandom random() {
        return random;
    }

    public Trace trace() {
        return trace;
    }

    /** Virtual time since the run began. */
    public long nowNanos() {
        return nowNanos;
    }

    /**
     * Notes something that happened; the numbers must not depend on hashes of identity or the JVM.
     *
     * @param detail a text that does not either; or an object whose text is made only where the trace is shown, and which
     *     therefore must not change
     */
    public void note(String subject, Object detail, long a, long b) {
        trace.add(nowNanos, subject, detail, a, b);
    }

    /** Runs the action after that much virtual time; events of the same time run in the order scheduled. */
    public void after(long delayNanos, Runnable action) {
        events.add(new Event(nowNanos + Math.max(0, delayNanos), sequence++, action));
    }

    /** Adds a check that runs after every event and throws where an invariant is broken. */
    public void checkAfterEveryEvent(Runnable check) {
        checks.add(check);
    }

    /**
     * Runs one event.
     *
     * @return false where none is left
     * @throws SimulationFailure with seed and trace for whatever the event or a check threw
     */
    public boolean step() {
        Event event = events.poll();
        if (event == null) {
            return false;
        }
        nowNanos = Math.max(nowNanos, event.timeNanos);
        try {
            event.action.run();
            for (int i = 0; i < checks.size(); i++) {
                checks.get(i).run();
            }
        } catch (SimulationFailure e) {
            throw e;
        } catch (RuntimeException | AssertionError e) {
            throw failure(e.toString(), e);
        }
        return true;
    }

    /** Runs all events due in that much virtual time from now. */
    public void runFor(long nanos) {
        long end = nowNanos + nanos;
        while (!events.isEmpty() && events.peek().timeNanos <= end) {
            step();
        }
        nowNanos = Math.max(nowNanos, end);
    }

    /** A failure of this run that carries its seed and the last lines of the trace. */
    public SimulationFailure failure(String what, Throwable cause) {
        return new SimulationFailure(
                "seed " + seed + ": " + what + "\n  " + String.join("\n  ", trace.lastLines(TRACE_LINES_SHOWN)), cause);
    }

    private record Event(long timeNanos, long sequence, Runnable action) {}
}
