package io.duramen.jms.link;

import io.netty.channel.EventLoop;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Any thread. The links of one event loop that hold something back until it is time: one timer for all of them. It runs
 * ahead of the need, since to start it from another thread means to wake the event loop.
 */
final class LateLinks {
    private final EventLoop loop;
    private final Queue<Runnable> late = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean ticking = new AtomicBoolean();

    LateLinks(EventLoop loop) {
        this.loop = loop;
    }

    /**
     * @param drain run once on the event loop, at the latest after {@link Link#LATER_MILLIS}
     * @throws RejectedExecutionException where the event loop has ended
     */
    void add(Runnable drain) {
        late.offer(drain);
        expect();
    }

    /** Something is about to be held back: costs nothing on the event loop. */
    void expect() {
        if (ticking.compareAndSet(false, true)) {
            loop.schedule(this::tick, Link.LATER_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void tick() {
        ticking.set(false);
        for (Runnable next = late.poll(); next != null; next = late.poll()) {
            next.run();
        }
    }
}
