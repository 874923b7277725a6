package io.duramen.broker.subscription;

import io.duramen.broker.destination.Destination;
import io.duramen.broker.destination.Partition;
import io.duramen.broker.selector.MessageFilter;
import io.duramen.log.DamagedLogException;
import io.duramen.metadata.ShardImage.SubscriptionRow;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.OffsetRange;
import io.duramen.protocol.record.RecordBatch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

    /** Messages that the subscription leaves out, per partition, after which they are settled. */
    private static final int SKIPPED_MAX = 1024;

    /** Time after which they are settled, however few they are. */
    private static final long SKIPPED_MILLIS = 1000;

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
    private boolean sweeping;
    private boolean closed;
    private boolean paused;
    private Turns.Later later;

    /** Those whose lanes are fed by indexes are not among {@code audiences}, but here while their turn comes. */
    private final ArrayDeque<Audience> due = new ArrayDeque<>();

    /** All but the plain one. */
    private final Map<MessageFilter, Audience> byFilter = new LinkedHashMap<>();

    private final Drains drains = new Drains();

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
            dispatch(partition, cursorOf.apply(partition));
        }
        plain = new Audience(ownFilter, true, partitions);
        audiences.add(plain);
        for (PartitionDispatch partition : partitions) {
            if (partition.mayExpire()) {
                wakeAt(0);
            }
        }
    }

    private PartitionDispatch dispatch(Partition partition, Cursor cursor) {
        Wakes wakes = new Wakes(this::markDirty, () -> wakeAt(0));
        PartitionDispatch added = new PartitionDispatch(partition, partitions.size(), cursor, context, wakes);
        partitions.add(added);
        return added;
    }

    /** Its destination has a further partition, from which those that consume are fed as well. */
    public void add(Partition partition, Cursor cursor) {
        PartitionDispatch added = dispatch(partition, cursor);
        plain.consumers().forEach(consumer -> consumer.knows(partitions.size()));
        byFilter.values().forEach(audience -> audience.consumers().forEach(one -> one.knows(partitions.size())));
        audiences.forEach(audience -> audience.add(added));
        for (Audience audience : byFilter.values()) {
            if (audience.isFed() && !audience.addFed(added, context.limits().window(), this::due)) {
                release(audience);
                audience.add(added);
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

    public Holdings holdings() {
        return partitions.stream().map(PartitionDispatch::holdings).reduce(new Holdings(0, 0, 0), Holdings::plus);
    }

    /** Whether a consumer is attached that has not left. */
    public boolean isActive() {
        return consumers > 0;
    }

    /** Consumers that are attached and have not left. */
    public int consumers() {
        return consumers;
    }

    public List<Consumer> attached() {
        List<Consumer> all = new ArrayList<>(plain.consumers());
        byFilter.values().forEach(audience -> all.addAll(audience.consumers()));
        return all;
    }

    /** Messages on which they hold leases. */
    public long held() {
        return attached().stream().mapToLong(Consumer::leases).sum();
    }

    /** Committed messages that it has not settled, held or not. */
    public long unsettled() {
        long count = 0;
        for (PartitionDispatch dispatch : partitions) {
            Cursor cursor = dispatch.cursor();
            count += dispatch.partition().nextOffset() - cursor.settledBelow() - cursor.settledBeyond();
        }
        return count;
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
        Audience known = byFilter.get(filter);
        if (known != null) {
            return known;
        }
        Audience audience = filter.equality()
                .map(equality -> Audience.fed(
                        filter, equality, partitions, context.limits().window(), this::due))
                .orElse(null);
        if (audience == null) {
            audience = new Audience(filter, false, partitions);
            audiences.add(audience);
        }
        byFilter.put(filter, audience);
        return audience;
    }

    /** One that is fed has something to hand out, or somebody to hand it to. */
    private void due(Audience audience) {
        if (!audience.isDue()) {
            audience.due(true);
            due.add(audience);
        }
    }

    /** A consumer may take more than before. */
    void granted(Consumer consumer) {
        if (consumer.audience().isFed()) {
            due(consumer.audience());
        }
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
            byFilter.remove(audience.filter());
            audiences.remove(audience);
            due.remove(audience);
            audience.close();
        }
        markDirty();
    }

    /** Hands out nothing from now on, or does so again; who holds something keeps it. */
    public void pause(boolean now) {
        paused = now;
        byFilter.values().stream().filter(Audience::isFed).forEach(this::due);
        markDirty();
    }

    boolean isPaused() {
        return paused;
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
        if (closed) {
            return;
        }
        later = context.turns().at(millis, this, later);
    }

    /** What it asked to be woken for is due. */
    void wakeUp() {
        later = null;
        sweeping = true;
        markDirty();
    }

    /** Where what leaves goes to is there now, perhaps. */
    public void tryToMove() {
        if (!closed) {
            partitions.forEach(partition -> partition.redeliveries().tryAt(0));
            wakeAt(0);
        }
    }

    /** It is no more: nothing wakes it, and it keeps nothing in memory for which others may have use. */
    public void close() {
        closed = true;
        for (PartitionDispatch partition : partitions) {
            List.copyOf(partition.indexes()).forEach(EqualityIndex::close);
        }
        context.turns().forget(later);
        later = null;
    }

    /**
     * Hands out what can be, in turn to the consumers with credit, and in turn from the partitions.
     *
     * @return how many messages were dealt with
     */
    public int dispatch(long nowMillis, UndeliveredSink sink) {
        dirty = false;
        if (closed) {
            return 0;
        }
        int looked = 0;
        for (PartitionDispatch partition : partitions) {
            partition.beginTurn(nowMillis);
            looked += move(partition, nowMillis, sink) + lookForIndexes(partition, nowMillis, sink);
        }
        int handed = dispatchFed(nowMillis, sink);
        for (int i = 0; i < partitions.size() && handed < MESSAGES_PER_TURN; i++) {
            PartitionDispatch partition = partitions.get((firstPartition + i) % partitions.size());
            for (int j = 0; j < audiences.size() && handed < MESSAGES_PER_TURN; j++) {
                Audience audience = audiences.get((firstAudience + j) % audiences.size());
                handed += dispatch(partition, audience, nowMillis, sink, handed);
            }
        }
        firstPartition = firstPartition + 1 < partitions.size() ? firstPartition + 1 : 0;
        firstAudience = (firstAudience + 1) % audiences.size();
        if (handed >= MESSAGES_PER_TURN) {
            markDirty();
        }
        endDrainsThatAreDue();
        if (sweeping) {
            partitions.forEach(partition -> settleSkipped(partition, sink));
            sweep(sink);
        }
        planTurn(nowMillis);
        if (consumers > 1 && !isReturning() && !hasGroups()) {
            for (int i = 0; i < audiences.size(); i++) {
                context.recalls().look(audiences.get(i));
            }
        }
        return looked + handed;
    }

    /** Has what leaves go where it goes, some at a time. */
    private int move(PartitionDispatch partition, long nowMillis, UndeliveredSink sink) {
        Undeliverable messages;
        try {
            messages = partition.redeliveries().gather(nowMillis);
        } catch (DamagedLogException e) {
            damaged(partition, e);
            return 0;
        }
        if (messages.isEmpty()) {
            return 0;
        }
        if (sink.undeliverable(this, partition, messages)) {
            partition.redeliveries().left(messages);
            wakeAt(0);
        } else {
            partition.redeliveries().tryAt(nowMillis + context.limits().expiryMillis());
        }
        return messages.messages().size();
    }

    private void expire(PartitionDispatch partition, Expired expired, UndeliveredSink sink) {
        if (!sink.expired(this, partition, expired)) {
            for (OffsetRange range : expired.ranges()) {
                for (long offset = range.first(); offset <= range.last(); offset++) {
                    partition.redeliveries().leave(offset, Undeliverable.Cause.EXPIRED, "");
                }
            }
        }
    }

    private int lookForIndexes(PartitionDispatch partition, long nowMillis, UndeliveredSink sink) {
        int looked = 0;
        for (int i = 0; i < partition.indexes().size(); i++) {
            EqualityIndex index = partition.indexes().get(i);
            if (index.isBehind()) {
                looked += look(index, partition, nowMillis, sink);
            }
        }
        return looked;
    }

    private int look(EqualityIndex index, PartitionDispatch partition, long nowMillis, UndeliveredSink sink) {
        Expired expired = new Expired(context.expiredBytes(destination));
        List<Lane> crowded = new ArrayList<>(0);
        int looked = 0;
        try {
            looked = index.advance(nowMillis, expired, crowded);
        } catch (DamagedLogException e) {
            damaged(partition, e);
        } finally {
            if (!expired.isEmpty()) {
                expire(partition, expired, sink);
            }
        }
        for (Lane lane : crowded) {
            release(byFilter.get(lane.filter()));
        }
        if (looked >= EqualityIndex.LOOK_MAX || !crowded.isEmpty()) {
            markDirty();
        }
        return looked;
    }

    private void release(Audience audience) {
        if (audience.isFed()) {
            audience.release();
            audiences.add(audience);
        }
    }

    /** Only those for whom there is something, however many there are. */
    private int dispatchFed(long nowMillis, UndeliveredSink sink) {
        int handed = 0;
        for (int i = due.size(); i > 0 && handed < MESSAGES_PER_TURN; i--) {
            Audience audience = due.poll();
            audience.due(false);
            if (!audience.isFed()) {
                continue;
            }
            for (int j = 0; j < partitions.size() && !audience.isTakingBack(); j++) {
                handed += dispatch(partitions.get(j), audience, nowMillis, sink, handed);
            }
            if (audience.hasAvailable() && audience.eligible() > 0) {
                due(audience);
            } else if (audience.consumers().size() > 1 && !isReturning()) {
                context.recalls().look(audience);
            }
        }
        return handed;
    }

    /** Looks for expired messages, some at a time. */
    private void sweep(UndeliveredSink sink) {
        sweeping = false;
        for (PartitionDispatch partition : partitions) {
            Expired expired = new Expired(context.expiredBytes(destination));
            boolean more = false;
            try {
                more = partition.sweep(MESSAGES_PER_TURN, expired) >= MESSAGES_PER_TURN || expired.isFull();
            } catch (DamagedLogException e) {
                damaged(partition, e);
            } finally {
                if (!expired.isEmpty()) {
                    expire(partition, expired, sink);
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
            next = Math.min(next, partition.redeliveries().nextTry());
            if (plain.lane(i).scan().skipped() > 0) {
                next = Math.min(next, nowMillis + SKIPPED_MILLIS);
            }
            if (consumers > 0) {
                next = Math.min(next, partition.nextDelivery());
                next = Math.min(next, partition.nextStallCheck(nowMillis));
            }
        }
        if (next != Long.MAX_VALUE) {
            wakeAt(next);
        }
    }

    private void endDrainsThatAreDue() {
        if (!drains.areDue()) {
            return;
        }
        boolean returning = isReturning();
        boolean full = partitions.stream()
                .anyMatch(partition -> partition.redeliveries().isFull());
        drains.end(consumer -> !full && (returning || consumer.audience().mayHaveMore(consumer)));
    }

    /**
     * No drain ends until {@link #letDrainsGo}, since something that was committed before is on its way. Returns whether that has
     * to be waited for: not where somebody waits already.
     */
    public boolean holdDrains() {
        return drains.hold();
    }

    /** What drains waited for is there. Returns whether they have to wait once more, for what came meanwhile. */
    public boolean letDrainsGo() {
        markDirty();
        return drains.letGo();
    }

    /** A consumer waits for the end of a drain. */
    void drainAsked(Consumer consumer) {
        drains.ask(consumer);
    }

    private int dispatch(
            PartitionDispatch partition, Audience audience, long nowMillis, UndeliveredSink sink, int already) {
        Lane lane = audience.lane(partition.index());
        int handed = 0;
        int round = 0;
        int share = 0;
        int idle = 0;
        while (already + handed < MESSAGES_PER_TURN && !partition.isHeldUp()) {
            int eligible = lane.available() == 0 ? 0 : audience.eligible();
            if (eligible == 0) {
                break;
            }
            if (round == 0) {
                round = eligible;
                share = (int) Math.min(DeliveryBuffer.MESSAGES_MAX, (lane.available() + eligible - 1) / eligible);
            }
            round--;
            int looked = deliver(partition, audience.nextEligible(), share, nowMillis, sink);
            idle = looked == 0 ? idle + 1 : 0;
            if (idle > 0 && (idle >= eligible || !lane.differs())) {
                break;
            }
            handed += looked;
        }
        return handed;
    }

    private int deliver(
            PartitionDispatch partition, Consumer consumer, int share, long nowMillis, UndeliveredSink sink) {
        Expired expired = new Expired(context.expiredBytes(destination));
        try {
            return consumer.lane(partition).deliver(consumer, share, nowMillis, expired);
        } catch (DamagedLogException e) {
            damaged(partition, e);
            return 0;
        } finally {
            if (!expired.isEmpty()) {
                expire(partition, expired, sink);
            }
            int skipped = consumer.lane(partition).scan().skipped();
            if (skipped >= SKIPPED_MAX || skipped > 0 && !isDurable()) {
                settleSkipped(partition, sink);
            }
        }
    }

    /** What the subscription itself leaves out: gathered for a while, so that not each message of others costs a record. */
    private void settleSkipped(PartitionDispatch partition, UndeliveredSink sink) {
        List<OffsetRange> skipped = plain.lane(partition.index()).scan().takeSkipped();
        if (!skipped.isEmpty()) {
            sink.skipped(this, partition, skipped);
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
            if (partition.mayHaveGroups()) {
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
        drains.end(consumer -> false);
    }
}
