package io.duramen.jms.publishing;

import io.duramen.jms.link.JmsErrors;
import io.duramen.jms.link.Link;
import io.duramen.jms.link.Patience;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import jakarta.jms.JMSException;
import jakarta.jms.ResourceAllocationException;
import java.util.concurrent.locks.LockSupport;

/**
 * Whether batches for one partition wait at the node's word until there is room: nothing more is sent there meanwhile, and who adds
 * to it waits. The link's thread holds and lets go, one other thread waits.
 */
final class Hold {
    private final Runnable onOver;
    private int batches;
    private volatile ProtocolException why;
    private volatile Thread waiting;

    /** @param onOver run on the link's thread when nothing waits any more */
    Hold(Runnable onOver) {
        this.onOver = onOver;
    }

    boolean isHeld() {
        return why != null;
    }

    /** One batch more waits. */
    void hold(ProtocolException reason) {
        batches++;
        why = reason;
    }

    /** A batch that waited does so no more. */
    void letGo() {
        batches--;
        if (batches == 0) {
            why = null;
            onOver.run();
            LockSupport.unpark(waiting);
        }
    }

    /** @throws JMSException where it holds for longer than an answer is waited for; nothing was sent then */
    void awaitOver(Link link) throws JMSException {
        if (why == null) {
            return;
        }
        Patience patience = new Patience(link);
        waiting = Thread.currentThread();
        try {
            for (ProtocolException reason = why; reason != null; reason = why) {
                long left = patience.leftNanos();
                if (left == 0) {
                    throw JmsErrors.caused(
                            new ResourceAllocationException(
                                    reason.getMessage()
                                            + "; there was no room within the request timeout, and the message was not sent",
                                    ErrorCode.DESTINATION_FULL.name()),
                            reason);
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
