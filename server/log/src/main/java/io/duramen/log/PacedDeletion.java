package io.duramen.log;

import io.duramen.runtime.Clock;
import io.duramen.runtime.disk.Disk;
import io.duramen.runtime.disk.IoCompletion;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes files one after the other, with pauses between. What a file system gives back at once a disk may have to be told of
 * (TRIM), and meanwhile each sync takes ten times as long: when a deep backlog has been drained, those who send would feel it.
 * There are none where the disk has less room than is waiting to be given back, or is full. Confined to the agent.
 */
final class PacedDeletion {
    private static final Logger LOG = LoggerFactory.getLogger(PacedDeletion.class);

    private static final long BYTES_PER_SECOND = 512L << 20;

    /** A pause is so many times as long as what went before, where that takes longer than it should. */
    private static final long PAUSES = 3;

    private static final long PAUSE_NANOS_MAX = TimeUnit.SECONDS.toNanos(10);

    private record Waiting(String name, long bytes, Runnable then) {}

    private final Disk disk;
    private final Clock clock;
    private final BooleanSupplier isFull;
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private long waitingBytes;
    private boolean deleting;
    private boolean hurrying;
    private long pausedUntilNanos;
    private int done;

    /** @param isFull asked whether the disk has refused room */
    PacedDeletion(Disk disk, Clock clock, BooleanSupplier isFull) {
        this.disk = disk;
        this.clock = clock;
        this.isFull = isFull;
        this.pausedUntilNanos = clock.nanos();
    }

    /**
     * @param bytes that the file has
     * @param then run once it is gone; not where it cannot be deleted
     */
    void delete(String name, long bytes, Runnable then) {
        waiting.add(new Waiting(name, bytes, then));
        waitingBytes += bytes;
        next();
    }

    int poll() {
        next();
        int result = done;
        done = 0;
        return result;
    }

    /** When the next one is due; {@link Long#MAX_VALUE} for none. */
    long deadlineNanos() {
        return deleting || waiting.isEmpty() ? Long.MAX_VALUE : pausedUntilNanos;
    }

    /** There are no pauses from now on. */
    void hurry() {
        hurrying = true;
    }

    private void next() {
        if (deleting || waiting.isEmpty() || isPaused()) {
            return;
        }
        Waiting first = waiting.poll();
        waitingBytes -= first.bytes;
        deleting = true;
        done++;
        long beganNanos = clock.nanos();
        disk.delete(first.name, new IoCompletion<>() {
            @Override
            public void succeeded(Void result) {
                LOG.debug("{} is deleted", first.name);
                over(first, beganNanos);
                first.then.run();
            }

            @Override
            public void failed(IOException cause) {
                LOG.warn("{} could not be deleted; it is tried again at the next start", first.name, cause);
                over(first, beganNanos);
            }
        });
    }

    private boolean isPaused() {
        return clock.nanos() - pausedUntilNanos < 0 && !hurrying && !isFull.getAsBoolean();
    }

    private void over(Waiting deleted, long beganNanos) {
        deleting = false;
        done++;
        long now = clock.nanos();
        long atThatRate = deleted.bytes * TimeUnit.SECONDS.toNanos(1) / BYTES_PER_SECOND;
        long pause = Math.min(PAUSE_NANOS_MAX, Math.max(atThatRate, PAUSES * (now - beganNanos)));
        pausedUntilNanos = hasLessRoomThanWaits() ? now : now + pause;
    }

    private boolean hasLessRoomThanWaits() {
        try {
            return disk.usableBytes() < waitingBytes;
        } catch (IOException e) {
            LOG.debug("Usable bytes are not known", e);
            return true;
        }
    }
}
