package io.duramen.jms.publishing;

import io.duramen.jms.link.JmsErrors;
import io.duramen.jms.link.Link;
import io.duramen.jms.link.Patience;
import jakarta.jms.JMSException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * One thread sends, any thread releases. Bounds the bytes of a session that are on their way: not yet written where no
 * answer is due, else not yet answered. A full window opens again when half of it is free, so that a sender is woken
 * once for many messages.
 */
final class SendWindow {
    private final long limitBytes;
    private final AtomicLong bytes = new AtomicLong();
    private volatile Thread waiting;

    SendWindow(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    void add(int lengthBytes) {
        bytes.addAndGet(lengthBytes);
    }

    void release(int lengthBytes) {
        long left = bytes.addAndGet(-lengthBytes);
        Thread sender = waiting;
        if (sender != null && left <= limitBytes / 2) {
            LockSupport.unpark(sender);
        }
    }

    /** Waits until the window is open; it may then be overdrawn by one message. */
    void awaitRoom(Link link) throws JMSException {
        if (bytes.get() < limitBytes) {
            return;
        }
        Patience patience = new Patience(link);
        waiting = Thread.currentThread();
        try {
            while (bytes.get() > limitBytes / 2) {
                long left = patience.leftNanos();
                if (left == 0) {
                    throw patience.timedOut("earlier sends of this session; the message was not sent");
                }
                LockSupport.parkNanos(this, left);
                if (Thread.interrupted()) {
                    Thread.currentThread().interrupt();
                    throw JmsErrors.interrupted("earlier sends of this session; the message was not sent");
                }
            }
        } finally {
            waiting = null;
        }
    }
}
