package io.duramen.jms.session;

/** What became of a transaction. */
public enum Outcome {
    /** All of it happened. */
    COMMITTED,
    /** None of it happened, nor will. */
    NOT_COMMITTED,
    /** The node does not remember it: its session has committed another since. */
    FORGOTTEN
}
