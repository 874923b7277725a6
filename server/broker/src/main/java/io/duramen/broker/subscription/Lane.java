package io.duramen.broker.subscription;

import io.duramen.broker.destination.Partition;
import io.duramen.broker.selector.MessageFilter;
import io.duramen.log.DamagedLogException;
import io.duramen.protocol.record.MessageRecord;
import java.util.concurrent.TimeUnit;

/**
 * One way through a partition's unsettled messages, for the consumers that take the same of them. Each message is looked
 * at once: what may be handed out is kept in a window of bounded size, whatever the backlog, ordered by priority. Where
 * neither a filter nor a trait of the messages asks for a look, the lane streams: it goes from offset to offset and keeps
 * only what came back. Soft state of the leader; confined to the shard's agent.
 */
final class Lane {
    private static final Runnable NOBODY = () -> {};

    private final PartitionDispatch dispatch;
    private final Partition partition;
    private final MessageFilter filter;
    private final DispatchContext context;
    private final DeliveryBuffer buffer;
    private final ReadyOffsets ready = new ReadyOffsets();

    private final Scan scan;

    /** Of groups; null where there never was one. */
    private SetAside aside;

    private Runnable onFed = NOBODY;

    /** Whose lane it is. */
    private Audience audience;

    /** Removed lately, settled or taken since they were ready: there is room for others, so it is worth another look. */
    private int outdated;

    Lane(PartitionDispatch dispatch, MessageFilter filter, boolean own, DispatchContext context, Runnable onReady) {
        this.dispatch = dispatch;
        this.partition = dispatch.partition();
        this.filter = filter;
        this.context = context;
        this.buffer = context.buffer();
        this.scan = new Scan(dispatch, filter, own, context, onReady, ready);
    }

    void belongsTo(Audience to) {
        audience = to;
    }

    // ---- fed by an index -------------------------------------------------------------------------------------------

    /** From now on it does not look on by itself. */
    void feedBy(Runnable whenFed) {
        scan.stop();
        onFed = whenFed;
    }

    /** From now on it looks on by itself, from here. */
    void scanFrom(long offset) {
        scan.goTo(offset);
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
        scan.lookAgain(offset);
        onFed.run();
    }

    boolean isCrowded() {
        return ready.size() + scan.toLookAtAgain() >= context.limits().window();
    }

    // ---- handing out -----------------------------------------------------------------------------------------------

    MessageFilter filter() {
        return filter;
    }

    void close() {
        scan.clear();
        dispatch.closed(this);
    }

    /** Its way through the partition. */
    Scan scan() {
        return scan;
    }

    /** Messages that it keeps in memory. */
    int kept() {
        return ready.size() + scan.toLookAtAgain() + setAside();
    }

    private int setAside() {
        return aside == null ? 0 : aside.size();
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
        return ready.size() + scan.toLookAt() + (mayLookAgain() ? 1 : 0);
    }

    /** Whether what comes next follows from the offsets alone. */
    private boolean streams() {
        return filter == MessageFilter.ALL
                && scan.mayStream()
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
            scan.clear();
        }
        return looked;
    }

    /** Hands out what others were asked for, as far as it is this consumer's. */
    private int handOutReclaimed(Consumer consumer, int max, long nowMillis, Expired expired) {
        RecordReader at = dispatch.reader();
        int dealt = 0;
        while (mayAdd(consumer, max) && dealt < Scan.LOOK_MAX && !expired.isFull()) {
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
        while (mayAdd(consumer, max) && looked < Scan.LOOK_MAX && !expired.isFull()) {
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
        if (mayLookAgain()) {
            lookAgain();
        }
        int looked = scan.fill(setAside(), nowMillis, expired);
        int dealt = 0;
        outdated = 0;
        while (mayAdd(consumer, max) && dealt < Scan.LOOK_MAX && !expired.isFull()) {
            ReadyOffsets from = source(consumer);
            long offset = from.first();
            RecordReader at = offset < 0 ? null : scan.readerAt(offset);
            if (at == null || !at.seek(offset)) {
                break;
            }
            dealt++;
            if (at.isExpired(nowMillis)) {
                remove(from);
                dispatch.expire(offset, at, expired);
            } else if (at.group() == 0 || mayHave(consumer, from, at.group())) {
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
        return scan.next();
    }

    /** Takes what comes next; returns what a lease says of its priority. */
    private int takeStreamed(long offset) {
        if (scan.pass(offset)) {
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

    // ---- groups ----------------------------------------------------------------------------------------------------

    /** Whether a consumer may have the first message of {@code from}; if not, that is set aside. */
    private boolean mayHave(Consumer consumer, ReadyOffsets from, int hash) {
        Groups.Group group = dispatch.groups().of(hash);
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
                aside.park(from, owner, context.turns().nanos());
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

    /** Whether messages were set aside for this consumer. */
    boolean keepsFor(Consumer owner) {
        return aside != null && aside.parked(owner) > 0;
    }

    /** What was set aside for a consumer is ready; whether there was any. */
    boolean offerSetAside(Consumer owner) {
        if (!keepsFor(owner)) {
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
    void unstall() {
        if (!keepsForOne()) {
            return;
        }
        Consumer stalled = aside.stalled(
                context.turns().nanos(),
                TimeUnit.MILLISECONDS.toNanos(context.limits().groupStallMillis()));
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
        aside.clear();
        scan.startAt(dispatch.cursor().settledBelow());
    }

    // ---- coming back -----------------------------------------------------------------------------------------------

    /** A message came back that the lane has left behind; what it does not know of it, it looks at again. */
    void returned(long offset, Lease lease) {
        if (!scan.hasMet(offset)) {
            return;
        }
        if (lease.priority >= 0 && (filter == MessageFilter.ALL || lease.consumer.lane(dispatch) == this)) {
            ready.add(lease.priority, 0, offset);
        } else {
            scan.lookAgain(offset);
        }
        onFed.run();
    }

    /** The delivery time of a message has come. */
    void due(long offset) {
        scan.due(offset, setAside());
    }
}
