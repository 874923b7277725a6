package io.duramen.protocol.frame;

/**
 * Where a partition lives.
 *
 * @param partition id, unique in the node, from 1, never given twice
 * @param shard number of the shard that carries it; addressed in every frame about it
 */
public record PartitionRef(int partition, int shard) {}
