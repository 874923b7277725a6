package io.duramen.protocol.frame;

/** Keeps a quiet connection alive and measures its round trip. Either side may ask. */
public interface Ping {
    record Request() {}

    record Response() {}
}
