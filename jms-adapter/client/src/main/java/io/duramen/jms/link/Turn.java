package io.duramen.jms.link;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * Any thread. Whose turn it is with a link. Most of the time its event loop takes it, for as long as one event lasts;
 * between two of them a thread that is about to wait for the node may take it to send by itself. Whoever has the turn is
 * "the link's thread": what is confined to that is handed from one to the next through here.
 */
final class Turn {
    private static final int SPINS = 100;
    private static final int YIELDS = 20;
    private static final long PAUSE_NANOS = 20_000;

    private final AtomicReference<Thread> holder = new AtomicReference<>();

    /**
     * Takes it, after who has it: for the event loop, since others keep it for no longer than the socket takes what they have at once.
     *
     * @return false where the caller had it already; else it is to be given back by {@link #give}
     */
    boolean take() {
        Thread caller = Thread.currentThread();
        if (holder.get() == caller) {
            return false;
        }
        for (int tries = 0; !holder.compareAndSet(null, caller); tries++) {
            if (tries < SPINS) {
                Thread.onSpinWait();
            } else if (tries < SPINS + YIELDS) {
                Thread.yield();
            } else {
                LockSupport.parkNanos(this, PAUSE_NANOS);
            }
        }
        return true;
    }

    /** Takes it if nobody has it, not even the caller. */
    boolean tryTake() {
        return holder.compareAndSet(null, Thread.currentThread());
    }

    void give() {
        holder.set(null);
    }

    /** Runs what belongs to the link's thread. */
    void run(Runnable work) {
        boolean taken = take();
        try {
            work.run();
        } finally {
            if (taken) {
                give();
            }
        }
    }
}
