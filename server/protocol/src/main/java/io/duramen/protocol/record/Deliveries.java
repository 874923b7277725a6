package io.duramen.protocol.record;

import io.duramen.protocol.MalformedFrameException;
import java.nio.ByteBuffer;

/**
 * The byte region of a Deliver frame: for each message {@code i64 offset, i32 deliveryCount} and the record as its
 * producer encoded it. deliveryCount counts this delivery too, so it is 1 for the first.
 */
public final class Deliveries {
    /** Bytes that a delivery adds to its record. */
    public static final int OVERHEAD_LENGTH = 12;

    private Deliveries() {}

    /** Appends one delivery; {@code record} keeps its position. */
    public static void put(ByteBuffer out, long offset, int deliveryCount, ByteBuffer record) {
        out.putLong(offset);
        out.putInt(deliveryCount);
        out.put(record.duplicate());
    }

    /** Takes one delivery after the other. */
    @FunctionalInterface
    public interface Visitor {
        /** @param record exactly one record, a slice of the region */
        void delivery(long offset, int deliveryCount, ByteBuffer record);
    }

    /**
     * Hands every delivery of a region to the visitor, in order.
     *
     * @throws MalformedFrameException where the region does not hold exactly {@code count} deliveries; those before the
     *     fault have been visited
     */
    public static void forEach(ByteBuffer deliveries, int count, Visitor visitor) {
        if (count < 1) {
            throw new MalformedFrameException("a region of " + count + " deliveries");
        }
        int at = deliveries.position();
        for (int i = 0; i < count; i++) {
            if (deliveries.limit() - at < OVERHEAD_LENGTH) {
                throw new MalformedFrameException("delivery " + i + " of " + count + " is missing");
            }
            long offset = deliveries.getLong(at);
            int deliveryCount = deliveries.getInt(at + 8);
            int length = MessageRecord.check(deliveries, at + OVERHEAD_LENGTH);
            visitor.delivery(offset, deliveryCount, deliveries.slice(at + OVERHEAD_LENGTH, length));
            at += OVERHEAD_LENGTH + length;
        }
        if (at != deliveries.limit()) {
            throw new MalformedFrameException((deliveries.limit() - at) + " bytes behind the last delivery");
        }
    }
}
