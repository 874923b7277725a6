package io.duramen.broker.shard;

import io.duramen.broker.BrokerConfig;
import io.duramen.broker.body.OpenBodies;
import io.duramen.broker.body.Pins;
import io.duramen.broker.dedup.DedupIds;
import io.duramen.broker.destination.Catalogue;
import io.duramen.broker.destination.Destination;
import io.duramen.broker.destination.Partition;
import io.duramen.broker.subscription.BranchLeases;
import io.duramen.broker.subscription.Cursor;
import io.duramen.broker.subscription.DispatchContext;
import io.duramen.broker.subscription.PartitionDispatch;
import io.duramen.broker.subscription.Subscription;
import io.duramen.broker.transaction.EndedHalves;
import io.duramen.broker.transaction.Facts;
import io.duramen.broker.transaction.HalfMessages;
import io.duramen.broker.transaction.PreparedBranch;
import io.duramen.broker.transaction.PreparedBranch.BranchSettlement;
import io.duramen.broker.transaction.PreparedBranches;
import io.duramen.broker.transaction.ProducerIdentities;
import io.duramen.broker.transaction.ProducerSequences;
import io.duramen.metadata.ShardChanges.FactKey;
import io.duramen.metadata.ShardHead;
import io.duramen.metadata.ShardImage;
import io.duramen.metadata.ShardImage.BranchRow;
import io.duramen.metadata.ShardImage.CursorRow;
import io.duramen.metadata.ShardImage.DestinationRow;
import io.duramen.metadata.ShardImage.FactRow;
import io.duramen.metadata.ShardImage.PinRow;
import io.duramen.metadata.ShardImage.SubscriptionRow;
import io.duramen.protocol.Codec;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.OffsetRange;
import io.duramen.runtime.Invariant;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** The hard state of a shard, changed by {@link Replay} alone, and its form as an image. Confined to the agent. */
final class ShardState {
    private final int shard;
    private final DispatchContext dispatchContext;

    final Catalogue catalogue;
    final Subscriptions subscriptions = new Subscriptions();
    final ProducerSequences producers;
    final OpenBodies openBodies = new OpenBodies();
    final Pins pins = new Pins();
    final PreparedBranches branches = new PreparedBranches();
    final DedupIds dedup;
    final ChangedRows changed = new ChangedRows(this);
    final ProducerIdentities identities;
    final HalfMessages halves;
    final EndedHalves endedHalves;
    final Pauses pauses;
    final ChangedSettings settings;
    final Retention retention;
    final Filling filling;
    final DecidedFormat format;
    final Promised promised = new Promised();
    final Capacity capacity = new Capacity(this);

    /** Everything that is kept as facts. */
    final List<Facts<?>> facts;

    /** The last entry replayed. */
    long appliedIndex;

    long appliedEpoch;
    long nextLogOffset;
    long logTimeMillis;

    /** Soft: messages stored and settled since the agent began to count. */
    long stored;

    long settled;

    ShardState(ShardPlace place, BrokerConfig config, DispatchContext dispatchContext) {
        this.shard = place.shard();
        this.catalogue = new Catalogue(shard, place.shards(), config.everywhere(), changed::fact);
        this.dispatchContext = dispatchContext;
        this.producers = new ProducerSequences(
                config.producersMax(), config.producerIdle().toMillis());
        this.identities = new ProducerIdentities(
                config.identitiesMax(), config.identityIdle().toMillis(), changed::fact);
        this.halves = new HalfMessages(config.checkPolicy(), changed::fact);
        this.endedHalves =
                new EndedHalves(config.halvesEndedMax(), config.halfRemembered().toMillis(), changed::fact);
        this.pauses = new Pauses(changed::fact);
        this.dedup = new DedupIds(
                new DedupIds.Limits(config.dedupWindow().toSeconds(), config.dedupIdsMax(), config.dedupIdsTotal()),
                place.secret());
        this.settings = new ChangedSettings(catalogue, changed::fact, dedup);
        this.retention = new Retention(catalogue, changed::fact);
        this.filling = new Filling(changed::fact);
        this.format = new DecidedFormat(place.formatMax(), changed::fact);
        this.facts = List.of(
                identities, halves, endedHalves, pauses, settings, retention, filling, format, catalogue.keyed());
    }

    /** As the settings of its destination are: what its durable subscriptions have settled before is not there any more. */
    void keep(Partition partition) {
        filling.follow(partition);
        long from = partition.nextOffset();
        for (Subscription subscription :
                subscriptions.of(partition.destination().name())) {
            if (subscription.isDurable()) {
                from = Math.min(
                        from, subscription.partition(partition.id()).cursor().settledBelow());
            }
        }
        retention.follow(partition, from, logTimeMillis);
    }

    /** How many messages, at most, a durable subscription has not settled between two offsets of a partition. */
    long unsettled(Partition partition, long first, long end) {
        long unsettled = 0;
        List<Subscription> all = subscriptions.of(partition.destination().name());
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).isDurable()) {
                unsettled = Math.max(
                        unsettled, all.get(i).partition(partition.id()).cursor().unsettled(first, end));
            }
        }
        return unsettled;
    }

    /** @throws ProtocolException where the partition is not there, or is going */
    Partition storable(int partitionId) {
        Partition partition = catalogue.partition(partitionId);
        if (partition == null || partition.destination().isLeaving()) {
            throw new ProtocolException(
                    ErrorCode.DESTINATION_NOT_FOUND,
                    "partition " + partitionId + " does not exist; its destination was deleted");
        }
        return partition;
    }

    DispatchContext dispatchContext() {
        return dispatchContext;
    }

    /** Adds a subscription that begins, on each partition, where {@code starts} says, or at offset 0. */
    Subscription add(SubscriptionRow row, Map<Integer, Cursor> cursors) {
        Destination destination = catalogue
                .find(row.destination())
                .orElseThrow(() -> new IllegalStateException("no destination " + row.destination()));
        Subscription subscription = new Subscription(
                row,
                destination,
                Selecting.restored(row),
                dispatchContext,
                partition -> cursors.getOrDefault(partition.id(), new Cursor(0)));
        subscriptions.add(subscription);
        pause(subscription);
        return subscription;
    }

    /** Has a subscription hand out nothing while that is paused. */
    void pause(Subscription subscription) {
        subscription.pause(pauses.isPaused(
                subscription.destination().name(), subscription.row().subscription()));
    }

    /**
     * The lowest offset of a partition that a subscription that is not durable may still want; {@link Long#MAX_VALUE} for
     * none.
     */
    long softlyNeededFrom(int partitionId) {
        Partition partition = catalogue.partition(partitionId);
        long needed = Long.MAX_VALUE;
        if (partition != null) {
            for (Subscription subscription :
                    subscriptions.of(partition.destination().name())) {
                if (!subscription.isDurable()) {
                    needed = Math.min(
                            needed, subscription.partition(partitionId).cursor().settledBelow());
                }
            }
        }
        return needed;
    }

    /** Forgets the pins of messages that nobody wants any more. */
    void prunePins() {
        pins.prune(this::isNeeded, changed::pins);
    }

    /** Whether a subscription may still want one of the messages, or seek it. */
    private boolean isNeeded(PinRow pin) {
        Partition partition = catalogue.partition(pin.partition());
        if (partition == null) {
            return false;
        }
        if (retention.from(pin.partition()) <= pin.lastOffset()) {
            return true;
        }
        for (Subscription subscription :
                subscriptions.of(partition.destination().name())) {
            Cursor cursor = subscription.partition(pin.partition()).cursor();
            if (cursor.nextUnsettled(pin.firstOffset()) <= pin.lastOffset()) {
                return true;
            }
        }
        return false;
    }

    ShardHead head() {
        return new ShardHead(
                shard,
                appliedIndex,
                appliedEpoch,
                nextLogOffset,
                logTimeMillis,
                catalogue.nextPartition(),
                subscriptions.nextId());
    }

    static CursorRow row(Subscription subscription, int partition, Cursor cursor) {
        return new CursorRow(
                subscription.row().subscription(),
                partition,
                cursor.settledBelow(),
                cursor.serializeBeyond(),
                cursor.deliveryRows());
    }

    /** Keeps what a prepared branch accepts from everyone. */
    void withhold(PreparedBranch branch) {
        forEachHeld(branch, BranchLeases::withhold);
    }

    /** Keeps from everyone what prepared branches accept of a subscription. */
    void withhold(Subscription subscription) {
        for (PreparedBranch branch : branches.all()) {
            for (BranchSettlement settlement : branch.settlements()) {
                if (settlement.subscription() == subscription.row().subscription()) {
                    subscription
                            .partition(settlement.partition())
                            .branchLeases()
                            .withhold(settlement.ranges());
                }
            }
        }
    }

    /** Decides that what a prepared branch accepted will come back. */
    void endWithheld(PreparedBranch branch) {
        forEachHeld(branch, BranchLeases::endWithheld);
    }

    /** What a branch accepted that never was goes back to who had it. */
    void unend(PreparedBranch branch) {
        forEachHeld(branch, BranchLeases::unend);
        branch.settlements().forEach(settlement -> {
            Subscription subscription = subscriptions.durable(settlement.subscription());
            if (subscription != null) {
                subscription.markDirty();
            }
        });
    }

    private void forEachHeld(PreparedBranch branch, BiConsumer<BranchLeases, List<OffsetRange>> action) {
        for (BranchSettlement settlement : branch.settlements()) {
            Subscription subscription = subscriptions.durable(settlement.subscription());
            PartitionDispatch partition = subscription == null ? null : subscription.partition(settlement.partition());
            if (partition != null) {
                action.accept(partition.branchLeases(), settlement.ranges());
            }
        }
    }

    ShardImage toImage() {
        prunePins();
        List<DestinationRow> destinations =
                catalogue.destinations().stream().map(Destination::toRow).toList();
        List<SubscriptionRow> rows = new ArrayList<>();
        List<CursorRow> cursors = new ArrayList<>();
        for (Subscription subscription : subscriptions.durables()) {
            rows.add(subscription.row());
            for (PartitionDispatch partition : subscription.partitions()) {
                cursors.add(row(subscription, partition.partition().id(), partition.cursor()));
            }
        }
        return new ShardImage(
                head(),
                destinations,
                rows,
                cursors,
                producers.toRows(),
                openBodies.toRows(),
                pins.toRows(),
                branches.all().stream()
                        .map(ShardState::row)
                        .sorted((one, other) -> one.branch().compareTo(other.branch()))
                        .toList(),
                factRows(),
                dedup.toRows());
    }

    private List<FactRow> factRows() {
        List<FactRow> rows = new ArrayList<>();
        for (Facts<?> kind : facts) {
            kind.forEach((key, fact) -> rows.add(row(new FactKey(kind.kind(), key), fact)));
        }
        rows.sort((one, other) -> FactKey.of(one).compareTo(FactKey.of(other)));
        return rows;
    }

    static FactRow row(FactKey key, Record fact) {
        ByteBuffer content = ByteBuffer.allocate(Codec.sizeOf(fact, ControlRecord.FORMAT));
        Codec.write(fact, ControlRecord.FORMAT, content);
        return new FactRow(key.kind(), key.key(), content.flip());
    }

    Facts<?> facts(int kind) {
        return facts.stream()
                .filter(one -> one.kind() == kind)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "facts of kind " + kind + " are not known: a newer version" + " wrote them"));
    }

    private static <R extends Record> void load(FactRow row, Facts<R> facts) {
        facts.load(Codec.read(facts.type(), ControlRecord.FORMAT, row.content()));
    }

    static BranchRow row(PreparedBranch branch) {
        ByteBuffer content = new ControlRecord.BranchPrepared(
                        branch.id(), branch.batches(), branch.settlements(), branch.user(), branch.spread())
                .encode(ControlRecord.FORMAT);
        return new BranchRow(branch.id().toString(), branch.preparedMillis(), content);
    }

    private void load(BranchRow row) {
        ControlRecord.BranchPrepared prepared = (ControlRecord.BranchPrepared)
                ControlRecord.decode(ControlRecord.BranchPrepared.TYPE, ControlRecord.FORMAT, row.content());
        PreparedBranch branch = new PreparedBranch(
                prepared.branch(),
                row.preparedMillis(),
                prepared.batches(),
                prepared.settlements(),
                prepared.user(),
                prepared.spread());
        add(branch);
    }

    /** A branch is prepared. */
    void add(PreparedBranch branch) {
        branches.prepared(branch);
        dedup.hold(branch.id(), branch.batches());
        promised.add(branch.id(), branch.batches());
        withhold(branch);
    }

    void load(ShardImage image) {
        Invariant.hold(image.shard() == shard, "the image of shard %d was given to shard %d", image.shard(), shard);
        image.destinations().forEach(catalogue::add);
        image.facts().stream()
                .filter(row -> row.kind() == settings.kind())
                .forEach(row -> load(row, settings)); // what comes goes by them
        catalogue.reserveBelow(image.nextPartition());
        Map<Integer, Map<Integer, Cursor>> cursors = new HashMap<>();
        for (CursorRow row : image.cursors()) {
            cursors.computeIfAbsent(row.subscription(), none -> new HashMap<>())
                    .put(row.partition(), Cursor.load(row.settledBelow(), row.settledBeyond(), row.deliveryCounts()));
        }
        image.subscriptions().forEach(row -> add(row, cursors.getOrDefault(row.subscription(), Map.of())));
        subscriptions.reserveBelow(image.nextSubscription());
        producers.load(image.producers());
        openBodies.load(image.openBodies());
        pins.load(image.pins());
        image.branches().stream()
                .sorted((one, other) -> Long.compare(one.preparedMillis(), other.preparedMillis()))
                .forEach(this::load);
        image.facts().stream()
                .filter(row -> row.kind() != settings.kind())
                .forEach(row -> load(row, facts(row.kind())));
        subscriptions.durables().forEach(this::pause);
        appliedIndex = image.appliedIndex();
        appliedEpoch = image.appliedEpoch();
        nextLogOffset = image.nextLogOffset();
        logTimeMillis = image.logTimeMillis();
    }
}
