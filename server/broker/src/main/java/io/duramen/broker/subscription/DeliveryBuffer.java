package io.duramen.broker.subscription;

import io.duramen.protocol.Frame;
import io.duramen.protocol.SpareBuffers;
import io.duramen.protocol.frame.Deliver;
import io.duramen.protocol.record.Deliveries;
import java.nio.ByteBuffer;

/**
 * Gathers messages for one Deliver frame, then copies them once, into a buffer of exactly their size. A long one that is alone
 * in its frame is not copied, where nobody else has its bytes. Reused.
 */
public final class DeliveryBuffer {
    /** Most messages in one Deliver frame. */
    static final int MESSAGES_MAX = 256;

    private static final int IN_PLACE_LENGTH_MIN = 128 * 1024;

    private final ByteBuffer[] sources = new ByteBuffer[MESSAGES_MAX];
    private final int[] positions = new int[MESSAGES_MAX];
    private final int[] lengths = new int[MESSAGES_MAX];
    private final long[] offsets = new long[MESSAGES_MAX];
    private final int[] counts = new int[MESSAGES_MAX];
    private int count;
    private int bytes;

    /** The first message, if it need not be copied. */
    private ByteBuffer inPlace;

    int count() {
        return count;
    }

    int bytes() {
        return bytes;
    }

    void add(long offset, int deliveryCount, RecordReader record) {
        sources[count] = record.buffer();
        positions[count] = record.position();
        lengths[count] = record.length();
        offsets[count] = offset;
        counts[count] = deliveryCount;
        bytes += Deliveries.OVERHEAD_LENGTH + record.length();
        count++;
        inPlace = count == 1 && record.length() >= IN_PLACE_LENGTH_MIN
                ? record.giveAway(Deliveries.OVERHEAD_LENGTH)
                : null;
    }

    /** The frame with all that was gathered; the buffer is empty afterwards. */
    Frame take(int shard, int consumerId, int partition) {
        int messages = count;
        return Frame.push(new Deliver.Push(shard, consumerId, partition, messages, takeBytes()));
    }

    /** All that was gathered, as {@link Deliveries}; the buffer is empty afterwards. */
    ByteBuffer takeBytes() {
        if (inPlace != null) {
            return takeInPlace();
        }
        ByteBuffer out = SpareBuffers.SHARED.take(bytes).slice(0, bytes);
        int at = 0;
        for (int i = 0; i < count; i++) {
            out.putLong(at, offsets[i]);
            out.putInt(at + Long.BYTES, counts[i]);
            out.put(at + Deliveries.OVERHEAD_LENGTH, sources[i], positions[i], lengths[i]);
            at += Deliveries.OVERHEAD_LENGTH + lengths[i];
            sources[i] = null;
        }
        count = 0;
        bytes = 0;
        return out;
    }

    private ByteBuffer takeInPlace() {
        ByteBuffer out = inPlace;
        out.putLong(out.position(), offsets[0]);
        out.putInt(out.position() + Long.BYTES, counts[0]);
        inPlace = null;
        sources[0] = null;
        count = 0;
        bytes = 0;
        return out;
    }
}
