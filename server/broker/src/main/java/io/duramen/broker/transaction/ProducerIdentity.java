package io.duramen.broker.transaction;

/**
 * A transactional producer that has a name, over all of its incarnations. Immutable.
 *
 * @param user whose it is; nobody else may take it over
 * @param epoch of the incarnation that may commit; from 1
 * @param incarnation number that this one gave itself
 * @param lastSequence of the last transaction that committed, in this epoch or an earlier one; 0 for none
 * @param lastLabel of that transaction
 * @param usedMillis log time of the last takeover or commit
 */
public record ProducerIdentity(
        String name,
        String user,
        long producerId,
        int epoch,
        long incarnation,
        long lastSequence,
        String lastLabel,
        long usedMillis) {
    private static final int EPOCH_SHIFT = 32;

    /** The sequence below all of an epoch's transactions. */
    public static long sequencesOf(int epoch) {
        return (long) epoch << EPOCH_SHIFT;
    }

    ProducerIdentity committed(long sequence, String label, long millis) {
        return new ProducerIdentity(name, user, producerId, epoch, incarnation, sequence, label, millis);
    }

    /** The same producer, taken over. */
    ProducerIdentity takenBy(ProducerIdentity next) {
        return new ProducerIdentity(
                name, user, producerId, next.epoch, next.incarnation, lastSequence, lastLabel, next.usedMillis);
    }
}
