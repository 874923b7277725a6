package io.duramen.node.network;

import io.duramen.protocol.Frame;
import io.duramen.protocol.frame.Ping;
import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after a connection in regular intervals: says something when nothing was said, and closes it when the peer is
 * silent or does not read. Confined to the connection's event loop. Costs one clock reading for a round of reads.
 */
final class Heartbeat {
    private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);

    private final Channel channel;
    private final Outbound outbound;
    private final ReadGate gate;
    private final long outboundTimeoutNanos;
    private Future<?> ticks;
    private long intervalNanos;
    private long lastReadNanos;
    private long writtenBytes;
    private long lastProgressNanos;

    Heartbeat(Channel channel, Outbound outbound, ReadGate gate, NetworkConfig config) {
        this.channel = channel;
        this.outbound = outbound;
        this.gate = gate;
        this.outboundTimeoutNanos = config.outboundTimeout().toNanos();
    }

    /** @param intervalMillis each side says something at least this often */
    void start(int intervalMillis) {
        intervalNanos = TimeUnit.MILLISECONDS.toNanos(intervalMillis);
        lastReadNanos = System.nanoTime();
        lastProgressNanos = lastReadNanos;
        long tickNanos = Math.max(1, Math.min(intervalNanos, outboundTimeoutNanos) / 4);
        ticks = channel.eventLoop().scheduleWithFixedDelay(this::tick, tickNanos, tickNanos, TimeUnit.NANOSECONDS);
    }

    void onRead() {
        lastReadNanos = System.nanoTime();
    }

    void stop() {
        if (ticks != null) {
            ticks.cancel(false);
        }
    }

    private void tick() {
        long now = System.nanoTime();
        if (!gate.isOpen()) {
            // Silence that is our own doing is not the peer's.
            lastReadNanos = now;
        }
        long written = outbound.writtenBytes();
        if (written != writtenBytes || outbound.isEmpty()) {
            writtenBytes = written;
            lastProgressNanos = now;
        }
        if (now - lastReadNanos > 2 * intervalNanos) {
            close("it was silent for " + TimeUnit.NANOSECONDS.toMillis(now - lastReadNanos) + " ms");
        } else if (now - lastProgressNanos > outboundTimeoutNanos) {
            close("it read nothing for " + TimeUnit.NANOSECONDS.toMillis(now - lastProgressNanos) + " ms");
        } else if (now - outbound.lastSendNanos() >= intervalNanos / 2) {
            outbound.send(Frame.request(0, new Ping.Request()));
        }
    }

    private void close(String reason) {
        LOG.warn("Connection from {} closed: {}", channel.remoteAddress(), reason);
        channel.close();
    }
}
