package io.duramen.broker.subscription;

import io.duramen.protocol.Frame;

/** Where a consumer's deliveries go. */
@FunctionalInterface
public interface Outbound {
    /** Puts a frame behind all others for the client; never blocks. */
    void send(Frame frame);
}
