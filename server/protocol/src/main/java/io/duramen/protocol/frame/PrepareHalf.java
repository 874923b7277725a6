package io.duramen.protocol.frame;

import java.util.List;

/**
 * Stores half messages: whole, on disk, and seen by nobody until {@link EndHalf} confirms them. Where that does not come, those
 * who wait by {@link AwaitChecks} for the same group are asked. Answered when it is as durable as {@link Publish.Acks#ALL} asks
 * for. A repeat is answered as the first was and changes nothing. Without batches it stores nothing and is answered once the
 * node is ready for half messages: a sender says so first, to the shard with the catalogue.
 */
public interface PrepareHalf {
    /**
     * @param group whose checkers know what became of it
     * @param checkAfterMillis how long its sender may take before anybody is asked; 0 for the node's own time
     * @param batches as in {@link Commit.Request}; none to get ready
     */
    record Request(int shard, HalfId id, String group, long checkAfterMillis, List<Commit.PartitionBatch> batches)
            implements ForShard {}

    record Response() {}
}
