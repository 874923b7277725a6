package io.duramen.acceptance.manager;

/** Where a transaction manager may die, in the order in which a transaction of two resources comes by. */
enum Step {
    /** Neither is prepared. */
    WORKED,
    /** The first is prepared, and the second has not been asked. */
    PREPARED_FIRST,
    /** Both are prepared, and nothing is in the manager's log: to be rolled back. */
    PREPARED_BOTH,
    /** The manager's log has the decision, and nobody has been told. */
    LOGGED,
    /** One has committed, and the other has not been told. */
    COMMITTED_FIRST,
    /** Both have committed, and the log has the decision still. */
    COMMITTED_BOTH,
    /** The first that was told to roll back has done so. */
    ROLLED_BACK_FIRST
}
