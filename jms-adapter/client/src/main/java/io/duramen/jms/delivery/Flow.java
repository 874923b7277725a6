package io.duramen.jms.delivery;

/**
 * Any thread. How much is sent ahead, and how settlements that nobody waits for are gathered.
 *
 * @param prefetch messages sent ahead at most; 0 for one on demand
 * @param prefetchBytes bytes sent ahead at most
 * @param aheadNanos as many messages are sent ahead as the application gets done in this time; 0 for always as many as
 *     may be
 * @param gather settlements that make a frame at the latest
 * @param settle when a frame is made besides
 */
public record Flow(int prefetch, int prefetchBytes, long aheadNanos, int gather, Settling settle) {
    /** What each of so many feeds sends ahead, so that together they send about as much. */
    public Flow share(int feeds) {
        return new Flow(
                prefetch == 0 ? 0 : Math.max(1, prefetch / feeds),
                Math.max(1, prefetchBytes / feeds),
                aheadNanos,
                gather,
                settle);
    }

    /**
     * The same, but a settlement waits for company where nothing more is to be delivered, too: what a temporary
     * destination holds ends with its connection, and its next request carries the settlement of the last reply.
     */
    public Flow gathering() {
        return settle == Settling.WHEN_IDLE
                ? new Flow(
                        prefetch,
                        prefetchBytes,
                        aheadNanos,
                        Math.max(1, Math.min(prefetch / 2, gather)),
                        Settling.GATHERED)
                : this;
    }

    /** When settlements are told to the node. */
    public enum Settling {
        /** With the others that have gathered, or after a moment. */
        GATHERED,
        /** As soon as nothing more waits to be delivered, too. */
        WHEN_IDLE,
        /** When a message arrives, before the application has seen it. */
        ON_ARRIVAL
    }
}
