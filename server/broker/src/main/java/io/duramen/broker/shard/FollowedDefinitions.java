package io.duramen.broker.shard;

import io.duramen.broker.destination.Destination;
import io.duramen.broker.shard.ControlRecord.DestinationCreated;
import io.duramen.broker.shard.ControlRecord.DestinationDeleted;
import io.duramen.broker.shard.ControlRecord.SubscriptionCreated;
import io.duramen.broker.shard.ControlRecord.SubscriptionDeleted;
import io.duramen.broker.shard.ShardMessage.Define;
import io.duramen.broker.shard.ShardMessage.DefineAll;
import io.duramen.broker.shard.ShardMessage.Defined;
import io.duramen.broker.subscription.Subscription;
import io.duramen.metadata.ShardImage.PartitionRow;
import io.duramen.protocol.ProtocolException;
import io.duramen.replication.ReplicatedLog.Durability;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Follows the catalogue in a shard that carries partitions of what stands there. What it is told a second time is there
 * already, by its id, and changes nothing. Confined to the agent.
 */
final class FollowedDefinitions {
    private final ShardPlace place;
    private final ShardState state;
    private final Appender appender;
    private boolean aligned;

    FollowedDefinitions(ShardPlace place, ShardState state, Appender appender) {
        this.place = place;
        this.state = state;
        this.appender = appender;
        this.aligned = place.hasCatalogue();
    }

    /** Whether it has had all definitions since this leadership began. */
    boolean isClear() {
        return aligned;
    }

    void follow(int from, Define told) {
        answer(from, told.number(), told.changes(), () -> {});
    }

    void follow(int from, DefineAll told) {
        List<ControlRecord> changes = new ArrayList<>();
        Map<String, DestinationCreated> wanted = new HashMap<>();
        told.destinations().forEach(created -> wanted.put(created.destination().name(), created));
        Set<Integer> subscriptions = new HashSet<>();
        told.subscriptions()
                .forEach(created -> subscriptions.add(created.subscription().subscription()));
        for (Subscription subscription : state.subscriptions.durables()) {
            int id = subscription.row().subscription();
            if (!subscription.row().name().isEmpty() && !subscriptions.contains(id)) {
                changes.add(new SubscriptionDeleted(id));
            }
        }
        for (Destination destination : state.catalogue.destinations()) {
            DestinationCreated created = wanted.get(destination.name());
            if (created == null || !isSame(destination, created)) {
                changes.add(new DestinationDeleted(destination.name()));
            }
        }
        changes.addAll(told.destinations());
        changes.addAll(told.subscriptions());
        answer(from, told.number(), changes, () -> aligned = true);
    }

    private static boolean isSame(Destination destination, DestinationCreated created) {
        List<Integer> ids = created.destination().partitions().stream()
                .map(PartitionRow::partition)
                .toList();
        return ids.equals(destination.places().stream()
                .map(partition -> partition.partition())
                .toList());
    }

    private void answer(int to, long number, List<ControlRecord> changes, Runnable then) {
        try {
            appender.requireRoomFor(0);
            append(changes);
        } catch (ProtocolException refusal) {
            place.others().tell(to, new Defined(number, Optional.of(refusal)));
            return;
        }
        appender.whenCommitted(new Appender.Waiter() {
            @Override
            public void reached() {
                then.run();
                place.others().tell(to, new Defined(number, Optional.empty()));
            }

            @Override
            public void failed(ProtocolException reason) {
                place.others().tell(to, new Defined(number, Optional.of(reason)));
            }
        });
    }

    private void append(List<ControlRecord> changes) {
        Set<String> going = new HashSet<>();
        Map<String, DestinationCreated> coming = new HashMap<>();
        for (ControlRecord change : changes) {
            if (change instanceof DestinationDeleted deleted) {
                Optional<Destination> found = state.catalogue.find(deleted.name());
                if (found.isPresent()) {
                    found.get().leave();
                    going.add(deleted.name());
                    appender.addControl(deleted, Durability.WRITTEN);
                }
            } else if (change instanceof DestinationCreated created) {
                String name = created.destination().name();
                if (state.catalogue.find(name).isEmpty() || going.contains(name)) {
                    coming.put(name, created);
                    appender.addControl(created, Durability.WRITTEN);
                }
            } else if (change instanceof SubscriptionDeleted deleted) {
                if (state.subscriptions.durable(deleted.subscription()) != null) {
                    appender.addControl(deleted, Durability.WRITTEN);
                }
            } else if (change instanceof SubscriptionCreated created) {
                create(created, coming);
            }
        }
    }

    /** Begins behind everything that this shard has appended so far, or where the destination does. */
    private void create(SubscriptionCreated created, Map<String, DestinationCreated> coming) {
        if (state.subscriptions.durable(created.subscription().subscription()) != null) {
            return;
        }
        String name = created.subscription().destination();
        List<ControlRecord.Start> starts = coming.containsKey(name)
                ? List.of()
                : state.catalogue
                        .find(name)
                        .map(DestinationDecisions::startsAtEnd)
                        .orElse(List.of());
        appender.addControl(new SubscriptionCreated(created.subscription(), starts), Durability.WRITTEN);
    }
}
