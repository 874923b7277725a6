package io.duramen.broker.shard;

import io.duramen.protocol.Frame;
import java.util.Optional;

/**
 * A client of a transaction that another node's shard decides, as far as that has told of it: it is answered there. Immutable.
 *
 * @param id the same in every node
 * @param name its client id; null for none
 */
record FarClient(long id, String user, boolean isAdmin, boolean handsOn, String name) implements ClientConnection {
    static FarClient of(ClientConnection client) {
        return new FarClient(
                client.id(),
                client.user(),
                client.isAdmin(),
                client.handsOn(),
                client.clientId().orElse(null));
    }

    @Override
    public Optional<String> clientId() {
        return Optional.ofNullable(name);
    }

    @Override
    public void send(Frame frame) {
        // What a part of a transaction comes to is told to the shard that decides.
    }

    @Override
    public void handled(Frame frame) {
        // Nothing of it waits in an inbox.
    }
}
