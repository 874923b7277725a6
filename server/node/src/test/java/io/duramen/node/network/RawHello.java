package io.duramen.node.network;

import io.duramen.protocol.Frame;
import io.duramen.protocol.Protocol;
import io.duramen.protocol.frame.Failure;
import io.duramen.protocol.frame.Hello;
import java.io.IOException;
import java.util.Optional;

/** Asks a node whether it lets clients in. */
public final class RawHello {
    private RawHello() {}

    /** Why not; empty where it does. */
    public static Optional<String> refusal(int port) throws IOException {
        try (RawClient client = new RawClient(port)) {
            client.request(1, new Hello.Request(Protocol.MAGIC, 1, 1, "raw", 0));
            Frame answer = client.read();
            return answer.payload() instanceof Failure failure ? Optional.of(failure.detail()) : Optional.empty();
        }
    }
}
