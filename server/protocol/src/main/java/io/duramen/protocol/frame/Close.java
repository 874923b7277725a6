package io.duramen.protocol.frame;

/** The client is done: answered when everything it sent before is answered, then the server closes the connection. */
public interface Close {
    record Request() {}

    record Response() {}
}
