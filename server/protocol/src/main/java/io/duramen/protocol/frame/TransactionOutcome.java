package io.duramen.protocol.frame;

/**
 * Asks what became of a transaction whose Commit was not answered: from the same connection or another, by anyone who
 * knows its producer and sequence. Where it has not committed, the answer makes sure that it never will. Answered when a
 * commit is as durable as the answer to Commit itself asks for.
 */
public interface TransactionOutcome {
    /**
     * @param producerId of the session, as in its Commit
     * @param producerEpoch as in its Commit
     * @param sequence as in its Commit
     */
    record Request(int shard, long producerId, int producerEpoch, long sequence) implements ForShard {}

    record Response(Verdict verdict) {}

    enum Verdict {
        /** All of it happened. */
        COMMITTED,
        /** None of it happened or will: a Commit that is still on its way is refused when it arrives. */
        NOT_COMMITTED,
        /** A later transaction of the producer has committed since; only the last is remembered. */
        FORGOTTEN
    }
}
