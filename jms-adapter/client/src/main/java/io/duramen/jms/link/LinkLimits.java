package io.duramen.jms.link;

import io.duramen.protocol.Protocol;
import io.duramen.protocol.frame.Hello;

/** Any thread. What the node said in its Hello. */
public record LinkLimits(int version, int frameLengthMax, int inFlightMax, int heartbeatMillis, int shards) {
    /** Before the node has said anything. */
    static final LinkLimits HANDSHAKE =
            new LinkLimits(Protocol.VERSION_MIN, Protocol.HANDSHAKE_FRAME_LENGTH_MAX, Integer.MAX_VALUE, 0, 1);

    static LinkLimits of(Hello.Response hello) {
        return new LinkLimits(
                hello.version(),
                Math.max(Protocol.HANDSHAKE_FRAME_LENGTH_MAX, hello.frameLengthMax()),
                Math.max(1, hello.inFlightMax()),
                hello.heartbeatMillis(),
                Math.max(1, hello.shards()));
    }
}
