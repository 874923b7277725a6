package io.duramen.broker.subscription;

import io.duramen.broker.destination.Partition;
import io.duramen.broker.selector.MessageFilter;
import io.duramen.log.DamagedLogException;
import io.duramen.protocol.frame.OffsetRange;
import io.duramen.protocol.record.MessageRecord;
import java.util.List;
import java.util.TreeSet;

/**
 * One way through a partition's unsettled messages, for the consumers that take the same of them. Each message is looked
 * at once: what may be handed out is kept in a window of bounded size, whatever the backlog, ordered by priority. Where
 * neither a filter nor a trait of the messages asks for a look, the lane streams: it goes from offset to offset and keeps
 * only what came back. Soft state of the leader; confined to the shard's agent.
 */
final class Lane {
    /** Most messages that one call of {@link #deliver} looks at. */
    private static final int LOOK_MAX = 4 * DeliveryBuffer.MESSAGES_MAX;

    /** Any priority, of a message that was ready before: it has not to wait. */
    private static final int ANY_AGAIN = -1;

    private static final Runnable NOBODY = () -> {};

    private final PartitionDispatch dispatch;
    private final Partition partition;
    private final MessageFilter filter;
    private final boolean own;
    private final DispatchContext context;
    private final DeliveryBuffer buffer;
    private final ReadyOffsets ready = new ReadyOffsets();

    /** To be looked at again: back from a consumer, without a word of what they are, or due. */
    private final TreeSet<Long> again = new TreeSet<>();

    /** Of groups; null where there never was one. */
    private SetAside aside;

    /** What the subscription itself does not take: of no use to any of its lanes, so to be settled. */
    private final Offsets skipped = new Offsets();

    private int skippedCount;

    private final RecordReader scanner;
    private final RecordReader aheadScanner;

    /** Everything below was looked at, and is ready or not for these consumers. */
    private long scanned;

    /** Everything below was looked at for messages that may overtake a full window; not below {@code scanned}. */
    private long ahead;

    /** Priority below which messages between {@code scanned} and there were left, so that none like them may overtake. */
    private int aheadFrom;

    /** Where to look again once there is room; {@link Long#MAX_VALUE} for nowhere. */
    private long rewindTo = Long.MAX_VALUE;

    private Runnable onFed = NOBODY;

    /** Whose lane it is. */
    private Audience audience;

    /** Removed lately, settled or taken since they were ready: there is room for others, so it is worth another look. */
    private int outdated;

    /** At least as many as are ready of those at or beyond {@code scanned}. */
    private int overtaking;

    Lane(PartitionDispatch dispatch, MessageFilter filter, boolean own, DispatchContext context, Runnable onReady) {
        this.dispatch = dispatch;
        this.partition = dispatch.partition();
        this.filter = filter;
        this.own = own;
        this.context = context;
        this.buffer = context.buffer();
        this.scanner = new RecordReader(context, partition.id(), onReady);
        this.aheadScanner = new RecordReader(context, partition.id(), onReady);
        this.scanned = dispatch.cursor().settledBelow();
    }

    void belongsTo(Audience to) {
        audience = to;
    }

    // ---- fed by an index -------------------------------------------------------------------------------------------

    /** From now on it does not look on by itself. */
    void feedBy(Runnable whenFed) {
        scanned = Long.MAX_VALUE;
        ahead = Long.MAX_VALUE;
        onFed = whenFed;
    }

    /** From now on it looks on by itself, from here. */
    void scanFrom(long offset) {
        scanned = offset;
        lookAheadFrom(offset);
        onFed = NOBODY;
    }

    /** A message that it may want; of no group. */
    void offer(long offset, RecordReader at) {
        context.looks().evaluated();
        if (filter.matches(at.buffer(), at.position(), offset)) {
            ready.add(at.priority(), at.deliveryTime(), offset);
            onFed.run();
        }
    }

    /** A message that it may want, to be looked at when its turn comes. */
    void reconsider(long offset) {
        again.add(offset);
        onFed.run();
    }

    boolean isCrowded() {
        return ready.size() + again.size() >= context.limits().window();
    }

    // ---- handing out -----------------------------------------------------------------------------------------------

    MessageFilter filter() {
        return filter;
    }

    void close() {
        letGo();
        dispatch.closed(this);
    }

    private void letGo() {
        scanner.clear();
        aheadScanner.clear();
    }

    /** Takes what was skipped for good since the last call. */
    List<OffsetRange> takeSkipped() {
        skippedCount = 0;
        return skipped.take();
    }

    /** Messages that {@link #takeSkipped} would take. */
    int skipped() {
        return skippedCount;
    }

    /** Messages that it keeps in memory. */
    int kept() {
        return ready.size() + again.size() + (aside == null ? 0 : aside.size());
    }

    /** An upper bound of the messages that could be handed out now. */
    long available() {
        if (dispatch.isDamaged()) {
            return 0;
        }
        return unguided() + (aside == null ? 0 : aside.parked()) + reclaimed();
    }

    private long reclaimed() {
        Reclaimed reclaimed = dispatch.reclaimed();
        return !reclaimed.isEmpty() && audience != null && reclaimed.isWanted(audience) ? reclaimed.size() : 0;
    }

    /** As {@link #available}, for one consumer. */
    long availableTo(Consumer consumer) {
        if (dispatch.isDamaged()) {
            return 0;
        }
        return unguided()
                + (aside == null ? 0 : aside.parked(consumer))
                + (dispatch.reclaimed().firstFor(consumer) < 0 ? 0 : 1);
    }

    private long unguided() {
        long toLookAt = Math.max(0, partition.nextOffset() - Math.min(scanned, rewindTo));
        return ready.size() + again.size() + toLookAt + (mayLookAgain() ? 1 : 0);
    }

    /** Whether what comes next follows from the offsets alone. */
    private boolean streams() {
        return filter == MessageFilter.ALL
                && scanned >= partition.unorderedEnd()
                && again.isEmpty()
                && rewindTo == Long.MAX_VALUE
                && !keepsGroups()
                && (ready.isEmpty()
                        || ready.lowestPriority() >= MessageRecord.PRIORITY_USUAL
                                && partition.groupEnd() <= dispatch.cursor().settledBelow());
    }

    /**
     * Sends a consumer up to {@code max} messages, as far as its credit goes.
     *
     * @param expired takes messages whose time is over; they are leased to no one until settled
     * @return how many messages were dealt with; 0 where there is none, or its bytes have to be fetched first
     * @throws DamagedLogException where the log cannot give what it should have; what came before has been sent
     */
    int deliver(Consumer consumer, int max, long nowMillis, Expired expired) {
        boolean streams = streams();
        int looked = 0;
        try {
            if (!dispatch.reclaimed().isEmpty() && dispatch.reclaimed().firstFor(consumer) >= 0) {
                return handOutReclaimed(consumer, max, nowMillis, expired);
            }
            looked = streams ? stream(consumer, max, nowMillis, expired) : choose(consumer, max, nowMillis, expired);
        } finally {
            if (buffer.count() > 0) {
                consumer.send(buffer.take(consumer.shard(), consumer.id(), partition.id()));
            }
        }
        if (available() == 0) {
            dispatch.reader().clear();
            letGo();
        }
        return looked;
    }

    /** Hands out what others were asked for, as far as it is this consumer's. */
    private int handOutReclaimed(Consumer consumer, int max, long nowMillis, Expired expired) {
        RecordReader at = dispatch.reader();
        int dealt = 0;
        while (mayAdd(consumer, max) && dealt < LOOK_MAX && !expired.isFull()) {
            long offset = dispatch.reclaimed().firstFor(consumer);
            if (offset < 0 || !at.seek(offset)) {
                break;
            }
            int priority = dispatch.takeReclaimed(offset);
            dealt++;
            if (at.isExpired(nowMillis)) {
                dispatch.expire(offset, at, expired);
            } else {
                handOut(consumer, offset, at, priority, 0);
            }
        }
        return dealt;
    }

    /** Hands out what comes next by the offsets alone. */
    private int stream(Consumer consumer, int max, long nowMillis, Expired expired) {
        RecordReader at = dispatch.reader();
        int looked = 0;
        while (mayAdd(consumer, max) && looked < LOOK_MAX && !expired.isFull()) {
            long offset = nextStreamed();
            if (offset < 0 || !at.seek(offset)) {
                break;
            }
            int priority = takeStreamed(offset);
            looked++;
            if (at.isExpired(nowMillis)) {
                dispatch.expire(offset, at, expired);
            } else {
                handOut(consumer, offset, at, priority, 0);
            }
        }
        return looked;
    }

    /** Hands out what comes next of the window, as far as groups let this consumer have it. */
    private int choose(Consumer consumer, int max, long nowMillis, Expired expired) {
        if (!dispatch.adopt()) {
            return 0;
        }
        int looked = fill(nowMillis, expired);
        int dealt = 0;
        outdated = 0;
        while (mayAdd(consumer, max) && dealt < LOOK_MAX && !expired.isFull()) {
            ReadyOffsets from = source(consumer);
            long offset = from.first();
            RecordReader at = offset < 0 ? null : readerAt(offset);
            if (at == null || !at.seek(offset)) {
                break;
            }
            dealt++;
            if (at.isExpired(nowMillis)) {
                remove(from);
                dispatch.expire(offset, at, expired);
            } else if (at.group() == 0 || mayHave(consumer, from, offset, at.group(), nowMillis)) {
                int priority = from.isFirstTimed() ? -1 : from.firstPriority();
                remove(from);
                handOut(consumer, offset, at, priority, at.group());
            }
        }
        return looked + dealt + outdated;
    }

    private void handOut(Consumer consumer, long offset, RecordReader at, int priority, int group) {
        Lease lease = new Lease(consumer, consumer.take(at.length()), priority);
        consumer.handed(dispatch.index(), offset);
        lease.group = group;
        dispatch.lease(offset, lease);
        buffer.add(offset, dispatch.cursor().deliveries(offset) + 1, at);
    }

    private boolean mayAdd(Consumer consumer, int max) {
        return buffer.count() < max && buffer.bytes() < context.limits().deliverBytes() && consumer.mayTake();
    }

    private long nextStreamed() {
        long cameBack = ready.isEmpty() ? -1 : firstFree(ready);
        if (cameBack >= 0) {
            return cameBack;
        }
        long next = dispatch.nextFree(scanned);
        scanned = next < 0 ? Math.max(scanned, partition.nextOffset()) : next;
        return next;
    }

    /** Takes what comes next; returns what a lease says of its priority. */
    private int takeStreamed(long offset) {
        if (offset == scanned) {
            scanned++;
            return MessageRecord.PRIORITY_USUAL;
        }
        int priority = ready.isFirstTimed() ? -1 : ready.firstPriority();
        ready.removeFirst();
        return priority;
    }

    /** The first of those that nobody settled or took since; -1 where there is none. */
    private long firstFree(ReadyOffsets offsets) {
        long offset = offsets.first();
        while (offset >= 0 && !dispatch.isFree(offset)) {
            outdated++;
            remove(offsets);
            offset = offsets.first();
        }
        return offset;
    }

    /** Removes the first of those ready, or of those set aside. */
    private void remove(ReadyOffsets from) {
        from.removeFirst();
        if (from != ready) {
            aside.taken();
        }
    }

    /** Where this consumer's next message is the first, if there is one. */
    private ReadyOffsets source(Consumer consumer) {
        ReadyOffsets own = aside == null ? null : aside.of(consumer);
        firstFree(ready);
        if (own == null) {
            return ready;
        }
        firstFree(own);
        return own.isBefore(ready) ? own : ready;
    }

    private RecordReader readerAt(long offset) {
        if (scanner.isAt(offset)) {
            return scanner;
        }
        return aheadScanner.isAt(offset) ? aheadScanner : dispatch.reader();
    }

    // ---- groups ----------------------------------------------------------------------------------------------------

    /** Whether a consumer may have the first message of {@code from}; if not, that is set aside. */
    private boolean mayHave(Consumer consumer, ReadyOffsets from, long offset, int hash, long nowMillis) {
        Groups.Group group = dispatch.groups().of(hash);
        if (from.first() != offset) {
            return false; // another group was forgotten for it, and what was set aside for that is ready again
        }
        if (aside == null) {
            aside = new SetAside(context.limits().groupsMax());
        }
        if (aside.isPassedOver(hash, from)) {
            passOver(hash, from);
            return false;
        }
        boolean room = aside.size() < context.limits().window() / 2;
        Consumer owner = group.owner();
        boolean mine = owner != null && owner.audience() == consumer.audience() && !owner.isDetached();
        if (!mine && group.isFree()) {
            owner = room ? consumer.audience().fewestGroups(consumer) : consumer;
            mine = true;
            if (dispatch.groups().give(group, owner)) {
                return false; // what was set aside for the last owner may come before
            }
        }
        if (mine && owner == consumer) {
            return true;
        }
        if (aside.holds(from, mine ? owner : null)) {
            remove(from); // found ahead of its turn, and again in it
        } else if (!room) {
            passOver(hash, from);
        } else {
            if (from != ready) {
                aside.taken();
            }
            if (mine) {
                aside.park(from, owner, nowMillis);
            } else {
                group.await();
                aside.block(from);
            }
        }
        return false;
    }

    private void passOver(int group, ReadyOffsets from) {
        aside.passOver(group, from);
        remove(from);
    }

    /** Whether one consumer may find something here where another found nothing. */
    boolean differs() {
        return keepsForOne() || !dispatch.reclaimed().isEmpty();
    }

    /** Whether messages wait for one consumer, though others could be handed something. */
    boolean keepsForOne() {
        return aside != null && aside.parked() > 0;
    }

    private boolean keepsGroups() {
        return aside != null && (aside.size() > 0 || aside.hasPassedOver());
    }

    /** What was set aside for a consumer is ready; whether there was any. */
    boolean offerSetAside(Consumer owner) {
        if (aside == null || aside.parked(owner) == 0) {
            return false;
        }
        aside.offer(owner, ready);
        return true;
    }

    /** What was set aside for a group is ready. */
    void unblock() {
        if (aside != null) {
            aside.unblock(ready);
        }
    }

    /** Takes its groups from a consumer that does nothing with them while others are idle. */
    void unstall(long nowMillis) {
        if (!keepsForOne()) {
            return;
        }
        Consumer stalled = aside.stalled(nowMillis, context.limits().groupStallMillis());
        if (stalled != null && stalled.audience().hasIdle(stalled)) {
            dispatch.takeGroupsFrom(stalled);
            offerSetAside(stalled);
        }
    }

    /** Whether messages were passed over, and there is room for them now. */
    private boolean mayLookAgain() {
        return aside != null
                && aside.hasPassedOver()
                && aside.size() <= context.limits().window() / 4;
    }

    /** Looks at everything again. */
    private void lookAgain() {
        ready.clear();
        again.clear();
        aside.clear();
        rewindTo = dispatch.cursor().settledBelow();
        rewind();
    }

    // ---- looking ---------------------------------------------------------------------------------------------------

    /** Looks at messages until the window is full, there are no more, or their bytes have to be fetched. */
    private int fill(long nowMillis, Expired expired) {
        if (mayLookAgain()) {
            lookAgain();
        }
        if (rewindTo < scanned && ready.size() <= context.limits().window() / 2) {
            rewind();
        }
        int looked = 0;
        while (!again.isEmpty() && looked < LOOK_MAX && !expired.isFull()) {
            long offset = again.first();
            if (dispatch.isFree(offset)) {
                if (!dispatch.reader().seek(offset)) {
                    return looked;
                }
                look(offset, dispatch.reader(), ANY_AGAIN, nowMillis, expired);
                looked++;
            }
            again.remove(offset);
        }
        while (!isFull() && looked < LOOK_MAX && !expired.isFull()) {
            long next = dispatch.nextFree(scanned);
            if (next < 0) {
                scanned = Math.max(scanned, partition.nextOffset());
                break;
            }
            scanned = next;
            if (!scanner.seek(next)) {
                break;
            }
            scanned++;
            look(next, scanner, 0, nowMillis, expired);
            looked++;
        }
        if (scanned >= ahead) {
            lookAheadFrom(scanned);
        }
        return isFull() ? fillAhead(looked, nowMillis, expired) : looked;
    }

    private void rewind() {
        scanned = rewindTo;
        lookAheadFrom(scanned);
        rewindTo = Long.MAX_VALUE;
    }

    private void lookAheadFrom(long offset) {
        ahead = offset;
        aheadFrom = 0;
        overtaking = 0;
    }

    private boolean isFull() {
        return kept() >= context.limits().window() + overtaking;
    }

    /**
     * Looks behind a full window for what may overtake it: where the window holds nothing lower than usual, the partition
     * says up to where such messages are. They are found in their order, and are bounded by a window of their own.
     */
    private int fillAhead(int already, long nowMillis, Expired expired) {
        int looked = already;
        aheadFrom = Math.max(aheadFrom, ready.lowestPriority() + 1);
        long end = aheadFrom <= MessageRecord.PRIORITY_USUAL ? partition.nextOffset() : partition.priorityEnd();
        while (ahead < end && overtaking < context.limits().window() && looked < LOOK_MAX && !expired.isFull()) {
            long next = dispatch.nextFree(ahead);
            if (next < 0 || next >= end) {
                ahead = end;
                break;
            }
            ahead = next;
            if (!aheadScanner.seek(next)) {
                break;
            }
            ahead++;
            if (look(next, aheadScanner, aheadFrom, nowMillis, expired)) {
                overtaking++;
            }
            looked++;
        }
        return looked;
    }

    /** Whether the message is ready now. */
    private boolean look(long offset, RecordReader at, int fromPriority, long nowMillis, Expired expired) {
        context.looks().looked();
        if (at.isExpired(nowMillis)) {
            dispatch.expire(offset, at, expired);
            return false;
        }
        long deliveryTime = at.deliveryTime();
        if (deliveryTime != 0 && fromPriority != ANY_AGAIN && dispatch.delays(offset, deliveryTime)) {
            return false;
        }
        if (at.priority() < fromPriority) {
            return false;
        }
        if (filter != MessageFilter.ALL) {
            context.looks().evaluated();
        }
        if (!filter.matches(at.buffer(), at.position(), offset)) {
            if (own) {
                skipped.add(offset);
                skippedCount++;
            }
            return false;
        }
        ready.add(at.priority(), deliveryTime, offset);
        return true;
    }

    // ---- coming back -----------------------------------------------------------------------------------------------

    /** A message came back that the lane has left behind; what it does not know of it, it looks at again. */
    void returned(long offset, Lease lease) {
        if (offset >= scanned && offset >= ahead) {
            return;
        }
        boolean mine = filter == MessageFilter.ALL || lease.consumer.lane(dispatch) == this;
        if (mine && lease.priority >= 0) {
            ready.add(lease.priority, 0, offset);
        } else {
            again.add(offset);
        }
        onFed.run();
    }

    /** The delivery time of a message that the lane has possibly left behind has come. */
    void due(long offset) {
        if (offset >= scanned && offset >= ahead) {
            return;
        }
        if (isFull()) {
            rewindTo(offset);
        } else {
            again.add(offset);
        }
    }

    /** Everything from here on is to be looked at again, as soon as there is room. */
    void rewindTo(long offset) {
        if (offset < scanned || offset < ahead) {
            rewindTo = Math.min(rewindTo, offset);
        }
    }
}
