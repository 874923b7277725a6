package io.duramen.jms.session;

import jakarta.jms.IllegalStateException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Any thread. Sessions serve one thread at a time (Jakarta Messaging 6.2.5): refuses a second one while another is
 * sending, receiving, settling or ending a transaction. Both would otherwise see the other's work half done.
 */
final class SoleThread {
    private final AtomicReference<Thread> inside = new AtomicReference<>();

    /**
     * @return whether the caller has to {@link #leave}: not where it is inside already
     * @throws IllegalStateException where another thread is inside
     */
    boolean enter(String what) throws IllegalStateException {
        Thread me = Thread.currentThread();
        while (!inside.compareAndSet(null, me)) {
            Thread other = inside.get();
            if (other == me) {
                return false;
            }
            if (other != null) {
                throw new IllegalStateException(what + " while thread '" + other.getName()
                        + "' uses the session: a session serves one thread at a time");
            }
        }
        return true;
    }

    void leave(boolean entered) {
        if (entered) {
            inside.setRelease(null);
        }
    }
}
