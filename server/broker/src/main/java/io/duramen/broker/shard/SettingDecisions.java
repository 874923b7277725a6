package io.duramen.broker.shard;

import io.duramen.broker.BrokerConfig;
import io.duramen.broker.destination.Destination;
import io.duramen.broker.destination.DestinationSettings;
import io.duramen.broker.destination.RedeliveryPolicies;
import io.duramen.broker.destination.RedeliveryPolicy;
import io.duramen.broker.shard.ControlRecord.DestinationChanged;
import io.duramen.broker.shard.OperatorRequest.SettingEntry;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.replication.ReplicatedLog.Durability;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides, for operators, what holds for a destination in place of the node's settings: in the catalogue, which the other shards
 * follow as they follow definitions. Confined to the agent.
 */
final class SettingDecisions {
    private final ShardState state;
    private final Appender appender;
    private final Changes changes;
    private final Definitions definitions;
    private final RedeliveryPolicies policies;
    private final String expiryDestination;

    SettingDecisions(
            ShardState state, Appender appender, Changes changes, Definitions definitions, BrokerConfig config) {
        this.state = state;
        this.appender = appender;
        this.changes = changes;
        this.definitions = definitions;
        this.policies = state.dispatchContext().redelivery();
        this.expiryDestination = config.expiryDestination();
    }

    /**
     * Changes settings of a destination; those that are not named stay.
     *
     * @param wanted see {@link DestinationSettings#with}
     * @param after told once that is on disk, and every shard that it concerns has followed
     * @param again decides it anew, after a change that is on its way
     */
    void change(String name, String wanted, Appender.Waiter after, Runnable again) {
        String key = DestinationDecisions.key(name);
        if (changes.awaits(key, again)) {
            return;
        }
        Destination destination = find(name);
        DestinationSettings before = destination.settings();
        DestinationSettings settings = with(before, wanted);
        require(destination, settings);
        appender.requireRoomFor(0);
        DestinationChanged changed = new DestinationChanged(name, settings.text());
        Definitions.Elsewhere elsewhere = new Definitions.Elsewhere();
        definitions.shardsOf(destination).forEach(shard -> elsewhere.add(shard, changed));
        appender.addControl(changed, Durability.SYNCED);
        changes.begin(key, elsewhere, appender.onceDurable(after));
    }

    private Destination find(String name) {
        return state.catalogue
                .find(name)
                .filter(found -> !found.isLeaving())
                .orElseThrow(
                        () -> new ProtocolException(ErrorCode.DESTINATION_NOT_FOUND, "no destination '" + name + "'"));
    }

    private static DestinationSettings with(DestinationSettings before, String wanted) {
        try {
            return before.with(wanted);
        } catch (IllegalArgumentException e) {
            throw new ProtocolException(ErrorCode.INVALID_REQUEST, e.getMessage());
        }
    }

    private void require(Destination destination, DestinationSettings settings) {
        String name = destination.name();
        if (destination.kind().isTemporary()) {
            throw refusal(name, "a temporary destination has the node's settings, and goes with its connection");
        }
        boolean dead = destination.kind().isQueue() && policies.isDeadLetterQueue(name);
        if (dead && (settings.has(DestinationSettings.MAX) || settings.has(DestinationSettings.DEAD_LETTERS))) {
            throw refusal(name, "it is for dead letters, which have no maximum and go nowhere");
        }
        settings.value(DestinationSettings.DEAD_LETTERS).ifPresent(queue -> {
            if (!policies.isDeadLetterQueue(queue.replace("*", name))) {
                throw refusal(
                        name,
                        "'" + queue + "' is no queue for dead letters: broker.dead-letter-queue and"
                                + " broker.redelivery-of say which are");
            }
        });
        settings.value(DestinationSettings.EXPIRED).ifPresent(queue -> {
            if (!queue.equals(DestinationSettings.DROP)
                    && !queue.equals(expiryDestination)
                    && !policies.isDeadLetterQueue(queue)) {
                throw refusal(
                        name,
                        "what has expired can go to the queue of broker.expiry-destination, to one for dead letters, or, with '"
                                + DestinationSettings.DROP + "', nowhere; '" + queue + "' is none of these");
            }
        });
    }

    private static ProtocolException refusal(String name, String why) {
        return new ProtocolException(ErrorCode.INVALID_REQUEST, "'" + name + "' cannot have that: " + why);
    }

    /** What holds for a destination. */
    List<SettingEntry> settings(String name) {
        Destination destination = find(name);
        RedeliveryPolicy policy = policies.of(destination);
        List<SettingEntry> entries = new ArrayList<>();
        for (String key : DestinationSettings.KEYS) {
            entries.add(new SettingEntry(
                    key, value(destination, policy, key), destination.settings().has(key)));
        }
        return entries;
    }

    private String value(Destination destination, RedeliveryPolicy policy, String key) {
        DestinationSettings settings = destination.settings();
        return switch (key) {
            case DestinationSettings.MAX -> String.valueOf(policy.deliveriesMax());
            case "at-once" -> String.valueOf(policy.atOnce());
            case "delay" -> millis(policy.delayMillis());
            case "multiplier" -> String.valueOf(policy.multiplier());
            case "delay-max" -> millis(policy.delayMaxMillis());
            case DestinationSettings.DEAD_LETTERS -> policy.deadLetterQueue();
            case DestinationSettings.EXPIRED -> {
                String queue = settings.expiryQueue(expiryDestination);
                yield queue.isEmpty() ? DestinationSettings.DROP : queue;
            }
            case DestinationSettings.DEDUP_WINDOW ->
                millis(1000 * settings.dedupSeconds(state.dedup.limits().windowSeconds()));
            case DestinationSettings.DEDUP_IDS ->
                String.valueOf(settings.dedupIdsMax(state.dedup.limits().idsMax()));
            case DestinationSettings.KEEP,
                    DestinationSettings.KEEP_SIZE,
                    DestinationSettings.MAX_MESSAGES,
                    DestinationSettings.MAX_BYTES -> settings.value(key).orElse("");
            case DestinationSettings.WHEN_FULL -> settings.value(key).orElse(DestinationSettings.REFUSE);
            case DestinationSettings.ACKS -> settings.value(key).orElse(DestinationSettings.CLIENT);
            default -> throw new IllegalStateException(key);
        };
    }

    private static String millis(long millis) {
        long[] units = {86_400_000, 3_600_000, 60_000, 1000};
        String[] names = {"d", "h", "m", "s"};
        for (int i = 0; i < units.length; i++) {
            if (millis != 0 && millis % units[i] == 0) {
                return millis / units[i] + names[i];
            }
        }
        return millis + "ms";
    }
}
