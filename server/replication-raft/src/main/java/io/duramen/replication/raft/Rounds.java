package io.duramen.replication.raft;

import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/**
 * Says when a leader's entries are to go on their way. What goes in one go is a round: it costs every replica much the same, wake-ups and a
 * sync, however many entries it has. So there is one at a time, and what comes meanwhile gathers for the next, as {@link
 * io.duramen.log.ShardLog} has it between syncs; unless there is so much of it that it is worth a round anyway. Confined to the agent.
 *
 * <p>Senders that wait for their answers go on when a round is committed, all at once, and their next messages come one after the other.
 * The first of them alone is not worth a round: for a part of a round's time it waits for as many bytes as were committed, besides those
 * that had gathered. A sender that is alone waits for nobody so. Where senders do not come back, the next rounds wait for none; twice as many
 * each time.
 *
 * <p>An entry that nobody waits for begins a round by itself only when none that is waited for has come for such a while.
 */
final class Rounds {
    /** So much is worth a round. */
    static final int BYTES = 64 << 10;

    private static final long PATIENCE_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(3);

    /** Of the last so many rounds the time is averaged. */
    private static final int AVERAGED = 8;

    private static final int ROUNDS_WITHOUT_MAX = 64;

    private record Round(long lastIndex, int bytes) {}

    private final ArrayDeque<Round> onTheirWay = new ArrayDeque<>();
    private long roundNanos;

    /** When the oldest that is on its way began. */
    private long beganNanos;

    private long waitingBytes;
    private boolean awaited;

    /** When the first of those that wait came. */
    private long waitingSinceNanos;

    /** Whether those are waited for that were answered. */
    private boolean gathering;

    private long expectedBytes;
    private long gatheringUntilNanos;
    private int roundsWithout;
    private int lastRoundsWithout;

    /** Forgets all that waits and all that is on its way. */
    void clear() {
        onTheirWay.clear();
        waitingBytes = 0;
        awaited = false;
        gathering = false;
    }

    /** An entry waits; where {@code isAwaited}, somebody waits for it. */
    void added(int bytes, boolean isAwaited, long nowNanos) {
        if (waitingBytes == 0) {
            waitingSinceNanos = nowNanos;
        }
        waitingBytes += bytes;
        awaited |= isAwaited;
    }

    /** Bytes of what waits. */
    long waitingBytes() {
        return waitingBytes;
    }

    /** Whether what waits is to go. */
    boolean isDue(long nowNanos) {
        if (waitingBytes == 0 || waitingBytes >= BYTES) {
            return waitingBytes > 0;
        }
        return onTheirWay.isEmpty() && (hasGathered() || nowNanos - dueNanos() >= 0);
    }

    private boolean hasGathered() {
        return gathering ? 8 * waitingBytes >= 7 * expectedBytes : awaited;
    }

    private long dueNanos() {
        return gathering ? gatheringUntilNanos : waitingSinceNanos + patienceNanos();
    }

    private long patienceNanos() {
        return Math.min(PATIENCE_NANOS_MAX, roundNanos / 2);
    }

    /** When time alone makes a round due; {@link Long#MAX_VALUE} for not at all. */
    long deadlineNanos() {
        return waitingBytes == 0 || !onTheirWay.isEmpty() ? Long.MAX_VALUE : dueNanos();
    }

    /** So many bytes of those that waited have gone, up to that entry. */
    void began(long lastIndex, int bytes, long nowNanos) {
        if (gathering && 2 * waitingBytes < expectedBytes) {
            lastRoundsWithout = Math.min(ROUNDS_WITHOUT_MAX, Math.max(1, 2 * lastRoundsWithout));
            roundsWithout = lastRoundsWithout;
        } else if (gathering) {
            lastRoundsWithout = 0;
        }
        gathering = false;
        waitingBytes -= bytes;
        awaited &= waitingBytes > 0;
        waitingSinceNanos = nowNanos;
        if (onTheirWay.isEmpty()) {
            beganNanos = nowNanos;
        }
        onTheirWay.add(new Round(lastIndex, bytes));
    }

    /** Entries up to this one are committed. */
    void committed(long index, long nowNanos) {
        int bytes = 0;
        while (!onTheirWay.isEmpty() && onTheirWay.peek().lastIndex <= index) {
            bytes += onTheirWay.poll().bytes;
        }
        if (bytes == 0 || !onTheirWay.isEmpty()) {
            return;
        }
        roundNanos += (nowNanos - beganNanos - roundNanos) / AVERAGED;
        if (roundsWithout > 0) {
            roundsWithout--;
            return;
        }
        gathering = true;
        expectedBytes = waitingBytes + bytes;
        gatheringUntilNanos = nowNanos + patienceNanos();
    }
}
