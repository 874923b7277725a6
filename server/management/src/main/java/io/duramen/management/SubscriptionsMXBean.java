package io.duramen.management;

/** The durable subscriptions of topics: {@code type=Subscriptions}. */
public interface SubscriptionsMXBean {
    /** Most subscriptions of one page. */
    int PAGE_MAX = 1000;

    long getCount();

    /**
     * Durable subscriptions, the oldest first.
     *
     * @param topicPattern of the names of their topics, in which {@code *} stands for any characters; empty for all
     * @param after only those with an id above this; 0 for the first page
     * @param limit most of a page, 1 to {@value #PAGE_MAX}
     */
    SubscriptionPage list(String topicPattern, int after, int limit);

    /**
     * Drops messages of a subscription that no consumer and no prepared branch holds, those that wait for a time included.
     *
     * @param clientId of the subscription; empty for none
     * @param selector which of them, as consumers have it; empty for all
     * @param limit most messages that are dropped, at least 1
     * @return how many were; until {@code management.timeout} has passed, which ends it early
     */
    MoveResult purge(String clientId, String name, String selector, long limit);
}
