package io.duramen.acceptance.branch;

/** Moves tokens round a ring until it is told to stop. */
interface RingMover extends Runnable {
    /** What broke it; null for nothing. Any thread. */
    Throwable failure();
}
