package io.duramen.broker.shard;

import io.duramen.broker.destination.Destination;
import io.duramen.broker.shard.ControlRecord.DeliveryPaused;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.replication.ReplicatedLog.Durability;

/**
 * Decides, for operators, what is paused: in the catalogue, which the other shards follow as they follow definitions. Confined
 * to the agent.
 */
final class PauseDecisions {
    private final ShardState state;
    private final Appender appender;
    private final Changes changes;
    private final Definitions definitions;

    PauseDecisions(ShardState state, Appender appender, Changes changes, Definitions definitions) {
        this.state = state;
        this.appender = appender;
        this.changes = changes;
        this.definitions = definitions;
    }

    /**
     * Pauses the delivery of a destination, or of one of its subscriptions, or has it go on.
     *
     * @param after told once that is on disk, and every shard that it concerns has followed
     * @param again decides it anew, after a change that is on its way
     */
    void pause(DeliveryPaused wanted, Appender.Waiter after, Runnable again) {
        String name = wanted.destination();
        String key = DestinationDecisions.key(name);
        if (changes.awaits(key, again)) {
            return;
        }
        Destination destination = state.catalogue
                .find(name)
                .orElseThrow(
                        () -> new ProtocolException(ErrorCode.DESTINATION_NOT_FOUND, "no destination '" + name + "'"));
        appender.requireWritable();
        Definitions.Elsewhere elsewhere = new Definitions.Elsewhere();
        definitions.shardsOf(destination).forEach(shard -> elsewhere.add(shard, wanted));
        appender.addControl(wanted, Durability.SYNCED);
        changes.begin(key, elsewhere, appender.onceDurable(after));
    }
}
