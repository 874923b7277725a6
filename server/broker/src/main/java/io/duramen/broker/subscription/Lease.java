package io.duramen.broker.subscription;

/** A message in one consumer's hands. Soft state; a consumer of null stands for the broker itself (expiry). */
final class Lease {
    /** Who holds it. */
    final Consumer consumer;

    /** Number of the delivery at its consumer; 0 for one that it held before it lost its connection. */
    final long number;

    /** Of the message; -1 where it is not known. */
    final int priority;

    /** Hash of the message's group; 0 for none, or where it is not known yet. */
    int group;

    /** When it was handed out, on {@link io.duramen.runtime.Clock#nanos}; of no meaning unless {@link #dated}. */
    long sinceNanos;

    /** Whether it is known when it was handed out. */
    boolean dated;

    /** Whether its end is decided and waits to be committed. */
    boolean ending;

    /** Whether that end gives the message back. */
    boolean givingBack;

    /** Whether nobody has it since a prepared branch accepts it; others that nobody has are kept for other reasons. */
    boolean withheld;

    Lease(Consumer consumer, long number, int priority) {
        this.consumer = consumer;
        this.number = number;
        this.priority = priority;
    }

    /** It is handed out now. */
    void dated(long nowNanos) {
        sinceNanos = nowNanos;
        dated = true;
    }

    /** For how long somebody has it; -1 where that is not known. */
    long heldNanos(long nowNanos) {
        return dated ? nowNanos - sinceNanos : -1;
    }

    /** One that keeps a message from everyone until it is settled. */
    static Lease nobodys() {
        Lease lease = new Lease(null, 0, -1);
        lease.ending = true;
        return lease;
    }
}
