package io.duramen.node.management;

import io.duramen.node.management.ShardQuestions.Deadline;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** How fast an operation goes through messages: a tenth of a second's worth at a time. For one operation, by one thread. */
final class Pace {
    private static final int STEPS = 10;

    private final int most;
    private final int perSecond;

    /**
     * @param atATime most messages of one step
     * @param perSecond most in a second; 0 for as many as can be
     */
    Pace(int atATime, int perSecond) {
        if (perSecond < 0) {
            throw new ProtocolException(ErrorCode.INVALID_REQUEST, perSecond + " messages a second");
        }
        this.perSecond = perSecond;
        this.most = perSecond == 0 ? atATime : Math.min(atATime, Math.max(1, perSecond / STEPS));
    }

    /** Most messages of the next step. */
    int most() {
        return most;
    }

    /** Waits for as long as these take at this pace, not beyond the deadline. */
    void wait(int messages, Deadline deadline) {
        if (perSecond == 0 || messages == 0) {
            return;
        }
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(messages) / perSecond;
        for (long left = until - System.nanoTime(); left > 0 && !deadline.isOver(); left = until - System.nanoTime()) {
            LockSupport.parkNanos(Math.min(left, Math.max(1, deadline.leftNanos())));
            if (Thread.interrupted()) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
