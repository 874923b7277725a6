package io.duramen.broker.subscription;

import io.duramen.broker.destination.Partition;
import io.duramen.log.DamagedLogException;
import io.duramen.protocol.frame.OffsetRange;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.collections.LongArrayList;

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
    public boolean isReturning() {
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
     * @return how many messages were dealt with; 0 where there is none, or its bytes have to be fetched first
     * @throws DamagedLogException where the log cannot give what it should have; what came before has been sent
     */
    int deliver(Consumer consumer, int max, long nowMillis, Offsets expired) {
        int looked = 0;
        try {
            while (buffer.count() < max && buffer.bytes() < deliverBytes && consumer.mayTake() && looked < LOOK_MAX) {
                long offset = next();
                if (offset < 0 || !reader.seek(offset)) {
                    break;
                }
                take(offset);
                looked++;
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
        } finally {
            if (buffer.count() > 0) {
                consumer.send(buffer.take(consumer.shard(), consumer.id(), partition.id()));
            }
        }
        if (available() == 0) {
            reader.clear();
        }
        return looked;
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
            lease = new Lease(consumer, 0);
            consumer.hold();
            leases.put(offset, lease);
            returned.remove(offset);
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
