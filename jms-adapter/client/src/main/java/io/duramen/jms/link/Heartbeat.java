package io.duramen.jms.link;

import io.duramen.protocol.Frame;
import io.duramen.protocol.frame.Ping;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Confined to the link's thread. Breaks our silence in time, and takes twice the interval of the node's for its end. */
final class Heartbeat {
    private static final long PING_CORRELATION = 0;

    private final Wire wire;
    private final long intervalNanos;

    /** @param intervalMillis agreed with the node; 0 or less for none */
    Heartbeat(Wire wire, int intervalMillis) {
        this.wire = wire;
        this.intervalNanos = TimeUnit.MILLISECONDS.toNanos(intervalMillis);
    }

    void schedule(EventLoop loop) {
        if (intervalNanos > 0) {
            loop.schedule(() -> wire.inTurn(() -> beat(loop)), intervalNanos / 2, TimeUnit.NANOSECONDS);
        }
    }

    private void beat(EventLoop loop) {
        if (!wire.isOpen()) {
            return;
        }
        long now = System.nanoTime();
        if (now - wire.lastReadNanos() > 2 * intervalNanos) {
            wire.close(new IOException("the node was silent for more than twice the heartbeat of "
                    + TimeUnit.NANOSECONDS.toMillis(intervalNanos) + " ms"));
            return;
        }
        if (now - wire.lastWriteNanos() > intervalNanos / 3) {
            wire.write(Frame.request(PING_CORRELATION, new Ping.Request()));
            wire.flush();
        }
        schedule(loop);
    }
}
