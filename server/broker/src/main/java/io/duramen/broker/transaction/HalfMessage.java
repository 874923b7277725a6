package io.duramen.broker.transaction;

import io.duramen.protocol.frame.Commit.PartitionBatch;
import io.duramen.protocol.frame.HalfId;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A half message that waits for its end. Immutable; the bytes of its batches are its own.
 *
 * @param preparedMillis log time
 * @param checkAfterMillis from then on until its group is asked
 * @param asks how often it was
 * @param askedMillis log time of the last of them
 */
public record HalfMessage(
        HalfId id,
        HalfGroup group,
        long preparedMillis,
        long checkAfterMillis,
        int asks,
        long askedMillis,
        List<PartitionBatch> batches) {
    private static final int OVERHEAD_BYTES = 512;

    /** One that was just stored. */
    public static HalfMessage prepared(
            HalfId id, HalfGroup group, long preparedMillis, long checkAfterMillis, List<PartitionBatch> batches) {
        return new HalfMessage(id, group, preparedMillis, checkAfterMillis, 0, 0, owned(batches));
    }

    static List<PartitionBatch> owned(List<PartitionBatch> batches) {
        return batches.stream()
                .map(batch -> new PartitionBatch(batch.partition(), copy(batch.batch())))
                .toList();
    }

    private static ByteBuffer copy(ByteBuffer bytes) {
        return ByteBuffer.allocate(bytes.remaining())
                .put(bytes.duplicate())
                .flip()
                .asReadOnlyBuffer();
    }

    HalfMessage asked(long millis) {
        return new HalfMessage(id, group, preparedMillis, checkAfterMillis, asks + 1, millis, batches);
    }

    /** Memory that it takes, about. */
    public long sizeBytes() {
        return sizeBytes(batches);
    }

    /** Memory that one of these would take, about. */
    public static long sizeBytes(List<PartitionBatch> batches) {
        return OVERHEAD_BYTES + PreparedBranch.messageBytes(batches);
    }
}
