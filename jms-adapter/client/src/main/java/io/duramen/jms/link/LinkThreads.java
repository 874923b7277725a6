package io.duramen.jms.link;

/** Any thread: holds nothing. For who takes the client's classes away after its last connection. */
public final class LinkThreads {
    private LinkThreads() {}

    /**
     * Waits until the threads of connections that were closed have ended, which takes a moment after the last of them.
     *
     * @return false where some have not in that time
     */
    public static boolean awaitEnd(long millis) {
        try {
            boolean all = true;
            for (EventLoops loops : EventLoops.values()) {
                all &= loops.awaitEnd(millis);
            }
            return all;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
