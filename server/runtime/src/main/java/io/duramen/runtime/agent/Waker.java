package io.duramen.runtime.agent;

import java.util.function.BooleanSupplier;

/** Has an agent look for what there is to do. From any thread. */
@FunctionalInterface
public interface Waker {
    /** Sees to it that the agent works again after this call; what the caller did before is visible to it. */
    void wake();

    /**
     * As {@link #wake}, by who would wait for it: where the agent's thread sleeps, the agent may be lent to the caller's instead, which
     * works before this call returns.
     *
     * @param until asked on the calling thread, after each round of work: whether it has what it waits for; what is left to do then is
     *     the agent's own thread's
     */
    default void workHere(BooleanSupplier until) {
        wake();
    }
}
