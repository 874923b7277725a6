package io.duramen.broker.shard;

import io.duramen.broker.destination.Destination;
import io.duramen.broker.destination.Partition;
import io.duramen.broker.subscription.PartitionDispatch;
import io.duramen.broker.subscription.Subscription;
import io.duramen.broker.transaction.PreparedBranch;
import io.duramen.broker.transaction.ProducerSequences;
import io.duramen.metadata.ShardChanges;
import io.duramen.metadata.ShardChanges.FactKey;
import io.duramen.metadata.ShardChanges.Removed;
import io.duramen.metadata.ShardImage.CursorRow;
import io.duramen.metadata.ShardImage.DestinationRow;
import io.duramen.metadata.ShardImage.SubscriptionRow;
import io.duramen.protocol.frame.BranchId;
import io.duramen.protocol.record.BodyName;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.agrona.collections.IntArrayList;
import org.agrona.collections.IntHashSet;
import org.agrona.collections.LongArrayList;
import org.agrona.collections.LongHashSet;

/**
 * Which rows of a shard's hard state have changed since they were taken last. {@link Replay} tells of every change before
 * it makes it. Confined to the agent.
 *
 * <p>What was taken is built in steps, so that a step is short however much changed, and still is the state as of one
 * index: a row that is about to change while it waits is built first.
 */
final class ChangedRows {
    /** Past so many removals all rows are taken instead: nobody stores any, or so many went that it hardly matters. */
    private static final int REMOVED_MAX = 100_000;

    private final ShardState state;
    private Gathered gathered = new Gathered();
    private boolean whole;

    /** Null where nothing is being built. */
    private ChangesBuilder building;

    ChangedRows(ShardState state) {
        this.state = state;
    }

    /** Keys of changed rows, each once. Definitions never change, so they are rows already. */
    static final class Gathered {
        final Map<String, DestinationRow> destinations = new LinkedHashMap<>();
        final Map<Integer, SubscriptionRow> subscriptions = new LinkedHashMap<>();
        final Set<String> removedDestinations = new LinkedHashSet<>();
        final Set<Integer> removedSubscriptions = new LinkedHashSet<>();
        final IntHashSet partitions = new IntHashSet();
        final LongHashSet cursors = new LongHashSet();

        /** Holds those of the sets, in the order in which they came, and perhaps some that are no longer in them. */
        final IntArrayList partitionOrder = new IntArrayList();

        final LongArrayList cursorOrder = new LongArrayList();

        /** Few: bodies that are on their way, and partitions whose parts have messages. */
        final Set<BodyName> bodies = new LinkedHashSet<>();

        final Set<BodyName> removedBodies = new LinkedHashSet<>();
        final Set<Integer> pinHomes = new LinkedHashSet<>();

        /** Few, too, and they never change. */
        final Map<BranchId, PreparedBranch> branches = new LinkedHashMap<>();

        final Set<BranchId> removedBranches = new LinkedHashSet<>();

        /** As they became; null where they are no more. */
        final Map<FactKey, Record> facts = new LinkedHashMap<>();
        /** Partitions whose windows of dedup ids changed: few have any. */
        final Set<Integer> dedup = new LinkedHashSet<>();

        void partition(int id) {
            if (partitions.add(id)) {
                partitionOrder.addInt(id);
            }
        }

        void cursor(long key) {
            if (cursors.add(key)) {
                cursorOrder.addLong(key);
            }
        }

        void subscription(Subscription subscription) {
            SubscriptionRow row = subscription.row();
            subscriptions.put(row.subscription(), row);
            for (PartitionDispatch partition : subscription.partitions()) {
                cursor(key(row.subscription(), partition.partition().id()));
            }
        }
    }

    static long key(int subscription, int partition) {
        return (long) subscription << 32 | partition;
    }

    /** Messages are about to be added to a partition. */
    void partition(int id) {
        if (building != null) {
            building.partition(id);
        }
        gathered.partition(id);
    }

    /** Something is about to be settled or given back. */
    void cursor(int subscription, int partition) {
        long key = key(subscription, partition);
        if (building != null) {
            building.cursor(key);
        }
        gathered.cursor(key);
    }

    /** A part of a large body is about to be added. */
    void body(BodyName name) {
        if (building != null) {
            building.body(name);
        }
        gathered.bodies.add(name);
    }

    /** A large body is about to leave those whose message is yet to come. */
    void removed(BodyName name) {
        if (building != null) {
            building.body(name);
        }
        gathered.bodies.remove(name);
        gathered.removedBodies.add(name);
        boundRemoved();
    }

    /** The pins of a partition's parts are about to change. */
    void pins(int home) {
        if (building != null) {
            building.pins(home);
        }
        gathered.pinHomes.add(home);
    }

    /** The dedup ids of a partition are about to change. */
    void dedup(int partition) {
        if (building != null) {
            building.dedup(partition);
        }
        gathered.dedup.add(partition);
    }

    void added(PreparedBranch branch) {
        gathered.branches.put(branch.id(), branch);
    }

    /** A prepared branch is about to be no more. */
    void removed(BranchId branch) {
        gathered.branches.remove(branch);
        gathered.removedBranches.add(branch);
        boundRemoved();
    }

    /**
     * A fact became what it is now.
     *
     * @param fact null where it is no more
     */
    void fact(int kind, String key, Record fact) {
        gathered.facts.put(new FactKey(kind, key), fact);
        boundRemoved();
    }

    void added(DestinationRow row) {
        gathered.destinations.put(row.name(), row);
    }

    void added(Subscription subscription) {
        gathered.subscription(subscription);
    }

    /** A destination is about to be removed, after its subscriptions. */
    void removed(Destination destination) {
        for (Partition partition : destination.partitions()) {
            if (building != null) {
                building.partition(partition.id());
                building.dedup(partition.id());
            }
            gathered.dedup.remove(partition.id());
            gathered.partitions.remove(partition.id());
        }
        gathered.destinations.remove(destination.name());
        gathered.removedDestinations.add(destination.name());
        boundRemoved();
    }

    /** A durable subscription is about to be removed. */
    void removed(Subscription subscription) {
        int id = subscription.row().subscription();
        for (PartitionDispatch partition : subscription.partitions()) {
            long key = key(id, partition.partition().id());
            if (building != null) {
                building.cursor(key);
            }
            gathered.cursors.remove(key);
        }
        gathered.subscriptions.remove(id);
        gathered.removedSubscriptions.add(id);
        boundRemoved();
    }

    private void boundRemoved() {
        int removed = gathered.removedSubscriptions.size()
                + gathered.removedDestinations.size()
                + gathered.removedBodies.size()
                + gathered.removedBranches.size()
                + gathered.facts.size();
        if (removed > REMOVED_MAX) {
            gathered.removedSubscriptions.clear();
            gathered.removedDestinations.clear();
            gathered.removedBodies.clear();
            gathered.removedBranches.clear();
            gathered.facts.clear();
            whole = true;
        }
    }

    /** All rows are to be taken next. */
    void takeAll() {
        whole = true;
    }

    /** Takes what changed since the last time, as it is now. */
    void take(long sinceIndex) {
        state.prunePins();
        boolean all = whole || state.producers.mustTakeAll();
        building = new ChangesBuilder(
                state, all ? all() : gathered, all ? 0 : sinceIndex, all, state.producers.takeChanges(all));
        gathered = new Gathered();
        whole = false;
    }

    /** What is there of definitions goes into rows at once, and of the others into keys: rare, so no steps. */
    private Gathered all() {
        Gathered all = new Gathered();
        for (Destination destination : state.catalogue.destinations()) {
            all.destinations.put(destination.name(), destination.toRow());
        }
        state.subscriptions.durables().forEach(all::subscription);
        state.openBodies.all().forEach(body -> all.bodies.add(body.name()));
        all.pinHomes.addAll(state.pins.homes());
        state.branches.all().forEach(branch -> all.branches.put(branch.id(), branch));
        state.facts.forEach(facts -> facts.forEach((key, fact) -> all.facts.put(new FactKey(facts.kind(), key), fact)));
        state.dedup.partitions().forEach(all.dedup::add);
        return all;
    }

    /**
     * Builds some of what was taken.
     *
     * @return how many rows
     */
    int build(int rowsMax) {
        return building.build(rowsMax);
    }

    boolean isBuilt() {
        return building.isBuilt();
    }

    /** What was taken, once it is built. */
    ShardChanges built() {
        ShardChanges changes = building.changes();
        building = null;
        return changes;
    }

    /** Puts back what was taken and could not be stored: it is taken again, as it is then. */
    void putBack(ShardChanges changes) {
        if (changes.whole()) {
            whole = true;
            return;
        }
        Removed removed = changes.removed();
        gathered.removedDestinations.addAll(removed.destinations());
        gathered.removedSubscriptions.addAll(removed.subscriptions());
        changes.destinations().forEach(this::putBack);
        changes.subscriptions().forEach(this::putBack);
        changes.partitions().stream()
                .filter(row -> state.catalogue.partition(row.partition()) != null)
                .forEach(row -> gathered.partition(row.partition()));
        changes.cursors().forEach(this::putBack);
        removed.openBodies().forEach(key -> gathered.removedBodies.add(new BodyName(key.high(), key.low())));
        changes.openBodies().forEach(row -> putBack(new BodyName(row.nameHigh(), row.nameLow())));
        removed.branches().forEach(name -> gathered.removedBranches.add(BranchId.parse(name)));
        changes.branches().forEach(row -> putBack(BranchId.parse(row.branch())));
        removed.facts().forEach(this::putBack);
        changes.facts().forEach(row -> putBack(FactKey.of(row)));
        changes.pins().forEach(row -> gathered.pinHomes.add(row.home()));
        changes.dedup().forEach(row -> gathered.dedup.add(row.partition()));
        state.producers.putBack(new ProducerSequences.Changes(changes.producers(), removed.producers()));
    }

    private void putBack(BranchId id) {
        if (state.branches.get(id) != null) {
            gathered.branches.put(id, state.branches.get(id));
        }
    }

    private void putBack(FactKey key) {
        gathered.facts.put(key, state.facts(key.kind()).get(key.key()));
    }

    private void putBack(BodyName name) {
        if (state.openBodies.find(name) != null) {
            gathered.bodies.add(name);
        }
    }

    /** As it is now: it may have got partitions since that row was made. */
    private void putBack(DestinationRow row) {
        state.catalogue.find(row.name()).filter(there -> isSame(there, row)).ifPresent(there -> {
            gathered.destinations.put(row.name(), there.toRow());
            there.partitions().forEach(partition -> {
                gathered.partition(partition.id());
                gathered.dedup.add(partition.id());
            });
        });
    }

    private static boolean isSame(Destination destination, DestinationRow row) {
        return destination.places().get(0).partition()
                == row.partitions().get(0).partition();
    }

    private void putBack(SubscriptionRow row) {
        if (state.subscriptions.durable(row.subscription()) != null) {
            gathered.subscriptions.put(row.subscription(), row);
        }
    }

    private void putBack(CursorRow row) {
        if (state.subscriptions.durable(row.subscription()) != null) {
            gathered.cursor(key(row.subscription(), row.partition()));
        }
    }
}
