package io.duramen.replication.raft;

import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What other threads have for the shard's agent to do. Offered by any thread, done by the agent in the order offered. Holds no
 * more than what the engine's threads wait for and what is in flight.
 */
final class Mailbox {
    private final ConcurrentLinkedQueue<Runnable> queue = new ConcurrentLinkedQueue<>();
    private volatile Runnable wake = () -> {};
    private volatile boolean closed;

    /** Sets what is called, by any thread, when there is something to do. */
    void onDue(Runnable toWake) {
        wake = toWake;
    }

    /** @return false where nobody does it any more */
    boolean offer(Runnable work) {
        if (closed) {
            return false;
        }
        queue.add(work);
        if (closed && queue.remove(work)) {
            return false;
        }
        wake.run();
        return true;
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
