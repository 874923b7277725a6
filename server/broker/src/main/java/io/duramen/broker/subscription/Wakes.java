package io.duramen.broker.subscription;

/**
 * What a partition calls on its subscription; on the shard's agent.
 *
 * @param onReady there may be something to hand out after bytes had to be fetched
 * @param onLeaving there is something that leaves for somewhere else
 */
record Wakes(Runnable onReady, Runnable onLeaving) {}
