package io.duramen.metadata;

/**
 * How far a shard's hard state has come.
 *
 * @param appliedIndex index of the last log entry whose effects are in the state; 0 for none
 * @param appliedEpoch epoch of that entry
 * @param nextLogOffset offset in the shard log of the record after it
 * @param logTimeMillis timestamp of that entry: the shard's notion of now
 * @param nextPartition the id that the next partition gets
 * @param nextSubscription the id that the next durable subscription gets
 */
public record ShardHead(
        int shard,
        long appliedIndex,
        long appliedEpoch,
        long nextLogOffset,
        long logTimeMillis,
        int nextPartition,
        int nextSubscription) {}
