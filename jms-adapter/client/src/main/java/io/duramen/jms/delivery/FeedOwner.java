package io.duramen.jms.delivery;

/** Who is told what happens to a feed, on the link's thread; must not block. */
public interface FeedOwner {
    /** It is detached and owes nothing more: no frame about it follows. */
    void onFinished(ConsumerFeed feed);

    /** After a reconnect the node refused to have it back. */
    void onRefused(ConsumerFeed feed, RuntimeException refusal);
}
