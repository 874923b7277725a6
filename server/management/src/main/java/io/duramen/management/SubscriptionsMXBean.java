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

    /** As {@link DestinationsMXBean#pause}, of a durable subscription alone. */
    void pause(String clientId, String name);

    /** Has messages handed out again, unless its topic is paused. */
    void resume(String clientId, String name);

    /**
     * Has a subscription go on elsewhere: it gets what is there from that place on, in its order, and nothing of what is before it.
     * Backwards as far as its topic keeps what is settled, by its settings {@code keep} and {@code keep-size}; then it
     * must have no consumers. Where it keeps nothing, only forwards, past what nobody holds; so it is for {@code latest}, too.
     *
     * @param to {@code latest}, behind all that is there now; {@code earliest}, the first that is kept; a time as
     *     {@code 2027-01-31T08:00:00Z}, past what was sent before, or, where that is not kept any more, as {@code earliest}; or
     *     the id of a message, {@code PARTITION:OFFSET}
     * @return how many messages are there from that place on; where the topic keeps nothing, and for {@code latest}, how many it
     *     passed over, until {@code management.timeout} has passed, which ends it early
     * @throws IllegalArgumentException where it is no such place, or one that is not kept or not there yet: the message names
     *     the first or the last that is
     * @throws IllegalStateException where it has consumers, or some that left hold messages
     */
    MoveResult seek(String clientId, String name, String to);

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
