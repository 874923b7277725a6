package io.duramen.jms.delivery;

/**
 * Guarded by its feed. How much the node may send ahead, in messages and in bytes. What it may still send, plus what
 * waits here unseen, is filled up to the limit as soon as half of it is used.
 */
final class CreditWindow {
    private final int messagesMax;
    private final int bytesMax;
    private int messages;
    private long bytes;

    /** @param messagesMax 0 to send nothing ahead: one message for each time that one is asked for */
    CreditWindow(int messagesMax, int bytesMax) {
        this.messagesMax = messagesMax;
        this.bytesMax = bytesMax;
    }

    boolean isOnDemand() {
        return messagesMax == 0;
    }

    /** Messages that the node may still send. */
    int messages() {
        return messages;
    }

    void received(int count, long lengthBytes) {
        messages -= count;
        bytes -= lengthBytes;
    }

    /** The node took all credit back, or forgot it. */
    void voided() {
        messages = 0;
        bytes = 0;
    }

    private int missingMessages(int buffered) {
        return Math.max(1, messagesMax) - messages - buffered;
    }

    private long missingBytes(long bufferedBytes) {
        return bytesMax - bytes - bufferedBytes;
    }

    /** Whether half of the window is used. */
    boolean isDue(int buffered, long bufferedBytes) {
        int missing = missingMessages(buffered);
        return missing > 0 && (missing >= (messagesMax + 1) / 2 || missingBytes(bufferedBytes) >= bytesMax / 2);
    }

    /** @return messages to grant, at least 1, to fill the window up */
    int grantMessages(int buffered) {
        int grant = Math.max(1, missingMessages(buffered));
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
