package io.duramen.broker.shard;

import io.duramen.protocol.frame.BranchId;
import io.duramen.protocol.frame.Commit.PartitionBatch;
import io.duramen.protocol.record.RecordBatch;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What prepared branches will store in partitions if they are committed: room in destinations is kept for it, since a commit is not
 * refused. Follows from the branches that are prepared or about to be. Confined to the agent.
 */
final class Promised {
    /** @param bytes see {@link Filling#bytes(java.nio.ByteBuffer)} */
    record Amount(long messages, long bytes) {
        static final Amount NONE = new Amount(0, 0);

        Amount and(Amount more) {
            return new Amount(messages + more.messages, bytes + more.bytes);
        }

        Amount without(Amount less) {
            return new Amount(messages - less.messages, bytes - less.bytes);
        }

        static Amount of(PartitionBatch batch) {
            return new Amount(RecordBatch.count(batch.batch()), Filling.bytes(batch.batch()));
        }
    }

    private final Map<BranchId, Map<Integer, Amount>> byBranch = new HashMap<>();
    private final Map<Integer, Amount> byPartition = new HashMap<>();

    /** What batches have for each partition. */
    static Map<Integer, Amount> amounts(List<PartitionBatch> batches) {
        Map<Integer, Amount> amounts = new HashMap<>();
        batches.forEach(batch -> amounts.merge(batch.partition(), Amount.of(batch), Amount::and));
        return amounts;
    }

    /** The branch is prepared, or about to be; known already, it changes nothing. */
    void add(BranchId branch, List<PartitionBatch> batches) {
        if (!batches.isEmpty() && !byBranch.containsKey(branch)) {
            Map<Integer, Amount> amounts = amounts(batches);
            byBranch.put(branch, amounts);
            amounts.forEach((partition, amount) -> byPartition.merge(partition, amount, Amount::and));
        }
    }

    /** The branch has ended, or is about to; not known, it changes nothing. */
    void release(BranchId branch) {
        Map<Integer, Amount> amounts = byBranch.remove(branch);
        if (amounts != null) {
            amounts.forEach((partition, amount) -> byPartition.computeIfPresent(partition, (same, all) -> {
                Amount left = all.without(amount);
                return left.messages == 0 ? null : left;
            }));
        }
    }

    Amount of(int partition) {
        return byPartition.getOrDefault(partition, Amount.NONE);
    }
}
