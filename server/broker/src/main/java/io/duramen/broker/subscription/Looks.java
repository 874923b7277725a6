package io.duramen.broker.subscription;

/** Counts what looking at messages costs a shard. Confined to its agent. */
public final class Looks {
    private long records;
    private long evaluations;

    /** Records that were looked at because offsets alone do not say whose they are. */
    public long records() {
        return records;
    }

    /** Times that a filter was asked about a record. */
    public long evaluations() {
        return evaluations;
    }

    void looked() {
        records++;
    }

    void evaluated() {
        evaluations++;
    }
}
