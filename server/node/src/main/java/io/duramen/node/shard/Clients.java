package io.duramen.node.shard;

/** The clients of this node, as far as it matters to them whether it leads. Used by one thread at a time. */
public interface Clients {
    /** Where there are none. */
    Clients NONE = new Clients() {
        @Override
        public void letIn() {}

        @Override
        public void sendAway() {}
    };

    /** From here on clients are let in. */
    void letIn();

    /** From here on none is; returns when all connections are gone, and the shards have been told. */
    void sendAway();
}
