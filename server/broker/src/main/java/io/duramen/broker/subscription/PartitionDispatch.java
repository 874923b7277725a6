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
    /** Fields of which a partition has an index at a time; selectors on others scan by themselves. */
    private static final int INDEXES_MAX = 4;

    private final Partition partition;
    private final Cursor cursor;
    private final RecordReader reader;
    private final int index;
    private final DispatchContext context;
    private final Runnable onReady;

    private final Long2ObjectHashMap<Lease> leases = new Long2ObjectHashMap<>();
    private final List<Lane> lanes = new ArrayList<>(1);
    private final List<EqualityIndex> indexes = new ArrayList<>(0);
    private final BranchLeases branchLeases = new BranchLeases(this, leases);
    private final Redeliveries redeliveries;
    private int returning;
    private boolean damaged;

    /** Held by none, and not free. */
    private final Reclaimed reclaimed;

    private final Delays delays;

    /** Never goes back, so that what was due stays so. */
    private long nowMillis;

    /** Null where no message can expire. */
    private ExpirySweep sweep;

    /** Null where there never was a group. */
    private Groups groups;

    /** Messages held since before a connection was lost, of which it is to be seen whether they belong to a group. */
    private final Adopted adopted = new Adopted(this, leases);

    /**
     * @param index of the partition in its destination
     * @param wakes called when there is something to do
     */
    PartitionDispatch(Partition partition, int index, Cursor cursor, DispatchContext context, Wakes wakes) {
        this.partition = partition;
        this.index = index;
        this.cursor = cursor;
        this.context = context;
        this.onReady = wakes.onReady();
        this.reader = new RecordReader(context, partition.id(), onReady);
        this.reclaimed = new Reclaimed(index);
        this.delays = new Delays(context.limits().timersMax());
        this.redeliveries = new Redeliveries(this, context, wakes.onLeaving());
        redeliveries.load();
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

    /** A lane that is fed by an index once it has joined one. */
    Lane openFedLane(MessageFilter filter, Runnable whenFed) {
        Lane lane = new Lane(this, filter, false, context, onReady);
        lane.feedBy(whenFed);
        return lane;
    }

    /** It looks on by itself now, and is told what happens here. */
    void opened(Lane lane) {
        lanes.add(lane);
    }

    /** The index of a field; null where there is none and may be none. */
    EqualityIndex index(String field) {
        for (EqualityIndex one : indexes) {
            if (one.field().equals(field)) {
                return one;
            }
        }
        if (indexes.size() >= INDEXES_MAX || context.indexBudget().isNone()) {
            return null;
        }
        EqualityIndex created = new EqualityIndex(this, field, context, onReady);
        indexes.add(created);
        return created;
    }

    List<EqualityIndex> indexes() {
        return indexes;
    }

    void closed(EqualityIndex closed) {
        indexes.remove(closed);
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

    /** Whether nothing is handed out at the moment. */
    boolean isHeldUp() {
        return isReturning() || redeliveries.isFull();
    }

    /** Stops handing out, after the log could not give what it should have. */
    void markDamaged() {
        damaged = true;
    }

    boolean isDamaged() {
        return damaged;
    }

    /** What came back and is not to be handed out. */
    Redeliveries redeliveries() {
        return redeliveries;
    }

    /** What prepared branches accept. */
    public BranchLeases branchLeases() {
        return branchLeases;
    }

    /** One more delivery is on its way back. */
    void returns() {
        returning++;
    }

    /** Nobody gets a message, though nobody has it. */
    void keepFromAll(long offset) {
        leases.put(offset, Lease.nobodys());
    }

    /** A message that was kept from all is anyone's, as if it came back from under this lease. */
    void free(long offset, Lease lease) {
        leases.remove(offset);
        makeAvailable(offset, lease);
    }

    /** Whether the message is neither settled nor in anyone's hands. */
    boolean isFree(long offset) {
        return !cursor.isSettled(offset) && !leases.containsKey(offset);
    }

    /** Under what messages are kept from others, by offset. */
    Long2ObjectHashMap<Lease> leases() {
        return leases;
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
        lease.dated(context.turns().nanos());
        leases.put(offset, lease);
        if (lease.group != 0) {
            groups().taken(lease.group);
        }
    }

    /** Keeps a message whose time is over from everyone until it is settled. */
    void expire(long offset, RecordReader at, Expired expired) {
        keepFromAll(offset);
        expired.add(offset, at);
    }

    // ---- times -----------------------------------------------------------------------------------------------------

    /** Whether a message has to wait for its delivery time; it then is among those that do. */
    boolean delays(long offset, long deliveryTime) {
        if (deliveryTime <= nowMillis) {
            return false;
        }
        delays.add(deliveryTime, offset);
        return true;
    }

    /** Begins a turn: what is due by now is offered to the lanes. */
    void beginTurn(long clockMillis) {
        nowMillis = Math.max(nowMillis, clockMillis);
        if (groups != null) {
            lanes.forEach(Lane::unstall);
        }
        delays.offerDue(nowMillis, lanes, indexes);
        redeliveries.release(nowMillis);
    }

    /** When the next message falls due that waits for a time; {@link Long#MAX_VALUE} for never. */
    long nextDelivery() {
        return Math.min(delays.next(), redeliveries.nextMillis());
    }

    /** Whether messages may expire that nobody asks for. */
    boolean mayExpire() {
        return partition.expirationEnd() > cursor.settledBelow();
    }

    /** See {@link ExpirySweep#sweep}. */
    int sweep(int lookMax, Expired expired) {
        if (damaged || !mayExpire()) {
            return 0;
        }
        if (sweep == null) {
            sweep = new ExpirySweep(
                    this,
                    new RecordReader(context, partition.id(), onReady),
                    context.limits().timersMax());
        }
        return sweep.sweep(lookMax, nowMillis, expired);
    }

    /**
     * When to sweep again; {@link Long#MAX_VALUE} for never.
     *
     * @param soonest where there are messages that nobody has looked at
     */
    long nextSweep(long soonest) {
        if (damaged || !mayExpire()) {
            return Long.MAX_VALUE;
        }
        return sweep == null || sweep.hasMore() ? soonest : Math.max(soonest, sweep.nextTime());
    }

    // ---- groups ----------------------------------------------------------------------------------------------------

    /** Whether unsettled messages may belong to groups. */
    boolean mayHaveGroups() {
        return partition.groupEnd() > cursor.settledBelow();
    }

    Groups groups() {
        if (groups == null) {
            groups = new Groups(this, context.limits().groupsMax());
        }
        return groups;
    }

    /**
     * Finds out about the groups of what consumers brought with them.
     *
     * @return false where bytes have to be fetched first; of groups nothing is handed out until then
     */
    boolean adopt() {
        return adopted.isResolved(reader) && redeliveries.adopt(reader);
    }

    /** A consumer joined: it gets its share of the groups. */
    void joined(Consumer consumer) {
        if (groups != null) {
            groups.spread(consumer.audience(), consumer);
        }
    }

    /** A consumer left: what is kept for it is anyone's. */
    void left(Consumer consumer) {
        reclaimed.from(consumer).forEach(this::unreclaim);
        takeGroupsFrom(consumer);
    }

    /** A consumer left, or stalls: its groups go to others. */
    void takeGroupsFrom(Consumer consumer) {
        if (groups != null) {
            groups.moveFrom(consumer);
        }
    }

    /** What was set aside for a consumer is anyone's again; whether there was any. */
    boolean offerSetAside(Consumer owner) {
        boolean offered = false;
        for (int i = 0; i < lanes.size(); i++) {
            offered |= lanes.get(i).offerSetAside(owner);
        }
        return offered;
    }

    /** Whether messages were set aside for this consumer. */
    boolean keepsFor(Consumer owner) {
        return lanes.stream().anyMatch(lane -> lane.keepsFor(owner));
    }

    /** What was set aside for a group is anyone's again. */
    void unblock() {
        lanes.forEach(Lane::unblock);
    }

    /** When to look for consumers that stall; {@link Long#MAX_VALUE} where nothing waits for one. */
    long nextStallCheck(long now) {
        for (int i = 0; i < lanes.size(); i++) {
            if (lanes.get(i).keepsForOne()) {
                return now + Math.max(1, context.limits().groupStallMillis() / 4);
            }
        }
        return Long.MAX_VALUE;
    }

    Holdings holdings() {
        int kept = 0;
        for (Lane lane : lanes) {
            kept += lane.kept();
        }
        int times = delays.size() + redeliveries.size() + (sweep == null ? 0 : sweep.size());
        return new Holdings(kept, times, groups == null ? 0 : groups.size());
    }

    // ---- leases ----------------------------------------------------------------------------------------------------

    /** A lease on a message that nobody has looked at. */
    private Lease blindLease(Consumer consumer, long offset) {
        return new Lease(consumer, 0, offset < partition.unorderedEnd() ? -1 : MessageRecord.PRIORITY_USUAL);
    }

    /** Whether this consumer may end its lease on the message, or settle one that nobody holds. */
    public boolean maySettle(Consumer consumer, long offset) {
        Lease lease = leases.get(offset);
        if (lease != null && !redeliveries.isWaiting(offset)) {
            return lease.consumer == consumer && !lease.ending;
        }
        return isUnsettled(offset);
    }

    /** Whether a consumer holds the message and its end is not decided. */
    public boolean isHeld(Consumer consumer, long offset) {
        Lease lease = leases.get(offset);
        return lease != null && lease.consumer == consumer && !lease.ending;
    }

    /**
     * Decides the end of a lease, which stays until it is committed by {@link #settle} or {@link #giveBack}.
     *
     * @return false, and nothing is decided, unless {@link #maySettle} held
     */
    public boolean end(Consumer consumer, long offset, boolean giveBack) {
        takeWaiting(offset);
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

    /** What waits for its next delivery is nobody's: who had it may have it again, or settle it. */
    private void takeWaiting(long offset) {
        if (redeliveries.isWaiting(offset)) {
            redeliveries.forget(offset);
            leases.remove(offset);
        }
    }

    boolean isUnsettled(long offset) {
        return offset < partition.nextOffset() && !cursor.isSettled(offset);
    }

    /** Whether a delivery is on its way back, so that it may be held again once that is committed. */
    public boolean isReturning(long offset) {
        Lease lease = leases.get(offset);
        return lease != null && lease.givingBack;
    }

    /** Leases to a consumer what it held before it lost its connection; false where that is no longer possible. */
    public boolean hold(Consumer consumer, long offset) {
        takeWaiting(offset);
        if (leases.containsKey(offset) || !isUnsettled(offset)) {
            return false;
        }
        leases.put(offset, blindLease(consumer, offset));
        consumer.handed(index, offset);
        if (offset < partition.groupEnd()) {
            adopted.add(offset);
        }
        consumer.hold();
        return true;
    }

    /** Replays a settlement. */
    public void settle(List<OffsetRange> ranges) {
        for (OffsetRange range : ranges) {
            cursor.settle(range.first(), range.last());
            for (long offset = range.first(); offset <= range.last() && !leases.isEmpty(); offset++) {
                end(drop(offset), offset);
            }
            for (int i = 0; i < indexes.size(); i++) {
                indexes.get(i).settled(range);
            }
        }
    }

    /**
     * Replays that deliveries came back after the application had seen them.
     *
     * @param back why, and when
     */
    public void giveBack(List<OffsetRange> ranges, CameBack back) {
        for (OffsetRange range : ranges) {
            for (long offset = range.first(); offset <= range.last(); offset++) {
                cursor.countDelivery(offset, back.atMillis(), back.refused());
                Lease lease = drop(offset);
                if (lease != null) {
                    end(lease, offset);
                    returning -= lease.givingBack ? 1 : 0;
                }
                boolean kept = !cursor.isSettled(offset) && redeliveries.keeps(offset, lease, back.reason());
                if (lease != null && !kept) {
                    makeAvailable(offset, lease);
                }
            }
        }
    }

    private void end(Lease lease, long offset) {
        if (lease == null) {
            return;
        }
        if (lease.consumer != null) {
            lease.consumer.ended(index, offset);
            return;
        }
        redeliveries.forget(offset);
        if (!reclaimed.isEmpty()) {
            reclaimed.remove(offset);
        }
    }

    /** @return null where nobody held it */
    private Lease drop(long offset) {
        Lease lease = leases.remove(offset);
        if (lease != null && lease.consumer != null) {
            lease.consumer.letGo();
            if (lease.group != 0) {
                groups.letGo(lease.group);
            }
        }
        return lease;
    }

    private void makeAvailable(long offset, Lease lease) {
        if (!cursor.isSettled(offset)) {
            for (int i = 0; i < lanes.size(); i++) {
                lanes.get(i).returned(offset, lease);
            }
            for (int i = 0; i < indexes.size(); i++) {
                indexes.get(i).returned(offset, lease);
            }
            if (sweep != null) {
                sweep.returned(offset);
            }
        }
    }

    /** Takes back what a consumer gives back unseen, because it was asked to or by itself. */
    public void release(Consumer consumer, List<OffsetRange> ranges) {
        for (OffsetRange range : ranges) {
            for (long offset = range.first(); offset <= range.last(); offset++) {
                Lease lease = leases.get(offset);
                if (lease != null && lease.consumer == consumer && !lease.ending) {
                    if (consumer.isRecalling() && lease.number > 0 && lease.group == 0) {
                        reclaim(offset);
                    } else {
                        release(offset);
                    }
                }
            }
        }
        if (consumer.isRecalling()) {
            consumer.keeps(index, lastHeld(consumer));
        }
    }

    void release(long offset) {
        makeAvailable(offset, drop(offset));
    }

    private long lastHeld(Consumer consumer) {
        long last = -1;
        for (Long2ObjectHashMap<Lease>.EntryIterator held = leases.entrySet().iterator(); held.hasNext(); ) {
            held.next();
            if (held.getValue().consumer == consumer) {
                last = Math.max(last, held.getLongKey());
            }
        }
        return last;
    }

    // ---- asked back ------------------------------------------------------------------------------------------------

    private void reclaim(long offset) {
        reclaimed.add(offset, drop(offset));
        keepFromAll(offset);
    }

    /** It is anyone's, as if nobody had asked for it. */
    private void unreclaim(long offset) {
        free(offset, reclaimed.remove(offset));
    }

    /** What was asked back and is not with anyone yet. */
    Reclaimed reclaimed() {
        return reclaimed;
    }

    /** Takes one of those, to hand it out or to end it; returns what its lease said of its priority. */
    int takeReclaimed(long offset) {
        leases.remove(offset);
        return reclaimed.remove(offset).priority;
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
            // One that came before may have been with its application, which tells of those that come again.
            boolean first = cursor.deliveries(offset) == 0;
            if (consumer.hasSeen(leases.get(offset).number, first)) {
                seen.add(offset);
            } else {
                release(offset);
            }
        }
    }
}
