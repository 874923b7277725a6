package io.duramen.broker.destination;

import io.duramen.runtime.Invariant;

/** One ordered part of a destination. Confined to the shard's agent. */
public final class Partition {
    private final int id;
    private final Destination destination;

    // Hard: rebuilt by replay.
    private long nextOffset;

    // Soft: where the leader's next append goes; at or beyond nextOffset.
    private long nextAppendOffset;

    Partition(int id, Destination destination, long nextOffset) {
        this.id = id;
        this.destination = destination;
        this.nextOffset = nextOffset;
        this.nextAppendOffset = nextOffset;
    }

    public int id() {
        return id;
    }

    public Destination destination() {
        return destination;
    }

    /** Offset behind the last committed message. */
    public long nextOffset() {
        return nextOffset;
    }

    /** Offset behind the last appended message, committed or not. */
    public long nextAppendOffset() {
        return nextAppendOffset;
    }

    /** Takes the offsets for an append that is being decided; returns the first. */
    public long assign(int messages) {
        long base = nextAppendOffset;
        nextAppendOffset += messages;
        return base;
    }

    /** Replays committed messages. */
    public void committed(long baseOffset, int messages) {
        Invariant.hold(
                baseOffset == nextOffset, "messages committed at offset %d where %d was due", baseOffset, nextOffset);
        nextOffset = baseOffset + messages;
        nextAppendOffset = Math.max(nextAppendOffset, nextOffset);
    }
}
