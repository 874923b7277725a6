package io.duramen.jms.publishing;

/**
 * Any thread. Who sends.
 *
 * @param producerId not 0; see {@link io.duramen.protocol.record.RecordBatch#producerId}
 * @param epoch of a transactional producer that has a name, from 1; 0 for a plain session, whose producerId is random
 * @param owner number of the session in its connection, from 0: where refusals of one-way sends go
 */
public record SessionIdentity(long producerId, int epoch, int owner) {
    private static final int EPOCH_SHIFT = 32;

    /** Whether it is a transactional producer's that has a name, and its {@code producerId} with it. */
    public boolean hasName() {
        return epoch > 0;
    }

    /** The sequence below all of this incarnation's transactions: they ascend over the incarnations of a producer. */
    public long sequencesBeyond() {
        return (long) epoch << EPOCH_SHIFT;
    }
}
