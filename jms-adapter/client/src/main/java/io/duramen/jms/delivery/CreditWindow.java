package io.duramen.jms.delivery;

import java.util.function.LongSupplier;

/**
 * Guarded by its feed. How much the node may send ahead, in messages and in bytes. What it may still send, plus what
 * waits here unseen, is filled up to the window as soon as half of it is used.
 *
 * <p>The window holds as many messages as the application gets done in a time ({@link Flow#aheadNanos}), never fewer than
 * one nor more than the limit. How long it takes for one is measured from when it is given a message until it asks for
 * the next: a slow application holds little that others could have, a fast one never waits for the node.
 */
final class CreditWindow {
    /** Messages sent ahead before anything is known of the application. */
    private static final int FIRST = 32;

    /** Messages over which the application is measured at most. */
    private static final int MEASURED_MAX = 64;

    private final LongSupplier nanoClock;
    private final int messagesMax;
    private final int bytesMax;
    private final long aheadNanos;
    private int window;
    private int messages;
    private long bytes;
    private boolean suspended;
    private boolean recalled;
    /** Whether the application waits for a message that it has asked for. */
    private boolean wanting;

    private boolean busy;
    private long busySinceNanos;
    private int done;
    private long nanosEach = -1;

    /** @param nanoClock as {@link System#nanoTime} */
    CreditWindow(Flow flow, LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.messagesMax = flow.prefetch();
        this.bytesMax = flow.prefetchBytes();
        this.aheadNanos = flow.aheadNanos();
        this.window = aheadNanos == 0 ? Math.max(1, messagesMax) : Math.max(1, Math.min(FIRST, messagesMax));
        this.suspended = isOnDemand();
    }

    /** Whether nothing is sent ahead: one message for each time that one is asked for. */
    boolean isOnDemand() {
        return messagesMax == 0;
    }

    /** Whether the node may still send messages. */
    boolean mayBeOut() {
        return messages > 0;
    }

    /** Whether no credit is to be granted until the application asks for a message. */
    boolean isSuspended() {
        return suspended || recalled;
    }

    void suspend() {
        suspended = true;
    }

    /** The application asks for a message. */
    void asked() {
        suspended = false;
        recalled = false;
        wanting = true;
    }

    /** Deliveries go on. @param waiting whether the application waits for a message */
    void resumed(boolean waiting) {
        asked();
        wanting = waiting;
        suspended = isOnDemand();
    }

    /** The application has waited for a message as long as it wanted to. */
    void askedEnough() {
        wanting = false;
    }

    /**
     * The node took all credit back, what is on its way too, because another consumer has nothing to do. An application
     * that waits for a message asks for it anew.
     */
    void recalled() {
        recalled = !wanting;
        lost();
    }

    void received(int count, long lengthBytes) {
        messages = Math.max(0, messages - count);
        bytes -= lengthBytes;
    }

    /** The node took all credit back: it has sent what it could. */
    void drained() {
        suspended = true;
        lost();
    }

    /** The node is gone, and with it all credit. */
    void lost() {
        messages = 0;
        bytes = 0;
    }

    // ---- how fast the application is -------------------------------------------------------------------------------

    /** The application is given a message, and was done with the one before. */
    void gave() {
        suspended |= isOnDemand();
        recalled = false;
        wanting = false;
        if (aheadNanos == 0) {
            return;
        }
        if (!busy) {
            busy = true;
            done = 0;
            busySinceNanos = nanoClock.getAsLong();
        } else if (++done >= Math.min(MEASURED_MAX, (window + 1) / 2)) {
            long now = nanoClock.getAsLong();
            measured(now - busySinceNanos);
            busySinceNanos = now;
            done = 0;
        }
    }

    /** The application is done with what it was given, and nothing is here for it. */
    void ranDry() {
        if (busy) {
            busy = false;
            done++;
            measured(nanoClock.getAsLong() - busySinceNanos);
        }
    }

    private void measured(long nanos) {
        long each = Math.max(1, nanos / done);
        nanosEach = nanosEach < 0 ? each : (nanosEach + each) / 2;
        window = (int) Math.max(1, Math.min(messagesMax, aheadNanos / nanosEach));
    }

    // ---- granting --------------------------------------------------------------------------------------------------

    private int missingMessages(int buffered) {
        return window - messages - buffered;
    }

    private long missingBytes(long bufferedBytes) {
        return bytesMax - bytes - bufferedBytes;
    }

    /** Whether half of the window is used. */
    boolean isDue(int buffered, long bufferedBytes) {
        int missing = missingMessages(buffered);
        return missing > 0 && missing >= (window + 1) / 2
                || (missing > 0 || isShortOfBytes()) && missingBytes(bufferedBytes) >= bytesMax / 2;
    }

    /** Whether the node may send messages, perhaps more than the window, which has shrunk since, but has no bytes for one. */
    private boolean isShortOfBytes() {
        return messages > 0 && bytes <= 0;
    }

    /** @return messages to grant to fill the window up, at least 1 where the node may send none */
    int grantMessages(int buffered) {
        int grant = Math.max(messages > 0 ? 0 : 1, missingMessages(buffered));
        messages += grant;
        return grant;
    }

    /** @return bytes to grant, at least 1, to fill the window up */
    int grantBytes(long bufferedBytes) {
        long grant = Math.max(1, Math.min(Integer.MAX_VALUE, missingBytes(bufferedBytes)));
        bytes += grant;
        return (int) grant;
    }
}
