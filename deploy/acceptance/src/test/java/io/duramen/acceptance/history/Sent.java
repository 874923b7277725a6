package io.duramen.acceptance.history;

/**
 * A message that was handed to {@code send}. Immutable but for what became of it, which {@link History} guards.
 */
public final class Sent {
    /** The transaction of a message that was sent outside of any. */
    public static final long NO_TRANSACTION = 0;

    /** The group of a message that belongs to none. */
    public static final String NO_GROUP = "";

    private final MessageId id;
    private final String destination;
    private final long transaction;
    private final String group;
    private final long sentNanos;
    private Outcome outcome = Outcome.IN_DOUBT;

    Sent(MessageId id, String destination, long transaction) {
        this(id, destination, transaction, NO_GROUP, 0);
    }

    /** @param sentNanos just before it was handed to {@code send} */
    Sent(MessageId id, String destination, long transaction, String group, long sentNanos) {
        this.id = id;
        this.destination = destination;
        this.transaction = transaction;
        this.group = group;
        this.sentNanos = sentNanos;
    }

    public MessageId id() {
        return id;
    }

    public String destination() {
        return destination;
    }

    /** Unique over all producers; {@link #NO_TRANSACTION} for none. */
    public long transaction() {
        return transaction;
    }

    String group() {
        return group;
    }

    /** Known of messages with a group. */
    long sentNanos() {
        return sentNanos;
    }

    public Outcome outcome() {
        return outcome;
    }

    void become(Outcome end) {
        outcome = end;
    }

    /** What the sender knows of a message in the end. */
    public enum Outcome {
        /** {@code send} or {@code commit} returned: it must arrive. */
        STORED,
        /** Neither returned: it may arrive or not; in a transaction all of it or nothing. */
        IN_DOUBT,
        /** {@code rollback} was called, or the commit was refused: it must not arrive. */
        ROLLED_BACK
    }
}
