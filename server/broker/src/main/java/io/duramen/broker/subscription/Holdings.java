package io.duramen.broker.subscription;

/**
 * What a subscription keeps in memory of messages that nobody holds.
 *
 * @param ready messages that were looked at and may be handed out, or wait for one consumer
 * @param timers delivery and expiration times
 * @param groups message groups that are remembered
 */
public record Holdings(int ready, int timers, int groups) {
    Holdings plus(Holdings other) {
        return new Holdings(ready + other.ready, timers + other.timers, groups + other.groups);
    }
}
