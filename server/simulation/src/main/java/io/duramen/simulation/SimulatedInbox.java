package io.duramen.simulation;

import io.duramen.runtime.agent.Inbox;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/** An inbox without threads. Confined to the simulation. */
public final class SimulatedInbox<T> implements Inbox<T> {
    private final ArrayDeque<T> items = new ArrayDeque<>();
    private Runnable wake = () -> {};

    /** Sets what is called for every item put in. */
    public void onOffer(Runnable wakeAgent) {
        wake = wakeAgent;
    }

    @Override
    public void offer(T item) {
        items.add(item);
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
