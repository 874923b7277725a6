package io.duramen.broker.shard;

import io.duramen.broker.destination.Destination;
import io.duramen.broker.shard.ControlRecord.DeliveryPaused;
import io.duramen.broker.shard.ControlRecord.DestinationChanged;
import io.duramen.broker.shard.ControlRecord.DestinationCreated;
import io.duramen.broker.shard.ControlRecord.DestinationDeleted;
import io.duramen.broker.shard.ControlRecord.PartitionsAdded;
import io.duramen.broker.shard.ControlRecord.SubscriptionCreated;
import io.duramen.broker.shard.ControlRecord.SubscriptionDeleted;
import io.duramen.broker.shard.ShardMessage.Define;
import io.duramen.broker.shard.ShardMessage.DefineAll;
import io.duramen.broker.shard.ShardMessage.Defined;
import io.duramen.broker.subscription.Subscription;
import io.duramen.metadata.ShardImage.PartitionRow;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.replication.ReplicatedLog.Durability;
import io.duramen.runtime.Clock;
import io.duramen.runtime.Invariant;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Follows the catalogue in a shard that carries partitions of what stands there. What it is told a second time is there
 * already, by its id, and changes nothing. Where the disk has no room for it, it waits until there is: the catalogue has it
 * on disk, and it must not stay in one shard alone. Confined to the agent.
 */
final class FollowedDefinitions {
    private static final Duration RETRY = Duration.ofMillis(100);

    private final ShardPlace place;
    private final ShardState state;
    private final Appender appender;
    private final Clock clock;

    /** For which the disk has no room, or that wait for those before them to be committed; in their order. */
    private final ArrayDeque<Told> postponed = new ArrayDeque<>();

    private long retryNanos;

    /** Whether one is appended and not yet committed: what is missing can be told only behind it. */
    private boolean appending;

    private boolean aligned;

    /** @param changes worked out when it is their turn */
    private record Told(int by, long number, Supplier<List<ControlRecord>> changes, Runnable then) {}

    FollowedDefinitions(ShardPlace place, ShardState state, Appender appender, Clock clock) {
        this.place = place;
        this.state = state;
        this.appender = appender;
        this.clock = clock;
        this.aligned = place.hasCatalogue();
    }

    /** Whether it has had all definitions since this leadership began. */
    boolean isClear() {
        return aligned;
    }

    void follow(int from, Define told) {
        follow(new Told(from, told.number(), told::changes, () -> {}));
    }

    void follow(int from, DefineAll told) {
        follow(new Told(from, told.number(), () -> changes(told), () -> aligned = true));
    }

    private void follow(Told told) {
        postponed.add(told);
        if (postponed.size() == 1) {
            goOn();
        }
    }

    /** Tries again what the disk had no room for. */
    int retry() {
        if (appending || postponed.isEmpty() || clock.nanos() - retryNanos < 0) {
            return 0;
        }
        int before = postponed.size();
        goOn();
        return before - postponed.size();
    }

    long deadlineNanos() {
        return appending || postponed.isEmpty() ? Long.MAX_VALUE : retryNanos;
    }

    private void goOn() {
        while (!appending && !postponed.isEmpty()) {
            try {
                append(postponed.peek().changes.get());
            } catch (ProtocolException refusal) {
                if (appender.isWritable()) {
                    retryNanos = clock.nanos() + RETRY.toNanos();
                    return;
                }
                Told told = postponed.poll();
                place.others().tell(told.by, new Defined(told.number, Optional.of(refusal)));
                continue;
            }
            appending = true;
            answer(postponed.poll());
        }
    }

    private List<ControlRecord> changes(DefineAll told) {
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
            if (created == null || isAnother(destination, created)) {
                changes.add(new DestinationDeleted(destination.name()));
            } else {
                changes.add(new PartitionsAdded(
                        destination.name(), created.destination().partitions()));
            }
        }
        changes.addAll(told.destinations());
        changes.addAll(told.subscriptions());
        for (Pauses.Paused here : state.pauses.all()) {
            changes.add(new DeliveryPaused(here.destination(), here.subscription(), false));
        }
        List<DeliveryPaused> pauses = told.besides().pauses();
        changes.removeIf(change -> change instanceof DeliveryPaused over
                && pauses.contains(new DeliveryPaused(over.destination(), over.subscription(), true)));
        changes.addAll(pauses);
        Set<String> changed = new HashSet<>();
        told.besides().changed().forEach(one -> changed.add(one.name()));
        for (ChangedSettings.Changed here : state.settings.all()) {
            if (!changed.contains(here.destination())) {
                changes.add(new DestinationChanged(here.destination(), ""));
            }
        }
        changes.addAll(told.besides().changed());
        return changes;
    }

    /**
     * Whether the one here was deleted in the catalogue, and another of its name was made since: no partition is in both.
     * Else it stays, and gets what it lacks. Where it has more, the catalogue's log has lost what it had on disk: then, too,
     * nothing of it is this shard's to delete.
     */
    private static boolean isAnother(Destination destination, DestinationCreated created) {
        List<Integer> here =
                destination.places().stream().map(PartitionRef::partition).toList();
        List<Integer> wanted = created.destination().partitions().stream()
                .map(PartitionRow::partition)
                .toList();
        if (Collections.disjoint(here, wanted)) {
            return true;
        }
        int common = Math.min(here.size(), wanted.size());
        Invariant.hold(
                here.subList(0, common).equals(wanted.subList(0, common)),
                "'%s' has the partitions %s here, where the catalogue has %s: nothing of it is deleted, and the shard stops",
                destination.name(),
                here,
                wanted);
        return false;
    }

    private void answer(Told told) {
        appender.whenCommitted(new Appender.Waiter() {
            @Override
            public void reached() {
                told.then.run();
                answered(told, Optional.empty());
            }

            @Override
            public void failed(ProtocolException reason) {
                answered(told, Optional.of(reason));
            }
        });
    }

    private void answered(Told told, Optional<ProtocolException> refusal) {
        place.others().tell(told.by, new Defined(told.number, refusal));
        appending = false;
        goOn();
    }

    private void append(List<ControlRecord> changes) {
        List<ControlRecord> news = news(changes);
        if (news.isEmpty()) {
            return;
        }
        appender.requireRoomFor(0);
        for (ControlRecord change : news) {
            if (change instanceof DestinationDeleted deleted) {
                state.catalogue.find(deleted.name()).orElseThrow().leave();
            }
            appender.addControl(change, Durability.WRITTEN);
        }
    }

    /** What of it is not there yet. */
    private List<ControlRecord> news(List<ControlRecord> changes) {
        List<ControlRecord> news = new ArrayList<>();
        Set<String> going = new HashSet<>();
        Map<String, DestinationCreated> coming = new HashMap<>();
        for (ControlRecord change : changes) {
            if (change instanceof DestinationDeleted deleted) {
                if (state.catalogue.find(deleted.name()).isPresent()) {
                    going.add(deleted.name());
                    news.add(deleted);
                }
            } else if (change instanceof DestinationCreated created) {
                String name = created.destination().name();
                if (state.catalogue.find(name).isEmpty() || going.contains(name)) {
                    coming.put(name, created);
                    news.add(created);
                }
            } else if (change instanceof PartitionsAdded added) {
                missing(added, going).ifPresent(news::add);
            } else if (change instanceof DeliveryPaused paused) {
                if (isNews(paused, going)) {
                    news.add(paused);
                }
            } else if (change instanceof DestinationChanged changed) {
                // What was changed here goes with its destination.
                String here = going.contains(changed.name()) ? "" : state.settings.of(changed.name());
                if (!here.equals(changed.settings())) {
                    news.add(changed);
                }
            } else if (change instanceof SubscriptionDeleted deleted) {
                if (state.subscriptions.durable(deleted.subscription()) != null) {
                    news.add(deleted);
                }
            } else if (change instanceof SubscriptionCreated created
                    && state.subscriptions.durable(created.subscription().subscription()) == null) {
                news.add(create(created, coming));
            }
        }
        return news;
    }

    /** What is paused here goes with its destination. */
    private boolean isNews(DeliveryPaused paused, Set<String> going) {
        boolean here =
                state.pauses.has(paused.destination(), paused.subscription()) && !going.contains(paused.destination());
        return here != paused.paused();
    }

    /** What of it a destination that stays has not got yet. */
    private Optional<PartitionsAdded> missing(PartitionsAdded added, Set<String> going) {
        if (going.contains(added.name())) {
            return Optional.empty();
        }
        Set<Integer> there = new HashSet<>();
        state.catalogue
                .find(added.name())
                .ifPresent(destination -> destination.places().forEach(partition -> there.add(partition.partition())));
        Invariant.hold(!there.isEmpty(), "'%s' gets partitions in a shard that does not know it", added.name());
        List<PartitionRow> rows = added.partitions().stream()
                .filter(row -> !there.contains(row.partition()))
                .toList();
        return rows.isEmpty() ? Optional.empty() : Optional.of(new PartitionsAdded(added.name(), rows));
    }

    /** Begins behind everything that this shard has appended so far, or where the destination does. */
    private SubscriptionCreated create(SubscriptionCreated created, Map<String, DestinationCreated> coming) {
        String name = created.subscription().destination();
        List<ControlRecord.Start> starts = coming.containsKey(name)
                ? List.of()
                : state.catalogue
                        .find(name)
                        .map(DestinationDecisions::startsAtEnd)
                        .orElse(List.of());
        return new SubscriptionCreated(created.subscription(), starts);
    }
}
