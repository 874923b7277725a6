package io.duramen.broker.destination;

import io.duramen.metadata.ShardImage.PartitionRow;
import io.duramen.protocol.record.RecordBatch;
import io.duramen.runtime.Invariant;

/** One ordered part of a destination. Confined to the shard's agent. */
public final class Partition {
    private final int id;
    private final int home;
    private final Destination destination;

    // Hard: rebuilt by replay.
    private long nextOffset;
    private long priorityEnd;
    private long deliveryTimeEnd;
    private long expirationEnd;
    private long groupEnd;
    private long nextPart;

    // Soft: where the leader's next append goes; at or beyond nextOffset and nextPart.
    private long nextAppendOffset;
    private long nextAppendPart;
    private long pendingBytes;

    Partition(PartitionRow row, Destination destination) {
        this.id = row.partition();
        this.home = row.home();
        this.destination = destination;
        this.nextOffset = row.nextOffset();
        this.nextAppendOffset = row.nextOffset();
        this.priorityEnd = row.priorityEnd();
        this.deliveryTimeEnd = row.deliveryTimeEnd();
        this.expirationEnd = row.expirationEnd();
        this.groupEnd = row.groupEnd();
        this.nextPart = row.nextPart();
        this.nextAppendPart = row.nextPart();
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

    /** Bytes of messages that were appended since this leadership began and are not committed. */
    public long pendingBytes() {
        return pendingBytes;
    }

    /** Messages of so many bytes are being appended. */
    public void appended(long bytes) {
        pendingBytes += bytes;
    }

    /** Messages of so many bytes are committed, whoever appended them. */
    public void appendedNoMore(long bytes) {
        pendingBytes = Math.max(0, pendingBytes - bytes);
    }

    /**
     * Replays committed messages.
     *
     * @param traits see {@link RecordBatch#traits}
     */
    public void committed(long baseOffset, int messages, int traits) {
        Invariant.hold(
                baseOffset == nextOffset, "messages committed at offset %d where %d was due", baseOffset, nextOffset);
        nextOffset = baseOffset + messages;
        nextAppendOffset = Math.max(nextAppendOffset, nextOffset);
        if (traits != 0) {
            note(traits);
        }
    }

    /**
     * Under which the log keeps a partition's parts of large bodies, whose offsets are their own: they are no messages, and
     * nothing that goes through those meets them.
     */
    public static int partsId(int partition) {
        return -partition;
    }

    /** See {@link #partsId(int)}. */
    public int partsId() {
        return partsId(id);
    }

    /** Offset behind the last committed part. */
    public long nextPart() {
        return nextPart;
    }

    /** Takes the offset for a part whose append is being decided. */
    public long assignPart() {
        return nextAppendPart++;
    }

    /** Replays a committed part. */
    public void committedPart(long offset) {
        Invariant.hold(offset == nextPart, "a part committed at offset %d where %d was due", offset, nextPart);
        nextPart++;
        nextAppendPart = Math.max(nextAppendPart, nextPart);
    }

    private void note(int traits) {
        if ((traits & RecordBatch.ATTRIBUTE_PRIORITY) != 0) {
            priorityEnd = nextOffset;
        }
        if ((traits & RecordBatch.ATTRIBUTE_DELIVERY_TIME) != 0) {
            deliveryTimeEnd = nextOffset;
        }
        if ((traits & RecordBatch.ATTRIBUTE_EXPIRATION) != 0) {
            expirationEnd = nextOffset;
        }
        if ((traits & RecordBatch.ATTRIBUTE_GROUP) != 0) {
            groupEnd = nextOffset;
        }
    }

    /** No message at or beyond this offset has another priority than usual. */
    public long priorityEnd() {
        return priorityEnd;
    }

    /** No message at or beyond this offset belongs to a group. */
    public long groupEnd() {
        return groupEnd;
    }

    /** No message at or beyond this offset expires. */
    public long expirationEnd() {
        return expirationEnd;
    }

    /** Messages at or beyond this offset may be handed out one after the other: none has priority, delay or group. */
    public long unorderedEnd() {
        return Math.max(Math.max(priorityEnd, deliveryTimeEnd), groupEnd);
    }

    public PartitionRow toRow() {
        return new PartitionRow(id, home, nextOffset, priorityEnd, deliveryTimeEnd, expirationEnd, groupEnd, nextPart);
    }
}
