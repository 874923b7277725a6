package io.duramen.protocol.frame;

/** Deletes a temporary destination of this connection. Refused while it has consumers. */
public interface DeleteDestination {
    record Request(String name) {}

    record Response() {}
}
