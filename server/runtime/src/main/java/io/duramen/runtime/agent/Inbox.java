package io.duramen.runtime.agent;

import java.util.function.Consumer;

/** Hands work to an agent, in order per sender. {@link #offer} from any thread; {@link #drain} by the agent alone. */
public interface Inbox<T> {
    /** Puts an item behind all that this thread has put before, and wakes the agent. Never blocks. */
    void offer(T item);

    /** @return how many items were handed to the handler, at most {@code limit} */
    int drain(Consumer<? super T> handler, int limit);

    boolean isEmpty();
}
