package io.duramen.broker.subscription;

import io.duramen.broker.destination.Partition;
import io.duramen.protocol.frame.OffsetRange;
import java.util.List;
import java.util.TreeSet;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * Hands one partition's messages to the consumers of one subscription: what is held, what was given back, what comes
 * next. Confined to the shard's agent. The cursor is hard state; all else is the leader's soft state, and an offset is
 * in at most one of these places: settled, leased, returned, or at or beyond {@code nextFresh}.
 */
public final class PartitionDispatch {
    /** Most messages that one call of {@link #deliver} looks at. */
    private static final int LOOK_MAX = 4 * DeliveryBuffer.MESSAGES_MAX;

    private final Partition partition;
    private final Cursor cursor;
    private final RecordReader reader;
    private final DeliveryBuffer buffer;
    private final int deliverBytes;

    private final Long2ObjectHashMap<Lease> leases = new Long2ObjectHashMap<>();
    private final TreeSet<Long> returned = new TreeSet<>();
    private long nextFresh;
    private int returning;
    private boolean damaged;

    PartitionDispatch(
            Partition partition, Cursor cursor, RecordReader reader, DeliveryBuffer buffer, int deliverBytes) {
        this.partition = partition;
        this.cursor = cursor;
        this.reader = reader;
        this.buffer = buffer;
        this.deliverBytes = deliverBytes;
        this.nextFresh = cursor.settledBelow();
    }

    public Partition partition() {
        return partition;
    }

    public Cursor cursor() {
        return cursor;
    }

    /** An upper bound of the messages that could be handed out now. */
    long available() {
        return damaged ? 0 : returned.size() + Math.max(0, partition.nextOffset() - nextFresh);
    }

    /** Whether failed deliveries are on their way back: what comes behind them has to wait, to keep the order. */
    boolean isReturning() {
        return returning > 0;
    }

    /** Stops handing out, after the log could not give what it should have. */
    void markDamaged() {
        damaged = true;
    }

    private long next() {
        if (!returned.isEmpty()) {
            return returned.first();
        }
        while (nextFresh < partition.nextOffset()) {
            nextFresh = cursor.nextUnsettled(nextFresh);
            if (nextFresh >= partition.nextOffset()) {
                return -1;
            }
            if (!leases.containsKey(nextFresh)) {
                return nextFresh;
            }
            nextFresh++;
        }
        return -1;
    }

    /**
     * Sends a consumer up to {@code max} messages, as far as its credit goes.
     *
     * @param expired takes the offsets of messages whose time is over; they are leased to no one until settled
     * @return false where bytes have to be fetched first
     */
    boolean deliver(Consumer consumer, int max, long nowMillis, Offsets expired) {
        boolean fetched = true;
        int looked = 0;
        while (buffer.count() < max && buffer.bytes() < deliverBytes && consumer.mayTake() && looked++ < LOOK_MAX) {
            long offset = next();
            if (offset < 0) {
                break;
            }
            fetched = reader.seek(offset);
            if (!fetched) {
                break;
            }
            take(offset);
            long expiration = reader.expiration();
            if (expiration != 0 && expiration <= nowMillis) {
                Lease lease = new Lease(null, 0);
                lease.ending = true;
                leases.put(offset, lease);
                expired.add(offset);
            } else {
                leases.put(offset, new Lease(consumer, consumer.take(reader.length())));
                buffer.add(offset, cursor.deliveries(offset) + 1, reader);
            }
        }
        if (buffer.count() > 0) {
            consumer.send(buffer.take(consumer.shard(), consumer.id(), partition.id()));
        }
        if (available() == 0) {
            reader.clear();
        }
        return fetched;
    }

    private void take(long offset) {
        if (offset == nextFresh) {
            nextFresh++;
        } else {
            returned.remove(offset);
        }
    }

    /** Whether this consumer may end its lease on the message, or settle one that nobody holds. */
    public boolean maySettle(Consumer consumer, long offset) {
        Lease lease = leases.get(offset);
        if (lease != null) {
            return lease.consumer == consumer && !lease.ending;
        }
        return offset < partition.nextOffset() && !cursor.isSettled(offset);
    }

    /** Decides the end of a lease, which stays until it is committed by {@link #settle} or {@link #giveBack}. */
    public void end(Consumer consumer, long offset, boolean giveBack) {
        Lease lease = leases.get(offset);
        if (lease == null) {
            lease = new Lease(consumer, 0);
            consumer.hold();
            leases.put(offset, lease);
            returned.remove(offset);
        }
        if (giveBack && !lease.ending) {
            returning++;
        }
        lease.ending = true;
    }

    /** Leases to a consumer what it held before it lost its connection; false where that is no longer possible. */
    public boolean hold(Consumer consumer, long offset) {
        if (leases.containsKey(offset) || offset >= partition.nextOffset() || cursor.isSettled(offset)) {
            return false;
        }
        leases.put(offset, new Lease(consumer, 0));
        returned.remove(offset);
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
            if (!returned.isEmpty()) {
                returned.subSet(range.first(), true, range.last(), true).clear();
            }
        }
    }

    /** Replays that deliveries came back after the application had seen them. */
    public void giveBack(List<OffsetRange> ranges) {
        for (OffsetRange range : ranges) {
            for (long offset = range.first(); offset <= range.last(); offset++) {
                cursor.countDelivery(offset);
                if (drop(offset)) {
                    returning--;
                    makeAvailable(offset);
                }
            }
        }
    }

    private boolean drop(long offset) {
        Lease lease = leases.remove(offset);
        if (lease == null) {
            return false;
        }
        if (lease.consumer != null) {
            lease.consumer.letGo();
        }
        return true;
    }

    private void makeAvailable(long offset) {
        if (offset < nextFresh && !cursor.isSettled(offset)) {
            returned.add(offset);
        }
    }

    /** Takes back what a consumer gives back unseen. */
    public void release(Consumer consumer, long offset) {
        Lease lease = leases.get(offset);
        if (lease != null && lease.consumer == consumer && !lease.ending) {
            drop(offset);
            makeAvailable(offset);
        }
    }

    /**
     * Takes back what a leaving consumer holds and has not seen.
     *
     * @param seen takes, ascending, the offsets of what it has seen, whose leases stay
     */
    public void releaseUnseen(Consumer consumer, Offsets seen) {
        TreeSet<Long> unseen = new TreeSet<>();
        TreeSet<Long> given = new TreeSet<>();
        leases.forEachLong((offset, lease) -> {
            if (lease.consumer == consumer && !lease.ending) {
                (consumer.hasSeen(lease.number) ? given : unseen).add(offset);
            }
        });
        unseen.forEach(offset -> release(consumer, offset));
        given.forEach(seen::add);
    }
}
