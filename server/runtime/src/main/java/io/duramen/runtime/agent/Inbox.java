package io.duramen.runtime.agent;

import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Hands work to an agent, in order per sender. {@link #put}, {@link #wake}, {@link #wakeHere} and {@link #offer} from
 * any thread; {@link #drain} by the agent alone.
 */
public interface Inbox<T> {
    /** Puts an item behind all that this thread has put before; the agent need not notice before {@link #wake}. */
    void put(T item);

    /** Has the agent work on what was put. Never blocks. */
    void wake();

    /**
     * As {@link #wake}, but an agent that sleeps may do the work as a task of the executor.
     *
     * @param here an executor whose only thread calls this
     */
    default void wakeHere(Executor here) {
        wake();
    }

    /** Puts an item and wakes the agent. */
    default void offer(T item) {
        put(item);
        wake();
    }

    /** @return how many items were handed to the handler, at most {@code limit} */
    int drain(Consumer<? super T> handler, int limit);

    boolean isEmpty();
}
