package io.duramen.management;

/** Messages that were moved since they could not be processed, or expired: {@code type=DeadLetters}. Counts since the node started. */
public interface DeadLettersMXBean {
    /** Dead letters of messages that were delivered as often as they may be. */
    long getSpent();

    /** Dead letters of messages that a consumer refused. */
    long getRefused();

    /** Messages moved to the queue for expired ones. */
    long getExpiredMoved();

    /** Dead letters sent back by {@link #sendBack}. */
    long getSentBack();

    /** Most dead letters of one page. */
    int PAGE_MAX = 200;

    /**
     * Dead letters, with where they come from and why.
     *
     * @param queue with the dead letters, as {@code DLQ.orders}
     * @param origin only those of this destination; empty for all
     * @param selector which of them, as consumers have it; empty for all
     * @param after where the page begins, as the page before said; empty for the first
     * @param limit most of a page, 1 to {@value #PAGE_MAX}
     */
    DeadLetterPage list(String queue, String origin, String selector, String after, int limit);

    /**
     * As {@link #sendBack(String, String, String, long)}, not faster than the queue's consumers may like it.
     *
     * @param perSecond most letters in a second; 0 for as many as can be. It takes {@code management.timeout} at most, all the same
     */
    MoveResult sendBackSlowly(String queue, String origin, String selector, long limit, int perSecond);

    /**
     * Sends dead letters back to the queues that they came from, as they were but for their times and dedup ids. Each is in one of
     * the two places at any time. Letters of topics are left where they are: the topic would give them to all its subscriptions.
     *
     * @param queue with the dead letters, as {@code DLQ.orders}
     * @param origin only those of this queue; empty for all
     * @param selector which of them, as consumers have it; empty for all
     * @param limit most letters that are sent back, at least 1
     * @return how many were; until {@code management.timeout} has passed, which ends it early
     */
    MoveResult sendBack(String queue, String origin, String selector, long limit);
}
