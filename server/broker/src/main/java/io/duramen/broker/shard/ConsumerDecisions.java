package io.duramen.broker.shard;

import io.duramen.broker.destination.Destination;
import io.duramen.broker.destination.Names;
import io.duramen.broker.selector.MessageFilter;
import io.duramen.broker.selector.Selector;
import io.duramen.broker.shard.ControlRecord.SubscriptionCreated;
import io.duramen.broker.shard.ControlRecord.SubscriptionDeleted;
import io.duramen.broker.shard.Subscriptions.Name;
import io.duramen.broker.subscription.Consumer;
import io.duramen.broker.subscription.Cursor;
import io.duramen.broker.subscription.Offsets;
import io.duramen.broker.subscription.PartitionDispatch;
import io.duramen.broker.subscription.Subscription;
import io.duramen.metadata.ShardImage.SubscriptionRow;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.Attach;
import io.duramen.protocol.frame.Attach.Backoff;
import io.duramen.protocol.frame.Attach.HeldDeliveries;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.Credit;
import io.duramen.protocol.frame.Detach;
import io.duramen.protocol.frame.OffsetRange;
import io.duramen.protocol.frame.Unsubscribe;
import io.duramen.replication.ReplicatedLog.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Decides on subscriptions and who takes part in them. Confined to the agent. */
final class ConsumerDecisions {
    private final ShardState state;
    private final Appender appender;
    private final Changes changes;
    private final DestinationDecisions destinations;
    private final SettleDecisions settling;
    private final Selecting selecting;
    private final Definitions definitions;
    private final int subscriptionsMax;
    private final int heldMax;
    private java.util.function.Consumer<Consumer> left = consumer -> {};

    ConsumerDecisions(
            ShardState state,
            Appender appender,
            Changes changes,
            DestinationDecisions destinations,
            SettleDecisions settling,
            Limits limits) {
        this.selecting = limits.selecting;
        this.definitions = destinations.definitions();
        this.state = state;
        this.appender = appender;
        this.changes = changes;
        this.destinations = destinations;
        this.settling = settling;
        this.subscriptionsMax = limits.subscriptionsMax;
        this.heldMax = limits.heldMax;
    }

    /** @param heldMax most deliveries that a returning consumer may hold */
    record Limits(int subscriptionsMax, int heldMax, Selecting selecting) {}

    void attach(ConnectionState connection, Reply reply, Attach.Request request, Runnable again) {
        selecting.check(request);
        requireBounded(request.held());
        requireValid(request.backoff());
        if (connection.has(request.consumerId())) {
            connection.forgetSpent();
        }
        connection.requireRoom();
        if (connection.has(request.consumerId())) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST, "consumer " + request.consumerId() + " is attached already");
        }
        Names.check("the destination name", request.destination(), ErrorCode.INVALID_DESTINATION_NAME);
        if (destinations.isChanging(request.destination())) {
            destinations.whenSettled(request.destination(), reply, again);
            return;
        }
        boolean queue = request.subscription() == SubscriptionKind.QUEUE;
        Destination destination = destinations.requireConsumable(connection, request.destination(), queue);
        Optional<Subscription> subscription = switch (request.subscription()) {
            case QUEUE -> Optional.of(state.subscriptions.ofQueue(destination.name()));
            case EXCLUSIVE -> Optional.of(addSoft(request, destination, ""));
            case SHARED -> Optional.of(shared(connection, request, destination));
            case DURABLE, SHARED_DURABLE -> durable(connection, reply, request, destination, again);
        };
        if (subscription.isEmpty()) {
            return;
        }
        if (isReturning(subscription.get(), request.held())) {
            // The end of the lost connection gives back what the client still has: it can hold it as soon as that is
            // done.
            changes.whenCommitted(reply, again);
            return;
        }
        join(connection, reply, request, subscription.get());
    }

    private static void requireValid(Backoff backoff) {
        if (!backoff.isValid()) {
            throw new ProtocolException(ErrorCode.INVALID_REQUEST, "redelivery is to wait as nothing can: " + backoff);
        }
    }

    private void requireBounded(List<HeldDeliveries> held) {
        long count = 0;
        for (HeldDeliveries partition : held) {
            count += Math.min(heldMax + 1L, Offsets.count(partition.ranges()));
        }
        if (count > heldMax) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST, "a consumer holds more than " + heldMax + " deliveries");
        }
    }

    private static boolean isReturning(Subscription subscription, List<HeldDeliveries> held) {
        for (HeldDeliveries deliveries : held) {
            PartitionDispatch partition = subscription.partition(deliveries.partition());
            if (partition == null || !partition.isReturning()) {
                continue;
            }
            for (OffsetRange range : deliveries.ranges()) {
                for (long offset = range.first(); offset <= range.last(); offset++) {
                    if (partition.isReturning(offset)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private void join(ConnectionState connection, Reply reply, Attach.Request request, Subscription subscription) {
        // A topic's subscription has the selector itself.
        boolean queue = request.subscription() == SubscriptionKind.QUEUE;
        MessageFilter filter = queue ? selecting.filter(request.selector()) : MessageFilter.ALL;
        Consumer consumer = subscription.attach(request.consumerId(), new ToClient(connection.connection()), filter);
        consumer.backsOff(request.backoff());
        connection.add(consumer);
        List<HeldDeliveries> lost = new ArrayList<>();
        for (HeldDeliveries held : request.held()) {
            hold(consumer, held).ifPresent(lost::add);
        }
        reply.succeed(new Attach.Response(lost));
        subscription.markDirty();
    }

    private Optional<HeldDeliveries> hold(Consumer consumer, HeldDeliveries held) {
        PartitionDispatch partition = consumer.subscription().partition(held.partition());
        if (partition == null) {
            return Optional.of(held);
        }
        Offsets lost = new Offsets();
        for (OffsetRange range : held.ranges()) {
            for (long offset = range.first(); offset <= range.last(); offset++) {
                if (!partition.hold(consumer, offset)) {
                    lost.add(offset);
                }
            }
        }
        return lost.isEmpty() ? Optional.empty() : Optional.of(new HeldDeliveries(held.partition(), lost.toRanges()));
    }

    private Subscription addSoft(Attach.Request request, Destination destination, String clientId) {
        SubscriptionRow row = new SubscriptionRow(
                state.subscriptions.takeSoftId(),
                destination.name(),
                clientId,
                request.subscriptionName(),
                request.subscription().ordinal(),
                Selector.normalized(request.selector()),
                request.noLocal());
        Subscription subscription = new Subscription(
                row,
                destination,
                selecting.soft(request),
                state.dispatchContext(),
                partition -> new Cursor(DestinationDecisions.startAtEnd(partition)));
        state.subscriptions.add(subscription);
        state.pause(subscription);
        return subscription;
    }

    private Subscription shared(ConnectionState connection, Attach.Request request, Destination destination) {
        Name name = name(connection, request.subscriptionName());
        Optional<Subscription> found = state.subscriptions.shared(name);
        if (found.isPresent()) {
            if (!matches(found.get(), request, destination)) {
                throw inUse(name);
            }
            return found.get();
        }
        return addSoft(request, destination, name.clientId());
    }

    /** Empty where the definition has to be committed first; the request is then decided anew. */
    private Optional<Subscription> durable(
            ConnectionState connection, Reply reply, Attach.Request request, Destination destination, Runnable again) {
        Name name = name(connection, request.subscriptionName());
        if (request.subscription() == SubscriptionKind.DURABLE
                && name.clientId().isEmpty()) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST, "an unshared durable subscription needs a client id");
        }
        if (changes.isUnsettled(key(name))) {
            changes.whenSettled(key(name), reply, again);
            return Optional.empty();
        }
        Optional<Subscription> found = state.subscriptions.durable(name);
        if (found.isPresent() && matches(found.get(), request, destination)) {
            if (request.subscription() == SubscriptionKind.DURABLE
                    && found.get().isActive()) {
                throw inUse(name);
            }
            return found;
        }
        if (!destinations.hasCatalogue()) {
            throw new ProtocolException(
                    ErrorCode.SUBSCRIPTION_NOT_FOUND,
                    "the durable subscription '" + name.name() + "' is not, or no longer, what the consumer asks for");
        }
        appender.requireRoomFor(0);
        Definitions.Elsewhere elsewhere = new Definitions.Elsewhere();
        if (found.isPresent()) {
            requireReplaceable(found.get(), request, name);
            delete(found.get(), elsewhere);
        } else if (state.subscriptions.namedDurables() + changes.size() >= subscriptionsMax) {
            throw new ProtocolException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "broker.subscriptions-max (" + subscriptionsMax + ") durable subscriptions exist");
        }
        SubscriptionRow row = new SubscriptionRow(
                destinations.takeSubscriptionId(),
                destination.name(),
                name.clientId(),
                name.name(),
                request.subscription().ordinal(),
                Selector.normalized(request.selector()),
                request.noLocal());
        appender.addControl(
                new SubscriptionCreated(row, DestinationDecisions.startsAtEnd(destination)), Durability.SYNCED);
        definitions
                .shardsOf(destination)
                .forEach(shard -> elsewhere.add(shard, new SubscriptionCreated(row, List.of())));
        changes.begin(key(name), elsewhere, reply, again);
        return Optional.empty();
    }

    private void delete(Subscription subscription, Definitions.Elsewhere elsewhere) {
        SubscriptionDeleted deleted = new SubscriptionDeleted(subscription.row().subscription());
        appender.addControl(deleted, Durability.SYNCED);
        definitions.shardsOf(subscription.destination()).forEach(shard -> elsewhere.add(shard, deleted));
    }

    private static boolean matches(Subscription found, Attach.Request request, Destination destination) {
        return found.kind() == request.subscription()
                && found.destination() == destination
                && Selecting.matches(found.row(), request);
    }

    /**
     * A subscription without consumers may be replaced by one on another topic or with another selector or noLocal, but
     * not by one of the other kind (sections 8.3.3 and 8.3.4).
     */
    private static void requireReplaceable(Subscription found, Attach.Request request, Name name) {
        if (found.kind() != request.subscription()) {
            throw new ProtocolException(
                    ErrorCode.SUBSCRIPTION_IN_USE,
                    "the durable subscription '" + name.name() + "' is "
                            + (found.kind() == SubscriptionKind.DURABLE ? "unshared" : "shared"));
        }
        if (found.isActive()) {
            throw inUse(name);
        }
    }

    private static ProtocolException inUse(Name name) {
        return new ProtocolException(
                ErrorCode.SUBSCRIPTION_IN_USE, "the subscription '" + name.name() + "' has an active consumer");
    }

    private static Name name(ConnectionState connection, String name) {
        Names.check("the subscription name", name, ErrorCode.INVALID_REQUEST);
        return new Name(connection.connection().clientId().orElse(""), name);
    }

    /** Under which changes of a durable subscription are on their way. */
    static String key(Name name) {
        return "subscription " + name.clientId() + '\n' + name.name();
    }

    void credit(ConnectionState connection, Credit.Push push) {
        if (!connection.has(push.consumerId())) {
            return;
        }
        Consumer consumer = connection.consumer(push.consumerId());
        consumer.seen(push.seen());
        Subscription subscription = consumer.subscription();
        if (push.drain() && state.branches.isCommitting()) {
            appender.hurry();
            if (subscription.holdDrains()) {
                letDrainsGoOnceCommitted(subscription);
            }
        }
        consumer.grant(push.messages(), push.bytes(), push.drain());
        subscription.markDirty();
    }

    private void letDrainsGoOnceCommitted(Subscription subscription) {
        appender.whenCommitted(new Appender.Waiter() {
            @Override
            public void reached() {
                if (subscription.letDrainsGo()) {
                    letDrainsGoOnceCommitted(subscription);
                }
            }

            @Override
            public void failed(ProtocolException reason) {
                while (subscription.letDrainsGo()) {
                    // nothing is on its way any more
                }
            }
        });
    }

    void detach(ConnectionState connection, Reply reply, Detach.Request request) {
        Consumer consumer = connection.consumer(request.consumerId());
        consumer.seen(request.seen());
        leave(consumer, !request.keepSeen());
        connection.forgetSpent();
        reply.succeed(new Detach.Response());
    }

    /** The connection is gone, and with it its consumers. */
    void disconnected(ConnectionState connection, boolean clean) {
        for (Consumer consumer : connection.consumers()) {
            if (!clean) {
                consumer.assumeNextSeen();
            }
            leave(consumer, true);
        }
    }

    /** Has a consumer leave as if its connection had broken: what its application may have seen comes again counted. */
    void cutOff(ConnectionState connection, Consumer consumer) {
        consumer.assumeNextSeen();
        leave(consumer, true);
        connection.forgetSpent();
    }

    /** @param listener told of each consumer that has left */
    void onLeft(java.util.function.Consumer<Consumer> listener) {
        left = listener;
    }

    private void leave(Consumer consumer, boolean giveBackSeen) {
        Subscription subscription = consumer.subscription();
        subscription.detach(consumer);
        for (PartitionDispatch partition : subscription.partitions()) {
            Offsets seen = new Offsets();
            partition.releaseUnseen(consumer, seen);
            if (giveBackSeen) {
                settling.giveBackSeen(consumer, partition, seen);
            }
        }
        if (!subscription.isDurable() && !subscription.isActive()) {
            state.subscriptions.remove(subscription);
        }
        subscription.markDirty();
        left.accept(consumer);
    }

    void unsubscribe(ConnectionState connection, Reply reply, Unsubscribe.Request request, Runnable again) {
        Name name = name(connection, request.subscriptionName());
        if (changes.isUnsettled(key(name))) {
            changes.whenSettled(key(name), reply, again);
            return;
        }
        Subscription subscription = state.subscriptions
                .durable(name)
                .orElseThrow(() -> new ProtocolException(
                        ErrorCode.SUBSCRIPTION_NOT_FOUND, "no durable subscription '" + name.name() + "'"));
        if (subscription.isActive()) {
            throw inUse(name);
        }
        appender.requireWritable();
        Definitions.Elsewhere elsewhere = new Definitions.Elsewhere();
        delete(subscription, elsewhere);
        changes.begin(key(name), elsewhere, Appender.answer(reply, new Unsubscribe.Response()));
    }
}
