package io.duramen.broker.subscription;

import io.duramen.broker.destination.Partition;
import io.duramen.broker.selector.MessageFilter;
import io.duramen.protocol.frame.OffsetRange;
import io.duramen.protocol.record.MessageRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.collections.LongArrayList;

/**
 * Hands one partition's messages to the consumers of one subscription: what is held, what was given back, what comes
 * next, by one {@link Lane} for each kind of consumer. Confined to the shard's agent. The cursor is hard state; all else
 * is the leader's soft state. An offset is settled, leased, or free; what is free is ready in a lane, or still to be
 * looked at there, or not for its consumers.
 */
public final class PartitionDispatch {
    private final Partition partition;
    private final Cursor cursor;
    private final RecordReader reader;
    private final int index;
    private final DispatchContext context;
    private final Runnable onReady;

    private final Long2ObjectHashMap<Lease> leases = new Long2ObjectHashMap<>();
    private final List<Lane> lanes = new ArrayList<>(1);
    private int returning;
    private boolean damaged;

    /**
     * @param index of the partition in its destination
     * @param onReady called when there may be something to hand out after bytes had to be fetched
     */
    PartitionDispatch(Partition partition, int index, Cursor cursor, DispatchContext context, Runnable onReady) {
        this.partition = partition;
        this.index = index;
        this.cursor = cursor;
        this.context = context;
        this.onReady = onReady;
        this.reader = new RecordReader(context, partition.id(), onReady);
    }

    public Partition partition() {
        return partition;
    }

    public Cursor cursor() {
        return cursor;
    }

    int index() {
        return index;
    }

    /** For what is handed out. */
    RecordReader reader() {
        return reader;
    }

    /** @param own see {@link Audience} */
    Lane openLane(MessageFilter filter, boolean own) {
        Lane lane = new Lane(this, filter, own, context, onReady);
        lanes.add(lane);
        return lane;
    }

    void closed(Lane lane) {
        lanes.remove(lane);
    }

    /** Whether failed deliveries are on their way back: what comes behind them has to wait, to keep the order. */
    public boolean isReturning() {
        return returning > 0;
    }

    /** Stops handing out, after the log could not give what it should have. */
    void markDamaged() {
        damaged = true;
    }

    boolean isDamaged() {
        return damaged;
    }

    /** Whether the message is neither settled nor in anyone's hands. */
    boolean isFree(long offset) {
        return !cursor.isSettled(offset) && !leases.containsKey(offset);
    }

    /** The first free message at or beyond this offset; -1 where there is none. */
    long nextFree(long from) {
        long next = from;
        while (next < partition.nextOffset()) {
            next = cursor.nextUnsettled(next);
            if (next >= partition.nextOffset()) {
                return -1;
            }
            if (!leases.containsKey(next)) {
                return next;
            }
            next++;
        }
        return -1;
    }

    void lease(long offset, Lease lease) {
        leases.put(offset, lease);
    }

    /** Keeps a message that waits to be settled from everyone. */
    void leaseToNobody(long offset) {
        Lease lease = new Lease(null, 0, -1);
        lease.ending = true;
        leases.put(offset, lease);
    }

    /** A lease on a message that nobody has looked at. */
    private Lease blindLease(Consumer consumer, long offset) {
        return new Lease(consumer, 0, offset < partition.unorderedEnd() ? -1 : MessageRecord.PRIORITY_USUAL);
    }

    /** Whether this consumer may end its lease on the message, or settle one that nobody holds. */
    public boolean maySettle(Consumer consumer, long offset) {
        Lease lease = leases.get(offset);
        if (lease != null) {
            return lease.consumer == consumer && !lease.ending;
        }
        return isUnsettled(offset);
    }

    /**
     * Decides the end of a lease, which stays until it is committed by {@link #settle} or {@link #giveBack}.
     *
     * @return false, and nothing is decided, unless {@link #maySettle} held
     */
    public boolean end(Consumer consumer, long offset, boolean giveBack) {
        Lease lease = leases.get(offset);
        if (lease == null) {
            if (!isUnsettled(offset)) {
                return false;
            }
            lease = blindLease(consumer, offset);
            consumer.hold();
            leases.put(offset, lease);
        } else if (lease.consumer != consumer || lease.ending) {
            return false;
        }
        lease.ending = true;
        lease.givingBack = giveBack;
        if (giveBack) {
            returning++;
        }
        return true;
    }

    private boolean isUnsettled(long offset) {
        return offset < partition.nextOffset() && !cursor.isSettled(offset);
    }

    /** Whether a delivery is on its way back, so that it may be held again once that is committed. */
    public boolean isReturning(long offset) {
        Lease lease = leases.get(offset);
        return lease != null && lease.givingBack;
    }

    /** Leases to a consumer what it held before it lost its connection; false where that is no longer possible. */
    public boolean hold(Consumer consumer, long offset) {
        if (leases.containsKey(offset) || !isUnsettled(offset)) {
            return false;
        }
        leases.put(offset, blindLease(consumer, offset));
        consumer.hold();
        return true;
    }

    /** Replays a settlement. */
    public void settle(List<OffsetRange> ranges) {
        for (OffsetRange range : ranges) {
            cursor.settle(range.first(), range.last());
            for (long offset = range.first(); offset <= range.last() && !leases.isEmpty(); offset++) {
                drop(offset);
            }
            for (int i = 0; i < lanes.size(); i++) {
                lanes.get(i).settled(range.first(), range.last());
            }
        }
    }

    /** Replays that deliveries came back after the application had seen them. */
    public void giveBack(List<OffsetRange> ranges) {
        for (OffsetRange range : ranges) {
            for (long offset = range.first(); offset <= range.last(); offset++) {
                cursor.countDelivery(offset);
                Lease lease = drop(offset);
                if (lease != null) {
                    returning--;
                    makeAvailable(offset, lease);
                }
            }
        }
    }

    /** @return null where nobody held it */
    private Lease drop(long offset) {
        Lease lease = leases.remove(offset);
        if (lease != null && lease.consumer != null) {
            lease.consumer.letGo();
        }
        return lease;
    }

    private void makeAvailable(long offset, Lease lease) {
        if (!cursor.isSettled(offset)) {
            for (int i = 0; i < lanes.size(); i++) {
                lanes.get(i).returned(offset, lease);
            }
        }
    }

    /** Takes back what a consumer gives back unseen. */
    public void release(Consumer consumer, long offset) {
        Lease lease = leases.get(offset);
        if (lease != null && lease.consumer == consumer && !lease.ending) {
            makeAvailable(offset, drop(offset));
        }
    }

    /**
     * Takes back what a leaving consumer holds and has not seen.
     *
     * @param seen takes, ascending, the offsets of what it has seen, whose leases stay
     */
    public void releaseUnseen(Consumer consumer, Offsets seen) {
        if (consumer.leases() == 0) {
            return;
        }
        LongArrayList held = new LongArrayList();
        leases.forEachLong((offset, lease) -> {
            if (lease.consumer == consumer && !lease.ending) {
                held.addLong(offset);
            }
        });
        long[] ascending = held.toLongArray();
        Arrays.sort(ascending);
        for (long offset : ascending) {
            if (consumer.hasSeen(leases.get(offset).number)) {
                seen.add(offset);
            } else {
                release(consumer, offset);
            }
        }
    }
}
