package io.duramen.node.relay;

import io.duramen.broker.shard.ClientConnection;
import io.duramen.broker.shard.ShardRequest;
import io.duramen.runtime.agent.Inbox;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Where clients of this node hand over what is for a shard, whichever node leads it: in the shard's inbox while this one does, else in the
 * {@link RelayPort}, or nowhere while nobody does, for long. A connection that has handed something over in one way never does in the other: what it has lost in between would be
 * missing. It is to end. From any thread.
 */
final class ShardPort implements Inbox<ShardRequest> {
    private final Inbox<ShardRequest> relay;
    private final LongConsumer cut;

    /** The way of each connection that has handed something over, until it ends. */
    private final Map<Long, Inbox<ShardRequest>> ways = new ConcurrentHashMap<>();

    private volatile Inbox<ShardRequest> way;

    /** Whether this node does. Changed by one thread, with the way. */
    private volatile boolean leads;

    /** @param cut has a connection end, by its id; must not wait */
    ShardPort(Inbox<ShardRequest> relay, LongConsumer cut) {
        this.relay = relay;
        this.way = relay;
        this.cut = cut;
    }

    /** This node leads from here on, and takes requests there. */
    void leads(Inbox<ShardRequest> shard) {
        leads = true;
        way = shard;
    }

    boolean leads() {
        return leads;
    }

    /** Nobody is reached who leads: what is handed over is refused until somebody is. Nothing where this node leads, or it is refused already. */
    void refuses(Inbox<ShardRequest> refusal) {
        if (!leads && way == relay) {
            way = refusal;
        }
    }

    /** Somebody is reached who leads; nothing where this node does. */
    void relays() {
        if (!leads) {
            way = relay;
        }
    }

    /**
     * This node leads no more.
     *
     * @return the connections that are to end: once they have, nothing more is handed over to the shard
     */
    List<Long> leadsNoMore() {
        leads = false;
        way = relay;
        List<Long> lost = new ArrayList<>();
        ways.forEach((id, of) -> {
            if (of != relay) {
                lost.add(id);
            }
        });
        return lost;
    }

    @Override
    public void put(ShardRequest request) {
        if (request instanceof ShardRequest.FromClient from) {
            put(from);
        } else if (request instanceof ShardRequest.Disconnected gone) {
            Inbox<ShardRequest> taken = ways.remove(gone.connection().id());
            if (taken != null) {
                taken.offer(request);
            }
        } else {
            way.put(request);
        }
    }

    private void put(ShardRequest.FromClient from) {
        ClientConnection connection = from.connection();
        Inbox<ShardRequest> now = way;
        Inbox<ShardRequest> before = ways.putIfAbsent(connection.id(), now);
        // Looked at again: who leads no more has not seen this one, or this one sees that.
        if (before != null && before != now || way != now) {
            connection.handled(from.frame());
            cut.accept(connection.id());
            return;
        }
        now.put(from);
    }

    @Override
    public void wake() {
        way.wake();
    }

    @Override
    public void wakeHere(Executor here) {
        way.wakeHere(here);
    }

    /** Nothing: whoever leads the shard takes what was put here. */
    @Override
    public int drain(Consumer<? super ShardRequest> handler, int limit) {
        return 0;
    }

    @Override
    public boolean isEmpty() {
        return true;
    }
}
