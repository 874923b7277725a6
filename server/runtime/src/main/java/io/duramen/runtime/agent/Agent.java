package io.duramen.runtime.agent;

/** A duty cycle that one thread, or one simulation, runs over and over. Not thread-safe. */
public interface Agent {
    /** Name for the thread and for logs. */
    String name();

    /**
     * Does what can be done now, without blocking.
     *
     * @return how many things were done; 0 lets the runner sleep until {@link #deadlineNanos} or a wake-up
     */
    int doWork();

    /** When, on {@link io.duramen.runtime.Clock#nanos}, time alone makes work; {@link Long#MAX_VALUE} for never. */
    long deadlineNanos();

    /** Called once by the runner's thread after the last {@link #doWork}, whatever ended it. */
    void onClose();
}
