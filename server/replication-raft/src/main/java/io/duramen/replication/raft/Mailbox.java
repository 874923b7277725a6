package io.duramen.replication.raft;

import io.duramen.runtime.agent.Waker;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;

/**
 * What other threads have for the shard's agent to do. Offered by any thread, done by the agent in the order offered. Holds no
 * more than what the engine's threads wait for and what is in flight.
 */
final class Mailbox {
    private final ConcurrentLinkedQueue<Runnable> queue = new ConcurrentLinkedQueue<>();
    private volatile Waker waker = () -> {};
    private volatile boolean closed;

    /** Sets what is called, by any thread, when there is something to do. */
    void onDue(Waker toWake) {
        waker = toWake;
    }

    /** @return false where nobody does it any more */
    boolean offer(Runnable work) {
        if (!add(work)) {
            return false;
        }
        waker.wake();
        return true;
    }

    /**
     * As {@link #offer}; where the agent sleeps, the calling thread may do what it has to do, before this returns.
     *
     * @param until whether the calling thread has what it waits for
     */
    boolean offerHere(Runnable work, BooleanSupplier until) {
        if (!add(work)) {
            return false;
        }
        waker.workHere(until);
        return true;
    }

    private boolean add(Runnable work) {
        if (closed) {
            return false;
        }
        queue.add(work);
        return !closed || !queue.remove(work);
    }

    /** Does what is there, and takes nothing more. */
    void close() {
        closed = true;
        drain();
    }

    /** Does what is there; returns how many things that were. */
    int drain() {
        int done = 0;
        for (Runnable work = queue.poll(); work != null; work = queue.poll()) {
            work.run();
            done++;
        }
        return done;
    }
}
