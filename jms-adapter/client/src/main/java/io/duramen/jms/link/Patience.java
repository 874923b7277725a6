package io.duramen.jms.link;

import jakarta.jms.JMSException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Confined to the thread that waits. How long it waits for an answer: the time stands still while the link is down, unless it is
 * {@link Link#stuck}.
 */
public final class Patience {
    private static final long RECHECK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Link link;
    private final long timeoutNanos;
    private final long sinceNanos = System.nanoTime();
    private long downSinceNanos = Long.MIN_VALUE;

    public Patience(Link link) {
        this.link = link;
        this.timeoutNanos = link.requestTimeoutNanos();
    }

    /** Whether the link has been down for so long, as far as {@link #leftNanos} was asked. */
    boolean isDownFor(long nanos) {
        return downSinceNanos != Long.MIN_VALUE && System.nanoTime() - downSinceNanos > nanos;
    }

    /** Nanoseconds after which to ask again; 0 where the patience is at its end. */
    public long leftNanos() {
        long now = System.nanoTime();
        long upSince = link.upSinceNanos().orElse(Long.MIN_VALUE);
        if (upSince != Long.MIN_VALUE) {
            downSinceNanos = Long.MIN_VALUE;
        } else if (downSinceNanos == Long.MIN_VALUE) {
            downSinceNanos = now;
        }
        Optional<Link.Stuck> stuck = upSince == Long.MIN_VALUE ? link.stuck() : Optional.empty();
        if (timeoutNanos == 0 || upSince == Long.MIN_VALUE && stuck.isEmpty()) {
            return RECHECK_NANOS;
        }
        long runsSince = stuck.map(Link.Stuck::sinceNanos).orElse(upSince);
        long from = runsSince - sinceNanos > 0 ? runsSince : sinceNanos;
        long left = Math.max(0, timeoutNanos - (now - from));
        return stuck.isPresent() ? Math.min(left, RECHECK_NANOS) : left;
    }

    /** That it is at its end. @param what a frame or a word for what was waited for */
    public JMSException timedOut(Object what) {
        return JmsErrors.timedOut(
                what, link.stuck().map(stuck -> ": " + stuck.reason()).orElse(""));
    }
}
