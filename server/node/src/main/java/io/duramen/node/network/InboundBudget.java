package io.duramen.node.network;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What all connections together have waiting to be handled, and who waits for it to become less. Thread-safe.
 * Connections stop reading at the limit and go on at half of it.
 */
final class InboundBudget {
    private final long limit;
    private final AtomicLong waitingBytes = new AtomicLong();
    private final Set<Runnable> resumptions = ConcurrentHashMap.newKeySet();

    InboundBudget(long limit) {
        this.limit = limit;
    }

    /** @return whether the limit is reached */
    boolean add(long bytes) {
        return waitingBytes.addAndGet(bytes) >= limit;
    }

    void subtract(long bytes) {
        long after = waitingBytes.addAndGet(-bytes);
        if (after <= limit / 2 && after + bytes > limit / 2) {
            resumeAll();
        }
    }

    /** Has the resumption run, once, from any thread, as soon as there is room again; at once where there is. */
    void awaitRoom(Runnable resumption) {
        resumptions.add(resumption);
        if (waitingBytes.get() <= limit / 2) {
            resumeAll();
        }
    }

    void forget(Runnable resumption) {
        resumptions.remove(resumption);
    }

    long waitingBytes() {
        return waitingBytes.get();
    }

    private void resumeAll() {
        for (Runnable resumption : resumptions) {
            if (resumptions.remove(resumption)) {
                resumption.run();
            }
        }
    }
}
