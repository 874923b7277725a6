package io.duramen.jms.link;

import io.duramen.protocol.Protocol;
import io.duramen.protocol.frame.Hello;

/** Any thread. What the node said in its Hello. */
public record LinkLimits(int version, int frameLengthMax, int inFlightMax, int heartbeatMillis, int shards) {
    /** Before the node has said anything. */
    static final LinkLimits HANDSHAKE =
            new LinkLimits(Protocol.VERSION_MIN, Protocol.HANDSHAKE_FRAME_LENGTH_MAX, Integer.MAX_VALUE, 0, 1);

    /**
     * Bytes that the node may have added to a message since it was sent: what it says of one that died, expired or was
     * sent back. A message as long as may be sent stays readable after that.
     */
    private static final int ADDED_MAX = 64 * 1024;

    static LinkLimits of(Hello.Response hello) {
        return new LinkLimits(
                hello.version(),
                Math.max(Protocol.HANDSHAKE_FRAME_LENGTH_MAX, hello.frameLengthMax()),
                Math.max(1, hello.inFlightMax()),
                hello.heartbeatMillis(),
                Math.max(1, hello.shards()));
    }

    /** Bytes of the longest frame that is taken from the node: longer than one that may be sent to it. */
    int receivedLengthMax() {
        return frameLengthMax + Math.min(ADDED_MAX, Integer.MAX_VALUE - frameLengthMax);
    }
}
