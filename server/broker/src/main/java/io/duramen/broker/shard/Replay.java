package io.duramen.broker.shard;

import io.duramen.broker.destination.Destination;
import io.duramen.broker.destination.Partition;
import io.duramen.broker.shard.ControlRecord.BranchEnded;
import io.duramen.broker.shard.ControlRecord.BranchPrepared;
import io.duramen.broker.shard.ControlRecord.DestinationCreated;
import io.duramen.broker.shard.ControlRecord.DestinationDeleted;
import io.duramen.broker.shard.ControlRecord.HalfEnded;
import io.duramen.broker.shard.ControlRecord.HalfPrepared;
import io.duramen.broker.shard.ControlRecord.RepeatsLeftOut;
import io.duramen.broker.shard.ControlRecord.Returned;
import io.duramen.broker.shard.ControlRecord.Settled;
import io.duramen.broker.shard.ControlRecord.Start;
import io.duramen.broker.shard.ControlRecord.SubscriptionCreated;
import io.duramen.broker.shard.ControlRecord.SubscriptionDeleted;
import io.duramen.broker.shard.ControlRecord.TransactionCommitted;
import io.duramen.broker.subscription.CameBack;
import io.duramen.broker.subscription.Cursor;
import io.duramen.broker.subscription.Offsets;
import io.duramen.broker.subscription.PartitionDispatch;
import io.duramen.broker.subscription.Subscription;
import io.duramen.broker.transaction.EndedHalf;
import io.duramen.broker.transaction.HalfMessage;
import io.duramen.broker.transaction.PreparedBranch;
import io.duramen.broker.transaction.PreparedBranch.BranchSettlement;
import io.duramen.broker.transaction.ProducerIdentity;
import io.duramen.broker.transaction.ProducerSequences;
import io.duramen.log.LogRecord;
import io.duramen.metadata.ShardImage.SubscriptionRow;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.BranchId;
import io.duramen.protocol.record.BodyName;
import io.duramen.protocol.record.BodyPart;
import io.duramen.protocol.record.RecordBatch;
import io.duramen.replication.CommittedEntry;
import io.duramen.runtime.Invariant;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Changes a shard's hard state by committed entries; nothing else does. The same on leader, follower and recovery: reads
 * nothing but the entry and the state. Confined to the agent.
 */
final class Replay {
    private final ShardState state;

    Replay(ShardState state) {
        this.state = state;
    }

    void replay(CommittedEntry entry) {
        Invariant.hold(
                entry.index() == state.appliedIndex + 1,
                "entry %d committed where %d was due",
                entry.index(),
                state.appliedIndex + 1);
        Invariant.hold(
                entry.epoch() >= state.appliedEpoch,
                "epoch went back from %d to %d",
                state.appliedEpoch,
                entry.epoch());
        long timeMillis = Math.max(state.logTimeMillis, entry.timestampMillis());
        state.dedup.passed(state.logTimeMillis, timeMillis, state.changed::dedup);
        state.retention.passed(state.logTimeMillis, timeMillis);
        state.logTimeMillis = timeMillis;
        LogRecord.forEach(entry.records(), entry.count(), this::record);
        state.appliedIndex = entry.index();
        state.appliedEpoch = entry.epoch();
        state.nextLogOffset = entry.baseOffset() + entry.count();
    }

    private void record(byte type, int partition, long offset, int count, ByteBuffer body) {
        if (type == LogRecord.TYPE_MESSAGES) {
            if (partition > 0) {
                messages(partition, offset, count, body);
            } else {
                part(Partition.partsId(partition), offset, body);
            }
            return;
        }
        ControlRecord control = ControlRecord.decode(type, state.format.level(), body);
        if (control instanceof Settled settled) {
            settled(settled);
        } else if (control instanceof Returned returned) {
            returned(returned);
        } else if (control instanceof TransactionCommitted committed) {
            transactionCommitted(committed);
        } else if (control instanceof ControlRecord.IdentityTaken taken) {
            identityTaken(taken);
        } else if (control instanceof HalfPrepared prepared) {
            state.halves.prepared(HalfMessage.prepared(
                    prepared.id(),
                    prepared.group(),
                    state.logTimeMillis,
                    prepared.checkAfterMillis(),
                    prepared.batches()));
        } else if (control instanceof ControlRecord.HalfAsked asked) {
            asked.ids().forEach(id -> state.halves.asked(id, state.logTimeMillis));
        } else if (control instanceof HalfEnded ended) {
            halfEnded(ended);
        } else if (control instanceof BranchPrepared prepared) {
            branchPrepared(prepared);
        } else if (control instanceof BranchEnded ended) {
            branchEnded(ended);
        } else if (control instanceof ControlRecord.TransactionDecided decided) {
            prepared(PreparedBranch.decision(decided.over(), state.logTimeMillis));
        } else if (control instanceof ControlRecord.DecisionCarriedOut done) {
            branchOver(done.inner());
        } else if (control instanceof ControlRecord.BranchDropped dropped) {
            PreparedBranch branch = branchOver(dropped.branch());
            if (branch != null) {
                state.dedup.release(branch.id(), branch.batches());
                state.unend(branch);
            }
        } else {
            definition(control);
        }
    }

    /** A definition, or what little is left besides. */
    private void definition(ControlRecord control) {
        if (control instanceof DestinationCreated created) {
            destinationCreated(created);
        } else if (control instanceof ControlRecord.PartitionsAdded added) {
            partitionsAdded(added);
        } else if (control instanceof DestinationDeleted deleted) {
            destinationDeleted(deleted);
        } else if (control instanceof SubscriptionCreated created) {
            subscriptionCreated(created);
        } else if (control instanceof SubscriptionDeleted deleted) {
            subscriptionDeleted(deleted);
        } else if (control instanceof ControlRecord.BodyDropped dropped) {
            remove(new BodyName(dropped.nameHigh(), dropped.nameLow()));
        } else if (control instanceof RepeatsLeftOut repeats) {
            repeatsLeftOut(repeats);
        } else if (control instanceof ControlRecord.DeliveryPaused paused) {
            deliveryPaused(paused);
        } else if (control instanceof ControlRecord.DestinationChanged changed) {
            state.settings.set(changed.name(), changed.settings());
            state.catalogue
                    .find(changed.name())
                    .ifPresent(destination -> destination.partitions().forEach(state::keep));
        } else if (control instanceof ControlRecord.CursorMoved moved) {
            cursorMoved(moved);
        } else if (control instanceof ControlRecord.LevelDecided decided) {
            state.format.decided(decided.level());
        }
    }

    /** Nothing soft of the subscription stays: nobody consumed it when this was decided, and nobody does before it is. */
    private void cursorMoved(ControlRecord.CursorMoved moved) {
        Subscription before = state.subscriptions.durable(moved.subscription());
        if (before == null || before.partition(moved.partition()) == null) {
            return; // deleted between the append and now
        }
        state.changed.cursor(moved.subscription(), moved.partition());
        Map<Integer, Cursor> cursors = new HashMap<>();
        before.partitions().forEach(one -> cursors.put(one.partition().id(), one.cursor()));
        long from = Math.max(
                moved.offset(),
                Math.min(
                        state.retention.from(moved.partition()),
                        cursors.get(moved.partition()).settledBelow()));
        cursors.put(moved.partition(), new Cursor(from));
        state.subscriptions.remove(before);
        state.withhold(state.add(before.row(), cursors));
    }

    private void part(int partitionId, long offset, ByteBuffer part) {
        Partition partition = state.catalogue.partition(partitionId);
        if (partition != null) {
            state.changed.partition(partitionId);
            state.changed.body(BodyPart.body(part));
            partition.committedPart(offset);
            state.openBodies.committed(partitionId, offset, part);
        }
    }

    private void bodies(int partition, long baseOffset, ByteBuffer batch) {
        BodyDecisions.forEach(batch, (body, index) -> {
            remove(body.name());
            state.changed.pins(body.partition());
            state.pins.add(body, partition, baseOffset + index);
        });
    }

    private void remove(BodyName body) {
        state.changed.removed(body);
        state.openBodies.remove(body);
    }

    private void messages(int partitionId, long baseOffset, int count, ByteBuffer batch) {
        long sequence = RecordBatch.baseSequence(batch);
        long producerId = RecordBatch.producerId(batch);
        if (producerId != 0 && sequence >= 0) {
            state.producers.committed(new ProducerSequences.Stored(
                    producerId,
                    partitionId,
                    RecordBatch.producerEpoch(batch),
                    sequence,
                    sequence + count - 1,
                    baseOffset,
                    state.logTimeMillis));
        }
        Partition partition = state.catalogue.partition(partitionId);
        int traits = RecordBatch.traits(batch);
        if ((traits & RecordBatch.ATTRIBUTE_DEDUP) != 0) {
            state.changed.dedup(partitionId);
            state.dedup.committed(partitionId, baseOffset, batch, state.logTimeMillis, partition != null);
        }
        if (partition == null) {
            // Deleted between the append and now; its messages are of no use to anyone.
            return;
        }
        if ((traits & RecordBatch.ATTRIBUTE_LARGE) != 0) {
            bodies(partitionId, baseOffset, batch);
        }
        state.changed.partition(partitionId);
        partition.committed(baseOffset, count, traits);
        if (!state.retention.isNone()) {
            state.retention.stored(partition, baseOffset, count, batch.remaining(), state.logTimeMillis);
        }
        long bytes = Filling.bytes(batch);
        partition.appendedNoMore(bytes);
        if (!state.filling.isNone()) {
            state.filling.stored(
                    partition, baseOffset, count, bytes, (first, end) -> state.unsettled(partition, first, end));
        }
        state.stored += count;
        List<Subscription> subscriptions =
                state.subscriptions.of(partition.destination().name());
        for (int i = 0; i < subscriptions.size(); i++) {
            subscriptions.get(i).committed(traits, state.logTimeMillis);
        }
    }

    private void settled(Settled settled) {
        PartitionDispatch partition = find(settled.subscription(), settled.partition());
        if (partition != null) {
            state.changed.cursor(settled.subscription(), settled.partition());
            partition.settle(settled.ranges());
            state.settled += Offsets.count(settled.ranges());
            // A consumer may have stopped at the limit of leases.
            state.subscriptions.durable(settled.subscription()).markDirty();
        }
    }

    private void returned(Returned returned) {
        PartitionDispatch partition = find(returned.subscription(), returned.partition());
        if (partition != null) {
            state.changed.cursor(returned.subscription(), returned.partition());
            partition.giveBack(
                    returned.ranges(), new CameBack(state.logTimeMillis, returned.refused(), returned.reason()));
            state.subscriptions.durable(returned.subscription()).markDirty();
        }
    }

    private PartitionDispatch find(int subscriptionId, int partitionId) {
        Subscription subscription = state.subscriptions.durable(subscriptionId);
        return subscription == null ? null : subscription.partition(partitionId);
    }

    private void transactionCommitted(TransactionCommitted committed) {
        state.producers.committed(new ProducerSequences.Stored(
                committed.producerId(),
                ProducerSequences.TRANSACTIONS,
                committed.epoch(),
                committed.sequence(),
                committed.sequence(),
                ProducerSequences.PLACE_FORGOTTEN,
                state.logTimeMillis));
        state.identities.committed(
                committed.producerId(), committed.sequence(), committed.label(), state.logTimeMillis);
    }

    private void halfEnded(HalfEnded ended) {
        HalfMessage half = state.halves.ended(ended.id());
        if (half != null) {
            state.endedHalves.ended(new EndedHalf(
                    half.id(), half.group(), ended.end(), half.asks(), ended.cause(), state.logTimeMillis));
        }
    }

    private void identityTaken(ControlRecord.IdentityTaken taken) {
        state.identities.taken(new ProducerIdentity(
                taken.name(),
                taken.user(),
                taken.producerId(),
                taken.epoch(),
                taken.incarnation(),
                0,
                "",
                state.logTimeMillis));
    }

    private void repeatsLeftOut(RepeatsLeftOut repeats) {
        if (repeats.producerId() != 0) {
            state.producers.committed(new ProducerSequences.Stored(
                    repeats.producerId(),
                    repeats.partition(),
                    repeats.producerEpoch(),
                    repeats.baseSequence(),
                    repeats.baseSequence() + repeats.count() - 1,
                    repeats.baseOffset(),
                    state.logTimeMillis));
        }
        if (state.catalogue.partition(repeats.partition()) != null) {
            state.changed.dedup(repeats.partition());
            state.dedup.leftOut(repeats.partition(), repeats.messages());
        }
    }

    private void branchPrepared(BranchPrepared prepared) {
        prepared(new PreparedBranch(
                prepared.branch(),
                state.logTimeMillis,
                prepared.batches(),
                prepared.settlements(),
                prepared.user(),
                prepared.spread()));
    }

    private void prepared(PreparedBranch branch) {
        state.changed.added(branch);
        state.add(branch);
    }

    /** @return null where it was not prepared */
    private PreparedBranch branchOver(BranchId id) {
        state.changed.removed(id);
        state.promised.release(id);
        return state.branches.ended(id);
    }

    private void branchEnded(BranchEnded ended) {
        PreparedBranch branch = branchOver(ended.branch());
        if (branch == null) {
            return;
        }
        state.dedup.release(branch.id(), branch.batches());
        for (BranchSettlement settlement : branch.settlements()) {
            if (ended.committed()) {
                settled(new Settled(settlement.subscription(), settlement.partition(), settlement.ranges()));
            } else {
                returned(new Returned(settlement.subscription(), settlement.partition(), settlement.ranges()));
            }
        }
    }

    private void destinationCreated(DestinationCreated created) {
        Destination destination = state.catalogue.add(created.destination());
        state.changed.added(created.destination());
        if (destination.kind().isQueue()) {
            SubscriptionRow row = new SubscriptionRow(
                    created.subscription(), destination.name(), "", "", SubscriptionKind.QUEUE.ordinal(), "", false);
            state.changed.added(state.add(row, Map.of()));
        }
    }

    private void partitionsAdded(ControlRecord.PartitionsAdded added) {
        Optional<Destination> found = state.catalogue.find(added.name());
        if (found.isEmpty()) {
            return; // deleted between the append and now
        }
        Destination destination = found.get();
        List<Partition> here = state.catalogue.add(destination, added.partitions());
        state.changed.added(destination.toRow());
        destination.partitions().forEach(partition -> state.changed.dedup(partition.id())); // they go with the old row
        here.forEach(state.settings::follow);
        for (Subscription subscription : state.subscriptions.of(added.name())) {
            here.forEach(partition -> {
                subscription.add(partition, new Cursor(0));
                if (subscription.isDurable()) {
                    state.changed.cursor(subscription.row().subscription(), partition.id());
                }
            });
        }
        here.forEach(state::keep);
    }

    private void destinationDeleted(DestinationDeleted deleted) {
        List.copyOf(state.subscriptions.of(deleted.name())).forEach(this::remove);
        state.catalogue.find(deleted.name()).ifPresent(destination -> {
            state.changed.removed(destination);
            destination.partitions().forEach(partition -> {
                state.dedup.remove(partition.id());
                state.retention.forget(partition.id());
                state.filling.forget(partition.id());
            });
        });
        state.catalogue.remove(deleted.name());
        state.pauses.forget(deleted.name());
        state.settings.forget(deleted.name());
        state.openBodies.all().stream()
                .filter(body -> state.catalogue.partition(body.partition()) == null)
                .forEach(body -> state.changed.removed(body.name()));
        state.openBodies.removeOf(partition -> state.catalogue.partition(partition) == null);
    }

    /** Its destination may have been deleted between the append and now. */
    private void subscriptionCreated(SubscriptionCreated created) {
        SubscriptionRow row = created.subscription();
        if (state.catalogue.find(row.destination()).isPresent()) {
            Map<Integer, Cursor> cursors = new HashMap<>();
            for (Start start : created.starts()) {
                cursors.put(start.partition(), new Cursor(start.offset()));
            }
            state.changed.added(state.add(row, cursors));
        } else {
            state.subscriptions.reserveBelow(row.subscription() + 1);
        }
    }

    /** What it concerns may have been deleted between the append and now. */
    private void deliveryPaused(ControlRecord.DeliveryPaused paused) {
        boolean there = paused.subscription() == Pauses.ALL
                ? state.catalogue.find(paused.destination()).isPresent()
                : state.subscriptions.durable(paused.subscription()) != null;
        if (there) {
            state.pauses.set(new Pauses.Paused(paused.destination(), paused.subscription()), paused.paused());
            state.subscriptions.of(paused.destination()).forEach(state::pause);
        }
    }

    private void subscriptionDeleted(SubscriptionDeleted deleted) {
        Subscription subscription = state.subscriptions.durable(deleted.subscription());
        if (subscription != null) {
            remove(subscription);
        }
    }

    private void remove(Subscription subscription) {
        if (subscription.isDurable()) {
            state.changed.removed(subscription);
            state.pauses.forget(
                    subscription.destination().name(), subscription.row().subscription());
        }
        state.subscriptions.remove(subscription);
    }
}
