package io.duramen.jms.link;

import jakarta.jms.JMSException;
import java.util.OptionalLong;

/**
 * A link over which nothing is waited for longer than a time from when this was made, whether the node is there or not: to
 * those who wait it looks as if it had been up all the time. Any thread.
 */
public final class BoundedLink implements Link {
    private final Link link;
    private final long boundNanos;
    private final long sinceNanos = System.nanoTime();

    /** @param boundNanos at least 1 */
    public BoundedLink(Link link, long boundNanos) {
        this.link = link;
        this.boundNanos = boundNanos;
    }

    @Override
    public void send(Outgoing outgoing) {
        link.send(outgoing);
    }

    @Override
    public void sendAwaited(Outgoing outgoing) {
        link.sendAwaited(outgoing);
    }

    @Override
    public void sendLater(Outgoing outgoing) {
        link.sendLater(outgoing);
    }

    @Override
    public LinkLimits limits() {
        return link.limits();
    }

    /** What is left of the bound, or the link's own where that is less. */
    @Override
    public long requestTimeoutNanos() {
        long left = Math.max(1, boundNanos - (System.nanoTime() - sinceNanos));
        long own = link.requestTimeoutNanos();
        return own == 0 ? left : Math.min(own, left);
    }

    @Override
    public OptionalLong upSinceNanos() {
        return OptionalLong.of(sinceNanos);
    }

    @Override
    public void identify(String clientId, long incarnation) throws JMSException {
        link.identify(clientId, incarnation);
    }

    @Override
    public void close() {
        link.close();
    }
}
