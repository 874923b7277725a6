package io.duramen.acceptance.history;

/**
 * A message as it was given to the application once. Fields but the ends are immutable; an end is set once, by the
 * consumer's thread, before the history is checked.
 */
public final class Delivery {
    private static final long NEVER = Long.MAX_VALUE;

    private final String subscription;
    private final String consumer;
    private final MessageId message;
    private final long receivedNanos;
    private volatile boolean committed;
    private volatile long settledNanos = NEVER;
    private volatile long releasedNanos = NEVER;
    private volatile long releasedUntilNanos = NEVER;

    Delivery(String subscription, String consumer, MessageId message, long receivedNanos) {
        this.subscription = subscription;
        this.consumer = consumer;
        this.message = message;
        this.receivedNanos = receivedNanos;
    }

    /** The call that settles this delivery (acknowledge, commit, the next receive, close) has returned. */
    public void settled(long nanos) {
        settledNanos = nanos;
    }

    /** The transaction that took this delivery has committed: nobody else may have it any more, whatever happens to the server. */
    public void committed(long nanos) {
        committed = true;
        settledNanos = nanos;
    }

    boolean isCommitted() {
        return committed;
    }

    /** The application gave the delivery back (rollback, recover), or was told that its transaction was rolled back. */
    public void released(long nanos) {
        released(nanos, nanos);
    }

    /** As {@link #released(long)}, by a call that began and ended then: it happened at some moment between. */
    public void released(long fromNanos, long untilNanos) {
        releasedNanos = fromNanos;
        releasedUntilNanos = untilNanos;
    }

    public String subscription() {
        return subscription;
    }

    public String consumer() {
        return consumer;
    }

    public MessageId message() {
        return message;
    }

    public long receivedNanos() {
        return receivedNanos;
    }

    boolean settledBefore(long nanos) {
        return settledNanos < nanos;
    }

    /** Whether it may have been given back after that moment. */
    boolean releasedAfter(long nanos) {
        return releasedUntilNanos < NEVER && releasedUntilNanos > nanos;
    }

    /** Whether it may have been given back before that moment. */
    boolean releasedBefore(long nanos) {
        return releasedNanos < nanos;
    }

    /** {@link Long#MAX_VALUE} where the settlement was never answered. */
    long settledNanos() {
        return settledNanos;
    }

    @Override
    public String toString() {
        return message + " to " + consumer + " at " + receivedNanos + " ns"
                + (settledNanos < NEVER ? (committed ? ", committed at " : ", settled at ") + settledNanos : "")
                + (releasedNanos < NEVER ? ", released at " + releasedNanos : "");
    }
}
