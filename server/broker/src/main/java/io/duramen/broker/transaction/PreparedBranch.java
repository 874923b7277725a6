package io.duramen.broker.transaction;

import io.duramen.protocol.frame.BranchId;
import io.duramen.protocol.frame.Commit.PartitionBatch;
import io.duramen.protocol.frame.OffsetRange;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Everything that a branch of a distributed transaction will do if it is committed. Immutable; the bytes of its batches are
 * its own.
 *
 * @param preparedMillis log time
 * @param settlements of durable subscriptions
 * @param user who prepared it
 * @param spread at most one: the other shards that it concerns. Where that names the branch itself, the branch is a decision
 *     to commit what those have prepared
 */
public record PreparedBranch(
        BranchId id,
        long preparedMillis,
        List<PartitionBatch> batches,
        List<BranchSettlement> settlements,
        String user,
        List<Spread> spread) {
    private static final int OVERHEAD_BYTES = 512;
    private static final int RANGE_BYTES = 32;

    /** Deliveries that the branch accepts: one subscription's on one partition. */
    public record BranchSettlement(int subscription, int partition, List<OffsetRange> ranges) {}

    public PreparedBranch {
        batches = batches.stream()
                .map(batch -> new PartitionBatch(batch.partition(), copy(batch.batch())))
                .toList();
        settlements = List.copyOf(settlements);
        spread = List.copyOf(spread);
    }

    /** A decision that is known to this shard alone until the others have carried it out. */
    public static PreparedBranch decision(Spread over, long decidedMillis) {
        return new PreparedBranch(over.inner(), decidedMillis, List.of(), List.of(), "", List.of(over));
    }

    /** Whether it is a {@link #decision}. */
    public boolean isDecision() {
        return !spread.isEmpty() && spread.get(0).inner().equals(id);
    }

    private static ByteBuffer copy(ByteBuffer bytes) {
        return ByteBuffer.allocate(bytes.remaining())
                .put(bytes.duplicate())
                .flip()
                .asReadOnlyBuffer();
    }

    /** Memory that it takes, about. */
    public long sizeBytes() {
        return sizeBytes(batches, settlements);
    }

    /** Memory that a branch of these would take, about. */
    public static long sizeBytes(List<PartitionBatch> batches, List<BranchSettlement> settlements) {
        long bytes = OVERHEAD_BYTES + messageBytes(batches);
        for (BranchSettlement settlement : settlements) {
            bytes += (1L + settlement.ranges().size()) * RANGE_BYTES;
        }
        return bytes;
    }

    /** Bytes of its batches. */
    public static int messageBytes(List<PartitionBatch> batches) {
        int bytes = 0;
        for (PartitionBatch batch : batches) {
            bytes = Math.addExact(bytes, batch.batch().remaining());
        }
        return bytes;
    }
}
