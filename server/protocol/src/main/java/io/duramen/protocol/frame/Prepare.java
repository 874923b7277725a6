package io.duramen.protocol.frame;

import java.util.List;

/**
 * Stores all that a branch of a distributed transaction holds, so that it can be committed or rolled back by
 * {@link EndBranch} from any connection, whatever happens meanwhile. Nothing of it is seen before: its messages are in
 * no destination, its settlements keep their deliveries from everyone. Answered when it is as durable as
 * {@link Publish.Acks#ALL} asks for. A repeat is answered as the first was and changes nothing;
 * another branch of the same name is refused.
 */
public interface Prepare {
    /** @param batches and settlements and others as in {@link Commit.Request}; the shard addressed ends and lists it */
    record Request(
            int shard,
            BranchId branch,
            List<Commit.PartitionBatch> batches,
            List<Commit.ConsumerSettlement> settlements,
            List<Commit.ShardPart> others)
            implements ForShard {
        /** Of one shard alone. */
        public Request(
                int shard,
                BranchId branch,
                List<Commit.PartitionBatch> batches,
                List<Commit.ConsumerSettlement> settlements) {
            this(shard, branch, batches, settlements, List.of());
        }
    }

    record Response() {}
}
