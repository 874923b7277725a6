package io.duramen.simulation;

import io.duramen.runtime.agent.Inbox;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/** An inbox without threads. Confined to the simulation. */
public final class SimulatedInbox<T> implements Inbox<T> {
    private final ArrayDeque<T> items = new ArrayDeque<>();
    private Runnable wake = () -> {};

    /** Sets what {@link #wake} calls. */
    public void onWake(Runnable wakeAgent) {
        wake = wakeAgent;
    }

    @Override
    public void put(T item) {
        items.add(item);
    }

    @Override
    public void wake() {
        wake.run();
    }

    @Override
    public int drain(Consumer<? super T> handler, int limit) {
        int handled = 0;
        while (handled < limit && !items.isEmpty()) {
            handler.accept(items.poll());
            handled++;
        }
        return handled;
    }

    @Override
    public boolean isEmpty() {
        return items.isEmpty();
    }
}
