package io.duramen.broker.shard;

import io.duramen.broker.subscription.Outbound;
import io.duramen.protocol.Frame;

/** Deliveries go to a client, which can be named. Used by the agent. */
record ToClient(ClientConnection connection) implements Outbound {
    @Override
    public void send(Frame frame) {
        connection.send(frame);
    }
}
