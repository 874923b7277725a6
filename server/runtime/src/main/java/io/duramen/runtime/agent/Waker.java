package io.duramen.runtime.agent;

import java.util.concurrent.Executor;

/** Has an agent look for what there is to do. From any thread. */
@FunctionalInterface
public interface Waker {
    /** Sees to it that the agent works again after this call; what the caller did before is visible to it. */
    void wake();

    /**
     * As {@link #wake}; where the agent's thread sleeps, the agent may be lent to the caller's thread instead.
     *
     * @param here an executor whose only thread calls this
     */
    default void wakeHere(Executor here) {
        wake();
    }
}
