package io.duramen.runtime.agent;

import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jctools.queues.MpscUnboundedArrayQueue;

/**
 * An inbox of linked arrays: {@link #put} and the wakings from any thread, {@link #drain} and {@link #isEmpty} by the agent. It has no
 * limit of its own; those who offer are held back by what they have in it (see the network's back-pressure).
 */
public final class MpscInbox<T> implements Inbox<T> {
    private static final int CHUNK = 1024;

    private final MpscUnboundedArrayQueue<T> items = new MpscUnboundedArrayQueue<>(CHUNK);
    private volatile Runnable wake = () -> {};
    private volatile Consumer<Executor> wakeHere = here -> wake();

    /** Sets what {@link #wake} runs: the {@link AgentRunner#wake} of the agent that drains. */
    public void wakes(Runnable agent) {
        wakes(agent, here -> agent.run());
    }

    /** As {@link #wakes(Runnable)}, with what {@link #wakeHere} runs: {@link AgentRunner#wakeHere}. */
    public void wakes(Runnable agent, Consumer<Executor> agentHere) {
        wake = Objects.requireNonNull(agent);
        wakeHere = Objects.requireNonNull(agentHere);
        agent.run();
    }

    @Override
    public void put(T item) {
        items.offer(item);
    }

    @Override
    public void wake() {
        wake.run();
    }

    @Override
    public void wakeHere(Executor here) {
        wakeHere.accept(here);
    }

    @Override
    public int drain(Consumer<? super T> handler, int limit) {
        int drained = 0;
        while (drained < limit) {
            T item = items.poll();
            if (item == null) {
                break;
            }
            drained++;
            handler.accept(item);
        }
        return drained;
    }

    @Override
    public boolean isEmpty() {
        return items.isEmpty();
    }
}
