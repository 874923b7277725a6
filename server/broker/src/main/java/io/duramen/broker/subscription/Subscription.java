package io.duramen.broker.subscription;

import io.duramen.broker.destination.Destination;
import io.duramen.broker.destination.Partition;
import io.duramen.broker.selector.MessageFilter;
import io.duramen.log.DamagedLogException;
import io.duramen.metadata.ShardImage.SubscriptionRow;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.OffsetRange;
import io.duramen.protocol.record.RecordBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The messages of one destination for one group of consumers. Confined to the shard's agent. Definition and cursors are
 * hard state where the subscription is durable; consumers and leases are always soft.
 */
public final class Subscription {
    private static final Logger LOG = LoggerFactory.getLogger(Subscription.class);

    /** Most messages handed out in one call of {@link #dispatch}, so that others get their turn. */
    private static final int MESSAGES_PER_TURN = 4 * DeliveryBuffer.MESSAGES_MAX;

    private static final SubscriptionKind[] KINDS = SubscriptionKind.values();

    private final SubscriptionRow row;
    private final Destination destination;
    private final DispatchContext context;
    private final List<PartitionDispatch> partitions = new ArrayList<>();
    private final List<Audience> audiences = new ArrayList<>(1);
    private final Audience plain;
    private int consumers;
    private int firstAudience;
    private int firstPartition;
    private boolean dirty;
    private boolean draining;
    private boolean sweeping;
    private Turns.Later later;

    /**
     * @param ownFilter what it takes itself, whoever consumes: the rest is settled when it is met. Of a queue
     *     {@link MessageFilter#ALL}
     * @param cursorOf makes or finds the cursor of each of the destination's partitions
     */
    public Subscription(
            SubscriptionRow row,
            Destination destination,
            MessageFilter ownFilter,
            DispatchContext context,
            Function<Partition, Cursor> cursorOf) {
        this.row = row;
        this.destination = destination;
        this.context = context;
        for (Partition partition : destination.partitions()) {
            partitions.add(new PartitionDispatch(
                    partition, partitions.size(), cursorOf.apply(partition), context, this::markDirty));
        }
        plain = new Audience(ownFilter, true, partitions);
        audiences.add(plain);
        for (PartitionDispatch partition : partitions) {
            if (partition.mayExpire()) {
                wakeAt(0);
            }
        }
    }

    /** Its definition; of one that is not durable too, whose id is negative then. */
    public SubscriptionRow row() {
        return row;
    }

    public SubscriptionKind kind() {
        return KINDS[row.kind()];
    }

    public boolean isDurable() {
        return kind().isDurable();
    }

    public Destination destination() {
        return destination;
    }

    public List<PartitionDispatch> partitions() {
        return partitions;
    }

    /** @return null where the destination has no such partition */
    public PartitionDispatch partition(int id) {
        for (PartitionDispatch dispatch : partitions) {
            if (dispatch.partition().id() == id) {
                return dispatch;
            }
        }
        return null;
    }

    /** Whether a consumer is attached that has not left. */
    public boolean isActive() {
        return consumers > 0;
    }

    /** @param filter what it takes of what the subscription takes; {@link MessageFilter#ALL} for all that */
    public Consumer attach(int consumerId, Outbound outbound, MessageFilter filter) {
        Audience audience = audience(filter);
        Consumer consumer = new Consumer(
                context.shard(),
                consumerId,
                this,
                audience,
                outbound,
                context.limits().leasesMax());
        audience.add(consumer);
        consumers++;
        partitions.forEach(partition -> partition.joined(consumer));
        return consumer;
    }

    private Audience audience(MessageFilter filter) {
        if (filter == MessageFilter.ALL) {
            return plain;
        }
        for (Audience audience : audiences) {
            if (audience.filter().equals(filter)) {
                return audience;
            }
        }
        Audience audience = new Audience(filter, false, partitions);
        audiences.add(audience);
        return audience;
    }

    /** Ends a consumer's taking part, if it has not ended; its leases are the caller's to end. */
    public void detach(Consumer consumer) {
        consumer.detach();
        Audience audience = consumer.audience();
        if (!audience.remove(consumer)) {
            return;
        }
        consumers--;
        partitions.forEach(partition -> partition.left(consumer));
        if (audience != plain && audience.consumers().isEmpty()) {
            audiences.remove(audience);
            audience.close();
        }
        markDirty();
    }

    /** Says that there may be something to hand out. */
    public void markDirty() {
        if (!dirty && (consumers > 0 || sweeping)) {
            dirty = true;
            context.turns().now(this);
        }
    }

    /**
     * Messages were committed.
     *
     * @param traits see {@link RecordBatch#traits}
     * @param atMillis when they were appended
     */
    public void committed(int traits, long atMillis) {
        markDirty();
        if ((traits & RecordBatch.ATTRIBUTE_EXPIRATION) != 0) {
            wakeAt(atMillis + context.limits().expiryMillis());
        }
    }

    private void wakeAt(long millis) {
        later = context.turns().at(millis, this, later);
    }

    /** What it asked to be woken for is due. */
    void wakeUp() {
        later = null;
        sweeping = true;
        markDirty();
    }

    /** It is no more: nothing wakes it. */
    public void close() {
        context.turns().forget(later);
        later = null;
    }

    /**
     * Hands out what can be, in turn to the consumers with credit, and in turn from the partitions.
     *
     * @return how many messages were dealt with
     */
    public int dispatch(long nowMillis, ExpirySink expiry) {
        dirty = false;
        int handed = 0;
        for (int i = 0; i < partitions.size() && handed < MESSAGES_PER_TURN; i++) {
            PartitionDispatch partition = partitions.get((firstPartition + i) % partitions.size());
            partition.beginTurn(nowMillis);
            for (int j = 0; j < audiences.size() && handed < MESSAGES_PER_TURN; j++) {
                Audience audience = audiences.get((firstAudience + j) % audiences.size());
                handed += dispatch(partition, audience, nowMillis, expiry, handed);
            }
        }
        firstPartition = (firstPartition + 1) % partitions.size();
        firstAudience = (firstAudience + 1) % audiences.size();
        if (handed >= MESSAGES_PER_TURN) {
            markDirty();
        }
        if (draining) {
            endDrains(true);
        }
        if (sweeping) {
            sweep(expiry);
        }
        planTurn(nowMillis);
        if (consumers > 1 && !isReturning() && !hasGroups()) {
            for (int i = 0; i < audiences.size(); i++) {
                context.recalls().look(audiences.get(i));
            }
        }
        return handed;
    }

    /** Looks for expired messages, some at a time. */
    private void sweep(ExpirySink expiry) {
        sweeping = false;
        for (PartitionDispatch partition : partitions) {
            Expired expired = new Expired(context.limits().keepsExpired());
            boolean more = false;
            try {
                more = partition.sweep(MESSAGES_PER_TURN, expired) >= MESSAGES_PER_TURN;
            } catch (DamagedLogException e) {
                damaged(partition, e);
            } finally {
                if (!expired.isEmpty()) {
                    expiry.expired(this, partition, expired);
                }
            }
            sweeping |= more;
        }
        if (sweeping) {
            markDirty();
        }
    }

    private void planTurn(long nowMillis) {
        long next = Long.MAX_VALUE;
        for (int i = 0; i < partitions.size(); i++) {
            PartitionDispatch partition = partitions.get(i);
            next = Math.min(
                    next, partition.nextSweep(nowMillis + context.limits().expiryMillis()));
            if (consumers > 0) {
                next = Math.min(next, partition.nextDelivery());
                next = Math.min(next, partition.nextStallCheck(nowMillis));
            }
        }
        if (next != Long.MAX_VALUE) {
            wakeAt(next);
        }
    }

    /** @param mayHaveMore whether those wait for whom there may be something */
    private void endDrains(boolean mayHaveMore) {
        draining = false;
        for (Audience audience : audiences) {
            for (Consumer consumer : audience.consumers()) {
                if (consumer.isDraining()) {
                    boolean hasMore = mayHaveMore && (isReturning() || audience.mayHaveMore(consumer));
                    if (hasMore && consumer.mayTake()) {
                        draining = true;
                    } else {
                        consumer.drained();
                    }
                }
            }
        }
    }

    /** A consumer waits for the end of a drain. */
    void drainAsked() {
        draining = true;
    }

    private int dispatch(
            PartitionDispatch partition, Audience audience, long nowMillis, ExpirySink expiry, int already) {
        Lane lane = audience.lane(partition.index());
        int handed = 0;
        int round = 0;
        int share = 0;
        int idle = 0;
        while (already + handed < MESSAGES_PER_TURN && !partition.isReturning()) {
            int eligible = lane.available() == 0 ? 0 : audience.eligible();
            if (eligible == 0) {
                break;
            }
            if (round == 0) {
                round = eligible;
                share = (int) Math.min(DeliveryBuffer.MESSAGES_MAX, (lane.available() + eligible - 1) / eligible);
            }
            round--;
            int looked = deliver(partition, audience.nextEligible(), share, nowMillis, expiry);
            idle = looked == 0 ? idle + 1 : 0;
            if (idle > 0 && (idle >= eligible || !lane.keepsForOne())) {
                break;
            }
            handed += looked;
        }
        return handed;
    }

    private int deliver(PartitionDispatch partition, Consumer consumer, int share, long nowMillis, ExpirySink expiry) {
        Expired expired = new Expired(context.limits().keepsExpired());
        try {
            return consumer.lane(partition).deliver(consumer, share, nowMillis, expired);
        } catch (DamagedLogException e) {
            damaged(partition, e);
            return 0;
        } finally {
            if (!expired.isEmpty()) {
                expiry.expired(this, partition, expired);
            }
            List<OffsetRange> skipped = consumer.lane(partition).takeSkipped();
            if (!skipped.isEmpty()) {
                expiry.skipped(this, partition, skipped);
            }
        }
    }

    private void damaged(PartitionDispatch partition, DamagedLogException cause) {
        partition.markDamaged();
        LOG.error(
                "Subscription '{}' of '{}' stops at partition {}, the log cannot give its messages: {}",
                row.name(),
                destination.name(),
                partition.partition().id(),
                cause.getMessage());
    }

    /** Whether messages are to be kept with their consumers, so that it is of no use to take them back. */
    private boolean hasGroups() {
        for (PartitionDispatch partition : partitions) {
            if (partition.partition().groupEnd() > partition.cursor().settledBelow()) {
                return true;
            }
        }
        return false;
    }

    private boolean isReturning() {
        for (PartitionDispatch partition : partitions) {
            if (partition.isReturning()) {
                return true;
            }
        }
        return false;
    }

    /** Tells consumers that wait for the end of a drain that nothing comes: the log has stopped. */
    public void endDrains() {
        dirty = false;
        endDrains(false);
    }
}
