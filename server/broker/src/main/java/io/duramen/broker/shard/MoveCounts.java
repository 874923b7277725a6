package io.duramen.broker.shard;

/**
 * Messages that a shard has moved to other queues since it was started. Immutable.
 *
 * @param expired to the queue for those
 * @param spent to dead letters, since they were delivered as often as they may be
 * @param refused to dead letters, since a consumer refused them
 */
public record MoveCounts(long expired, long spent, long refused) {}
