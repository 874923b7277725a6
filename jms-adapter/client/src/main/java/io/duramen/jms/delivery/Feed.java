package io.duramen.jms.delivery;

import jakarta.jms.JMSException;
import java.util.List;

/** Thread-safe. What a consumer is fed by: one {@link ConsumerFeed} for each shard that has messages for it. */
public interface Feed {
    /** Unique in the connection. */
    int consumerId();

    /** Lets messages through to the application, or not. */
    void flowing(boolean now);

    /** @param action called on the link's thread when something arrived; null where the application asks itself */
    void onArrival(Runnable action);

    /**
     * The next delivery, if it is here.
     *
     * @param accept whether it counts as accepted at once, unless it {@link Delivery#isLarge}
     * @return null where none is here or none may pass
     */
    Delivery poll(boolean accept);

    /**
     * Waits for a delivery.
     *
     * @param timeoutNanos 0 for ever
     * @return null where none came, or the feed was closed
     */
    Delivery take(long timeoutNanos, boolean accept) throws JMSException;

    /** A delivery that is available now, here or at the node; null where there is none. */
    Delivery takeNow(boolean accept) throws JMSException;

    /** Asks for messages on behalf of a listener that has nothing to do. */
    void demand();

    /** Where a delivery that this gave came from, and is settled. */
    default ConsumerFeed origin(Delivery delivery) {
        return origins().get(0);
    }

    /** All of which it consists. */
    List<ConsumerFeed> origins();

    /** Whether the application was given something that is not settled. */
    boolean hasGiven();

    /** No delivery passes any more, and who waits for one is let go. */
    void close();

    /**
     * Leaves the subscription once what was accepted is settled. {@link #awaitDetached} tells when.
     *
     * @param keepGiven whether the session may still settle what was given
     */
    void detach(boolean keepGiven);

    void awaitDetached() throws JMSException;

    /**
     * The consumer is over: it leaves the subscription everywhere, as by {@link #detach} without what was given, and whoever asks it
     * for a message has this thrown. Called on the link's thread.
     */
    void end(RuntimeException why);

    /** Whether it is detached and owes nothing more. */
    boolean isFinished();
}
