package io.duramen.protocol.frame;

/** The two kinds of destination, and their temporary forms, which live as long as the connection that made them. */
public enum DestinationKind {
    QUEUE,
    TOPIC,
    TEMPORARY_QUEUE,
    TEMPORARY_TOPIC;

    public boolean isQueue() {
        return this == QUEUE || this == TEMPORARY_QUEUE;
    }

    public boolean isTemporary() {
        return this == TEMPORARY_QUEUE || this == TEMPORARY_TOPIC;
    }
}
