package io.duramen.node.shard;

import java.util.Collection;

/** The clients of this node, as far as it matters to them whether it leads. Used by one thread at a time. */
public interface Clients {
    /** Where there are none. */
    Clients NONE = new Clients() {
        @Override
        public void letIn() {}

        @Override
        public void sendAway() {}

        @Override
        public void admitNone() {}

        @Override
        public void cut(Collection<Long> connections) {}

        @Override
        public void cutSoon(long connection) {}
    };

    /** From here on clients are let in. */
    void letIn();

    /** From here on none is; returns when all connections are gone, and the shards have been told. */
    void sendAway();

    /** From here on none is let in; those that are stay. */
    void admitNone();

    /** Ends these connections, without a word; returns when they are gone, and the shards have been told. */
    void cut(Collection<Long> connections);

    /** Has a connection end, without a word; does not wait. From any thread. */
    void cutSoon(long connection);
}
