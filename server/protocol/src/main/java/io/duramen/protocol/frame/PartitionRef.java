package io.duramen.protocol.frame;

/**
 * Where a partition lives.
 *
 * @param partition id, unique in its shard, from 1
 * @param shard number of the shard that carries it; addressed in every frame about it
 */
public record PartitionRef(int partition, int shard) {}
