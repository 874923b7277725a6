package io.duramen.broker.shard;

import io.duramen.broker.BrokerConfig;
import io.duramen.broker.destination.Destination;
import io.duramen.broker.destination.Names;
import io.duramen.broker.destination.Partition;
import io.duramen.broker.destination.Placement;
import io.duramen.broker.shard.ControlRecord.DestinationCreated;
import io.duramen.broker.shard.ControlRecord.DestinationDeleted;
import io.duramen.broker.shard.ControlRecord.PartitionsAdded;
import io.duramen.broker.subscription.Subscription;
import io.duramen.broker.transaction.PreparedBranch;
import io.duramen.metadata.ShardImage.DestinationRow;
import io.duramen.metadata.ShardImage.PartitionRow;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.CreateTemporary;
import io.duramen.protocol.frame.DeleteDestination;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.ForShard;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.protocol.frame.ResolveDestination;
import io.duramen.replication.ReplicatedLog.Durability;
import io.duramen.runtime.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides on destinations: found, created on first use, made for a connection, deleted. A request whose change is not
 * committed yet is decided anew when it is. Confined to the agent.
 */
final class DestinationDecisions {
    private static final Logger LOG = LoggerFactory.getLogger(DestinationDecisions.class);

    private final BrokerConfig config;
    private final Placing placing;
    private final Definitions definitions;
    private final boolean hasCatalogue;
    private final Predicate<String> everywhere;
    private final Clock clock;
    private final ShardState state;
    private final Appender appender;
    private final Changes changes;
    private final Growth growth;

    private final Map<String, ConnectionState> temporaryOwners = new HashMap<>();

    /** Temporary destinations whose connection was lost, and when they go unless the client comes back; soonest first. */
    private final LinkedHashMap<String, Long> orphans = new LinkedHashMap<>();

    private int nextPartition;
    private int nextSubscription;

    /** Where destinations go, and who has to know. */
    record Places(ShardPlace here, Placement placement, Definitions definitions) {}

    DestinationDecisions(
            Places places, BrokerConfig config, Clock clock, ShardState state, Appender appender, Changes changes) {
        this.definitions = places.definitions;
        this.hasCatalogue = places.here.hasCatalogue();
        this.config = config;
        this.everywhere = config.everywhere();
        this.clock = clock;
        this.state = state;
        this.appender = appender;
        this.changes = changes;
        this.placing = new Placing(places, config, state);
        this.growth = new Growth(places, everywhere, state, appender, changes);
    }

    /** Clients of the process before may come back from now on, not while other shards still replayed their logs. */
    void expectOwners() {
        if (!hasCatalogue) {
            return;
        }
        for (Destination destination : state.catalogue.destinations()) {
            if (destination.kind().isTemporary()) {
                orphanUnlessOwned(destination.name());
            }
        }
    }

    void resolve(Reply reply, ResolveDestination.Request request, Runnable again) {
        Names.check("the destination name", request.name(), ErrorCode.INVALID_DESTINATION_NAME);
        if (isChanging(request.name())) {
            changes.whenSettled(key(request.name()), reply, again);
            return;
        }
        Optional<Destination> found = state.catalogue.find(request.name());
        if (found.isPresent()) {
            requireKind(found.get(), request.kind().isQueue());
            reply.succeed(describe(found.get()));
            return;
        }
        if (!request.create() || request.kind().isTemporary() || request.name().startsWith(Names.TEMPORARY_PREFIX)) {
            throw new ProtocolException(ErrorCode.DESTINATION_NOT_FOUND, "no destination '" + request.name() + "'");
        }
        if (!config.autoCreate()) {
            throw new ProtocolException(
                    ErrorCode.DESTINATION_NOT_FOUND,
                    "no destination '" + request.name() + "', and broker.auto-create is false");
        }
        create(
                request.name(),
                request.kind(),
                0,
                placing.usual(request.name(), request.kind(), replicas(request)),
                again(reply, again));
    }

    private static int replicas(ResolveDestination.Request request) {
        if (request.replicas() < 0 || request.replicas() > Placement.REPLICAS_MAX) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST,
                    request.replicas() + " replicas: 1 to " + Placement.REPLICAS_MAX
                            + " are allowed, or 0 for what the settings say");
        }
        return request.replicas();
    }

    void createTemporary(ConnectionState connection, Reply reply, CreateTemporary.Request request, Runnable again) {
        Names.check("the destination name", request.name(), ErrorCode.INVALID_DESTINATION_NAME);
        if (!request.kind().isTemporary() || !request.name().startsWith(Names.TEMPORARY_PREFIX)) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST,
                    "a temporary destination has a temporary kind and a name that begins with "
                            + Names.TEMPORARY_PREFIX);
        }
        if (isChanging(request.name())) {
            changes.whenSettled(key(request.name()), reply, again);
            return;
        }
        Optional<Destination> found = state.catalogue.find(request.name());
        if (found.isPresent()) {
            if (found.get().kind() != request.kind() || found.get().incarnation() != request.incarnation()) {
                throw new ProtocolException(
                        ErrorCode.INVALID_REQUEST, "'" + request.name() + "' belongs to another client");
            }
            own(connection, request.name());
            reply.succeed(describe(found.get()));
        } else {
            List<Integer> places = placing.usual(request.name(), request.kind(), 0);
            create(request.name(), request.kind(), request.incarnation(), places, again(reply, () -> {
                again.run();
                orphanUnlessOwned(request.name());
            }));
        }
    }

    /** Unless a newer connection of the client has it already: this request was read late from the one it gave up. */
    private void own(ConnectionState connection, String name) {
        ConnectionState before = temporaryOwners.get(name);
        if (before != null && before.connection().id() > connection.connection().id()) {
            return;
        }
        if (before != null && before != connection) {
            before.temporaries().remove(name);
        }
        temporaryOwners.put(name, connection);
        connection.temporaries().add(name);
        orphans.remove(name);
    }

    /** Its connection may be gone by the time that its creation is committed. */
    private void orphanUnlessOwned(String name) {
        if (!temporaryOwners.containsKey(name) && state.catalogue.find(name).isPresent()) {
            orphan(name);
        }
    }

    Definitions definitions() {
        return definitions;
    }

    /** Whether definitions are decided here. */
    boolean hasCatalogue() {
        return hasCatalogue;
    }

    /** Whether a destination of this name is being created or deleted, or that failed. */
    boolean isChanging(String name) {
        return changes.isUnsettled(key(name));
    }

    /** See {@link Changes#failure}. */
    Optional<ProtocolException> failure(String name) {
        return changes.failure(key(name));
    }

    /** Decides a request anew once the change of a destination, see {@link #isChanging}, is committed. */
    void whenSettled(String name, Reply reply, Runnable again) {
        changes.whenSettled(key(name), reply, again);
    }

    /** Makes a queue that no client asked for; {@code done} runs once it is there, or the log has stopped. */
    void createQueue(String name, Runnable done) {
        Names.check("the destination name", name, ErrorCode.INVALID_DESTINATION_NAME);
        if (!hasCatalogue) {
            definitions.want(name, done);
            return;
        }
        Optional<ProtocolException> failure = failure(name);
        if (failure.isPresent()) {
            throw failure.get();
        }
        if (isChanging(name)) {
            changes.whenSettled(key(name), done);
            return;
        }
        Appender.Waiter after = new Appender.Waiter() {
            @Override
            public void reached() {
                done.run();
            }

            @Override
            public void failed(ProtocolException reason) {
                done.run();
            }
        };
        Optional<Destination> found = state.catalogue.find(name);
        if (found.isPresent()) {
            requireKind(found.get(), true);
            addPartitions(found.get(), after);
        } else {
            create(name, DestinationKind.QUEUE, 0, placing.everywhere(), after);
        }
    }

    /**
     * Makes a destination for an operator.
     *
     * @param partitions 0 for what the settings say
     * @param after told once every shard that it concerns has followed
     * @param again decides it anew, after a change that is on its way
     */
    void create(String name, DestinationKind kind, int partitions, Appender.Waiter after, Runnable again) {
        Names.check("the destination name", name, ErrorCode.INVALID_DESTINATION_NAME);
        if (kind.isTemporary() || name.startsWith(Names.TEMPORARY_PREFIX)) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST,
                    "a temporary destination, or one whose name begins with " + Names.TEMPORARY_PREFIX
                            + ", is made by a connection");
        }
        if (partitions < 0 || partitions > Placement.PARTITIONS_MAX) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST,
                    partitions + " partitions: 1 to " + Placement.PARTITIONS_MAX
                            + " are allowed, or 0 for what the settings say");
        }
        Optional<ProtocolException> failure = failure(name);
        if (failure.isPresent()) {
            throw failure.get();
        }
        if (isChanging(name)) {
            changes.whenSettled(key(name), again);
            return;
        }
        state.catalogue.find(name).ifPresent(there -> {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST, "there is a " + there.kind() + " '" + name + "' already");
        });
        List<Integer> places = partitions == 0 ? placing.usual(name, kind, 0) : placing.place(name, partitions, 0);
        create(name, kind, 0, places, after);
    }

    /** Gives a queue a partition in each shard that has none of it. */
    private void addPartitions(Destination queue, Appender.Waiter after) {
        Set<Integer> missing = new TreeSet<>(placing.everywhere());
        queue.places().forEach(place -> missing.remove(place.shard()));
        if (missing.contains(ForShard.CATALOGUE)
                && state.subscriptions.of(queue.name()).stream().anyMatch(Subscription::isActive)) {
            throw new ProtocolException(
                    ErrorCode.DESTINATION_IN_USE,
                    "'" + queue.name() + "' has consumers, and no partition in the first shard: it gets one at the next"
                            + " start");
        }
        appender.requireRoomFor(0);
        List<PartitionRow> rows = rows(List.copyOf(missing));
        Definitions.Elsewhere elsewhere = definitions.created(new DestinationCreated(
                new DestinationRow(queue.name(), queue.kind().ordinal(), queue.incarnation(), rows),
                state.subscriptions.ofQueue(queue.name()).row().subscription()));
        appender.addControl(new PartitionsAdded(queue.name(), rows), Durability.SYNCED);
        changes.begin(key(queue.name()), elsewhere, after);
    }

    /**
     * Starts a leadership of the catalogue: queues that the broker moves messages to get a partition in every shard, also in
     * those that are new, before anyone uses them.
     */
    void spread() {
        int shards = placing.everywhere().size();
        List<String> names = state.catalogue.destinations().stream()
                .filter(queue -> queue.kind().isQueue() && everywhere.test(queue.name()))
                .filter(queue -> queue.places().stream()
                                .map(PartitionRef::shard)
                                .distinct()
                                .count()
                        < shards)
                .map(Destination::name)
                .collect(Collectors.toCollection(ArrayList::new));
        String expired = config.expiryDestination();
        if (!expired.isEmpty() && state.catalogue.find(expired).isEmpty()) {
            names.add(expired);
        }
        for (String name : names) {
            try {
                createQueue(name, () -> {});
            } catch (ProtocolException refusal) {
                LOG.warn("Queue '{}' cannot be had in every shard: {}", name, refusal.getMessage());
            }
        }
    }

    /** As {@link #spread}: destinations get the partitions that settings ask for beyond those they have. */
    void grow() {
        growth.begin(this::rows);
    }

    /**
     * Gives a destination further partitions for an operator, while it is used.
     *
     * @param partitions how many it has then
     * @param after told once every shard that gets some has them
     * @param again decides it anew, after a change that is on its way
     */
    void grow(String name, int partitions, Appender.Waiter after, Runnable again) {
        Optional<Destination> found = settled(name, again);
        if (found.isPresent()) {
            growth.grow(found.get(), partitions, this::rows, after);
        }
    }

    /** What an operator asks for; empty where a change of it is on its way, after which it is decided {@code again}. */
    private Optional<Destination> settled(String name, Runnable again) {
        Names.check("the destination name", name, ErrorCode.INVALID_DESTINATION_NAME);
        Optional<ProtocolException> failure = failure(name);
        if (failure.isPresent()) {
            throw failure.get();
        }
        if (isChanging(name)) {
            changes.whenSettled(key(name), again);
            return Optional.empty();
        }
        Optional<Destination> found = state.catalogue.find(name);
        if (found.isEmpty()) {
            throw new ProtocolException(ErrorCode.DESTINATION_NOT_FOUND, "no destination '" + name + "'");
        }
        return found;
    }

    /** Whether what grows has grown in every shard. */
    boolean isClear() {
        return growth.isClear();
    }

    private static Appender.Waiter again(Reply reply, Runnable again) {
        return Changes.redecide(reply, again);
    }

    private void create(
            String name, DestinationKind kind, long incarnation, List<Integer> places, Appender.Waiter after) {
        appender.requireRoomFor(0);
        if (state.catalogue.size() + changes.size() >= config.destinationsMax()) {
            throw new ProtocolException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "broker.destinations-max (" + config.destinationsMax() + ") destinations exist");
        }
        List<PartitionRow> rows = rows(places);
        Appender.Waiter arrived = placing.comes(name, places);
        int subscription = kind.isQueue() ? takeSubscriptionId() : 0;
        DestinationCreated created =
                new DestinationCreated(new DestinationRow(name, kind.ordinal(), incarnation, rows), subscription);
        appender.addControl(created, Durability.SYNCED);
        appender.whenCommitted(arrived);
        changes.begin(key(name), definitions.created(created), after);
    }

    private List<PartitionRow> rows(List<Integer> places) {
        nextPartition = Math.max(nextPartition, state.catalogue.nextPartition());
        List<PartitionRow> rows = new ArrayList<>();
        for (int place : places) {
            rows.add(PartitionRow.empty(nextPartition++, place));
        }
        return rows;
    }

    /** An id for a durable subscription that is being decided. */
    int takeSubscriptionId() {
        nextSubscription = Math.max(nextSubscription, state.subscriptions.nextId());
        return nextSubscription++;
    }

    void delete(ConnectionState connection, Reply reply, DeleteDestination.Request request) {
        Names.check("the destination name", request.name(), ErrorCode.INVALID_DESTINATION_NAME);
        if (!connection.temporaries().contains(request.name())) {
            throw new ProtocolException(
                    ErrorCode.DESTINATION_NOT_FOUND,
                    "'" + request.name() + "' is no temporary destination of this connection");
        }
        if (state.subscriptions.of(request.name()).stream().anyMatch(Subscription::isActive)) {
            throw new ProtocolException(ErrorCode.DESTINATION_IN_USE, "'" + request.name() + "' has consumers");
        }
        appender.requireWritable();
        connection.temporaries().remove(request.name());
        temporaryOwners.remove(request.name());
        delete(request.name(), Appender.answer(reply, new DeleteDestination.Response()));
    }

    /**
     * Deletes a destination for an operator, whoever made it.
     *
     * @param after told once every shard that it concerns has followed
     * @param again decides it anew, after a change that is on its way
     */
    void delete(String name, Appender.Waiter after, Runnable again) {
        if (settled(name, again).isEmpty()) {
            return;
        }
        requireUnused(name);
        appender.requireWritable();
        ConnectionState owner = temporaryOwners.remove(name);
        if (owner != null) {
            owner.temporaries().remove(name);
        }
        orphans.remove(name);
        delete(name, after);
    }

    /** @throws ProtocolException where consumers or prepared branches have something with it in this shard */
    void requireUnused(String name) {
        if (state.subscriptions.of(name).stream().anyMatch(Subscription::isActive)) {
            throw new ProtocolException(ErrorCode.DESTINATION_IN_USE, "'" + name + "' has consumers");
        }
        Optional<Destination> found = state.catalogue.find(name);
        if (found.isPresent() && state.branches.all().stream().anyMatch(branch -> concerns(branch, found.get()))) {
            throw new ProtocolException(
                    ErrorCode.DESTINATION_IN_USE, "a prepared branch sends to '" + name + "', or accepts what it held");
        }
    }

    private static boolean concerns(PreparedBranch branch, Destination destination) {
        Set<Integer> own = destination.partitions().stream().map(Partition::id).collect(Collectors.toSet());
        return branch.batches().stream().anyMatch(batch -> own.contains(batch.partition()))
                || branch.settlements().stream().anyMatch(settled -> own.contains(settled.partition()));
    }

    private void delete(String name, Appender.Waiter after) {
        DestinationDeleted deleted = new DestinationDeleted(name);
        Definitions.Elsewhere elsewhere = new Definitions.Elsewhere();
        state.catalogue.find(name).ifPresent(destination -> {
            destination.leave();
            definitions.shardsOf(destination).forEach(shard -> elsewhere.add(shard, deleted));
        });
        appender.addControl(deleted, elsewhere.isEmpty() ? Durability.WRITTEN : Durability.SYNCED);
        changes.begin(key(name), elsewhere, after);
    }

    /** The connection ended: its temporary destinations go at once after a clean end, else when it does not come back. */
    void disconnected(ConnectionState connection, boolean clean) {
        for (String name : connection.temporaries()) {
            temporaryOwners.remove(name);
            if (clean) {
                deleteOrphan(name);
            } else {
                orphan(name);
            }
        }
        connection.temporaries().clear();
    }

    private void orphan(String name) {
        orphans.remove(name);
        orphans.put(name, clock.nanos() + config.temporaryGrace().toNanos());
    }

    private void deleteOrphan(String name) {
        boolean there = state.catalogue.find(name).isPresent();
        if (there && !temporaryOwners.containsKey(name) && !isChanging(name) && appender.isWritable()) {
            delete(name, Appender.NOBODY);
        }
    }

    /** Deletes what nobody came back for. */
    int expireOrphans() {
        int deleted = 0;
        while (!orphans.isEmpty() && deadlineNanos() - clock.nanos() <= 0) {
            String name = orphans.keySet().iterator().next();
            orphans.remove(name);
            deleteOrphan(name);
            deleted++;
        }
        return deleted;
    }

    long deadlineNanos() {
        return orphans.isEmpty() ? Long.MAX_VALUE : orphans.values().iterator().next();
    }

    /** @throws ProtocolException where there is none of this name and kind, or it is another's temporary one */
    Destination requireConsumable(ConnectionState connection, String name, boolean queue) {
        Destination destination = state.catalogue
                .find(name)
                .orElseThrow(
                        () -> new ProtocolException(ErrorCode.DESTINATION_NOT_FOUND, "no destination '" + name + "'"));
        requireKind(destination, queue);
        // Elsewhere the shard with the catalogue has been asked before.
        if (hasCatalogue
                && destination.kind().isTemporary()
                && !connection.temporaries().contains(name)) {
            throw new ProtocolException(
                    ErrorCode.TEMPORARY_DESTINATION_FOREIGN, "'" + name + "' was made by another connection");
        }
        return destination;
    }

    private static void requireKind(Destination destination, boolean queue) {
        if (destination.kind().isQueue() != queue) {
            throw new ProtocolException(
                    ErrorCode.DESTINATION_KIND_MISMATCH,
                    "'" + destination.name() + "' is a " + (queue ? "topic, not a queue" : "queue, not a topic"));
        }
    }

    private ResolveDestination.Response describe(Destination destination) {
        return new ResolveDestination.Response(
                destination.name(),
                destination.kind(),
                List.copyOf(destination.places()), // encoded later, by another thread
                state.catalogue.keyed().of(destination));
    }

    /** Under which changes of a destination are on their way. */
    static String key(String name) {
        return "destination " + name;
    }

    /** Where a subscription that is created now begins: behind everything appended so far. */
    static List<ControlRecord.Start> startsAtEnd(Destination destination) {
        return destination.partitions().stream()
                .map(partition -> new ControlRecord.Start(partition.id(), partition.nextAppendOffset()))
                .toList();
    }

    /** As {@link #startsAtEnd}, of one partition. */
    static long startAtEnd(Partition partition) {
        return partition.nextAppendOffset();
    }
}
