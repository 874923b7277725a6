package io.duramen.broker.kit;

import io.duramen.runtime.agent.Inbox;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/** An inbox for one thread. */
final class ListInbox<T> implements Inbox<T> {
    private final ArrayDeque<T> items = new ArrayDeque<>();

    @Override
    public void put(T item) {
        items.add(item);
    }

    @Override
    public void wake() {}

    @Override
    public int drain(Consumer<? super T> handler, int limit) {
        int drained = 0;
        while (drained < limit && !items.isEmpty()) {
            drained++;
            handler.accept(items.poll());
        }
        return drained;
    }

    @Override
    public boolean isEmpty() {
        return items.isEmpty();
    }

    int size() {
        return items.size();
    }
}
