package io.duramen.protocol.frame;

/** Deletes a durable subscription by name, in the scope of this connection's client id. Refused while in use. */
public interface Unsubscribe {
    record Request(String subscriptionName) {}

    record Response() {}
}
