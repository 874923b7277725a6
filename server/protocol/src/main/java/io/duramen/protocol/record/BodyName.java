package io.duramen.protocol.record;

/** Names a large body: random, made by its producer, and known only to who may read the message. */
public record BodyName(long high, long low) {}
