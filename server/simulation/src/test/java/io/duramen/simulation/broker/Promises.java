package io.duramen.simulation.broker;

/** What the log of a leader keeps of what it promises to its shard, once it is cut off from the others. */
public enum Promises {
    ALL,
    /** Nothing of the one that entries are committed only where a majority has them. */
    ALL_BUT_COMMIT,
    /** Nothing of the one that it is leased only while nobody else leads. */
    ALL_BUT_LEASE
}
