package io.duramen.acceptance.history;

/**
 * One {@code kill -9} and the start that followed. Immutable.
 *
 * @param killedNanos just before the signal was sent
 * @param readyNanos when the restarted server said that it is ready
 */
public record Kill(long killedNanos, long readyNanos) {}
