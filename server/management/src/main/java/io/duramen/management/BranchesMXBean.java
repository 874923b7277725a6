package io.duramen.management;

import java.util.List;

/**
 * Branches of distributed transactions that are prepared and wait for their transaction manager: {@code type=Branches}. To end one by
 * hand is a decision that the manager does not know of: only where it will never come back.
 */
public interface BranchesMXBean {
    /** Prepared branches; a transaction of several shards counts in each. */
    long getCount();

    /** All of them, the oldest first. */
    List<BranchRow> list();

    /**
     * What it sends is there, and what it accepted is settled, in all shards that it concerns.
     *
     * @param id as {@link #list} gives it
     */
    void commit(String id);

    /**
     * What it accepted comes again, counted; what it sent is dropped.
     *
     * @param id as {@link #list} gives it
     */
    void rollBack(String id);
}
