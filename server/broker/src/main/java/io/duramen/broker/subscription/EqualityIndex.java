package io.duramen.broker.subscription;

import io.duramen.broker.destination.Partition;
import io.duramen.broker.selector.Equality;
import io.duramen.protocol.frame.OffsetRange;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * One scan of a partition for all lanes whose selectors demand a value of the same field. It remembers which unsettled
 * messages have which value, so that a lane that is opened later finds what came before it without a look at the others;
 * and it gives each message that it meets to the lanes that want its value, whatever their number. Values are remembered
 * as hashes: a lane asks its whole selector in any case.
 *
 * <p>What it remembers is bounded by an {@link IndexBudget}. Past it, what it knows is forgotten and it goes on with what
 * comes: lanes that are there miss nothing, and those that come later scan by themselves until all that was forgotten is
 * settled. Soft state of the leader; confined to the shard's agent.
 */
final class EqualityIndex {
    /** Most messages that one call of {@link #advance} looks at. */
    static final int LOOK_MAX = 4 * DeliveryBuffer.MESSAGES_MAX;

    private final PartitionDispatch dispatch;
    private final Partition partition;
    private final String field;
    private final Equality.Reader reader;
    private final IndexBudget budget;
    private final Looks looks;
    private final RecordReader scanner;

    private final Long2ObjectHashMap<List<Lane>> wanted = new Long2ObjectHashMap<>();
    private final Long2ObjectHashMap<TreeSet<Long>> offsets = new Long2ObjectHashMap<>();
    private final Long2LongHashMap valueOf = new Long2LongHashMap(Equality.NO_VALUE);

    /** Came back, and what they are is not remembered: to be looked at again. */
    private final TreeSet<Long> unseen = new TreeSet<>();

    private int lanes;

    /** Everything below was looked at, or was held then and is unseen since it came back. */
    private long scanned;

    /** All unsettled messages from here to {@code scanned} are remembered, or unseen, or held. */
    private long completeFrom;

    EqualityIndex(PartitionDispatch dispatch, String field, DispatchContext context, Runnable onReady) {
        this.dispatch = dispatch;
        this.partition = dispatch.partition();
        this.field = field;
        this.reader = new Equality.Reader(field);
        this.budget = context.indexBudget();
        this.looks = context.looks();
        this.scanner = new RecordReader(context, partition.id(), onReady);
        this.scanned = dispatch.cursor().settledBelow();
        budget.idle(this);
    }

    String field() {
        return field;
    }

    // ---- lanes -----------------------------------------------------------------------------------------------------

    /**
     * Feeds a lane from now on, beginning with what is remembered.
     *
     * @param most messages that it may begin with
     * @return false where it cannot: it does not remember everything, or too much that the lane wants, or there are groups,
     *     whose consumers lanes agree on among themselves
     */
    boolean join(Lane lane, long[] values, int most) {
        if (dispatch.cursor().settledBelow() < completeFrom || dispatch.mayHaveGroups()) {
            return false;
        }
        long found = 0;
        for (long value : values) {
            TreeSet<Long> all = offsets.get(value);
            found += all == null ? 0 : all.size();
        }
        if (found > most) {
            return false;
        }
        for (long value : values) {
            wanted.computeIfAbsent(value, none -> new ArrayList<>(1)).add(lane);
            TreeSet<Long> all = offsets.get(value);
            if (all != null) {
                all.forEach(lane::reconsider);
            }
        }
        lanes++;
        budget.busy(this);
        return true;
    }

    void leave(Lane lane, long[] values) {
        for (long value : values) {
            List<Lane> lanesOfValue = wanted.get(value);
            lanesOfValue.remove(lane);
            if (lanesOfValue.isEmpty()) {
                wanted.remove(value);
            }
        }
        lanes--;
        if (lanes == 0) {
            scanner.clear();
            budget.idle(this);
            if (dispatch.cursor().settledBelow() < completeFrom) {
                close(); // who comes next begins anew
            }
        }
    }

    /** Lets a lane that wants too much go its own way from here on; nothing before it is lost for it. */
    void release(Lane lane, long[] values) {
        unseen.forEach(lane::reconsider);
        lane.scanFrom(scanned);
        leave(lane, values);
    }

    /** Forgets everything; it is not used again. */
    void close() {
        forget();
        scanner.clear();
        budget.busy(this);
        dispatch.closed(this);
    }

    // ---- looking ---------------------------------------------------------------------------------------------------

    /** Whether there is something to look at for those that use it. */
    boolean isBehind() {
        return lanes > 0 && !dispatch.isDamaged() && (!unseen.isEmpty() || scanned < partition.nextOffset());
    }

    /** Whether something that came back is not yet with its lanes: what stands behind it has to wait. */
    boolean isTakingBack() {
        return !unseen.isEmpty();
    }

    /**
     * Looks on, until there is nothing more, its bytes have to be fetched, or it was enough for one turn.
     *
     * @param crowded takes lanes whose window is full and that wanted one more, or that want one of a group: they are to be
     *     released
     * @return messages looked at
     */
    int advance(long nowMillis, Expired expired, List<Lane> crowded) {
        int looked = 0;
        while (!unseen.isEmpty() && looked < LOOK_MAX && !expired.isFull()) {
            long offset = unseen.first();
            if (dispatch.isFree(offset)) {
                if (!dispatch.reader().seek(offset)) {
                    return looked;
                }
                look(offset, dispatch.reader(), nowMillis, expired, crowded);
                looked++;
            }
            unseen.remove(offset);
        }
        while (looked < LOOK_MAX && crowded.isEmpty() && !expired.isFull()) {
            long next = dispatch.nextFree(scanned);
            if (next < 0) {
                scanned = Math.max(scanned, partition.nextOffset());
                scanner.clear();
                break;
            }
            scanned = next;
            if (!scanner.seek(next)) {
                break;
            }
            scanned++;
            look(next, scanner, nowMillis, expired, crowded);
            looked++;
        }
        return looked;
    }

    private void look(long offset, RecordReader at, long nowMillis, Expired expired, List<Lane> crowded) {
        looks.looked();
        if (at.isExpired(nowMillis)) {
            dispatch.expire(offset, at, expired);
            return;
        }
        if (at.deliveryTime() != 0 && dispatch.delays(offset, at.deliveryTime())) {
            return;
        }
        long value = reader.valueOf(at.buffer(), at.position());
        if (value == Equality.NO_VALUE) {
            return;
        }
        remember(offset, value);
        List<Lane> interested = wanted.get(value);
        for (int i = 0; interested != null && i < interested.size(); i++) {
            Lane lane = interested.get(i);
            if (lane.isCrowded() || at.group() != 0) {
                lane.reconsider(offset);
                crowded.add(lane);
            } else {
                lane.offer(offset, at);
            }
        }
    }

    private void remember(long offset, long value) {
        if (valueOf.containsKey(offset)) {
            return;
        }
        if (!budget.take()) {
            forget();
            completeFrom = Math.max(completeFrom, Math.max(scanned, offset + 1));
            return;
        }
        valueOf.put(offset, value);
        offsets.computeIfAbsent(value, none -> new TreeSet<>()).add(offset);
    }

    private void forget() {
        budget.give(valueOf.size());
        valueOf.clear();
        offsets.clear();
        valueOf.compact();
        offsets.compact();
    }

    // ---- what happens to messages ----------------------------------------------------------------------------------

    /** A message came back. */
    void returned(long offset, Lease lease) {
        if (offset >= scanned) {
            return;
        }
        long value = valueOf.get(offset);
        if (value == Equality.NO_VALUE) {
            if (lanes > 0 || dispatch.cursor().settledBelow() >= completeFrom) {
                unseen.add(offset);
            }
            return;
        }
        List<Lane> interested = wanted.get(value);
        for (int i = 0; interested != null && i < interested.size(); i++) {
            interested.get(i).returned(offset, lease);
        }
    }

    /** The delivery time of a message has come. */
    void due(long offset) {
        if (offset < scanned) {
            unseen.add(offset);
        }
    }

    /** Everything from here on is to be looked at again. */
    void rewindTo(long offset) {
        scanned = Math.min(scanned, offset);
    }

    /** These are settled. */
    void settled(OffsetRange range) {
        if (!unseen.isEmpty()) {
            unseen.subSet(range.first(), true, range.last(), true).clear();
        }
        if (valueOf.isEmpty()) {
            return;
        }
        if (range.count() > valueOf.size()) {
            List<Long> gone = new ArrayList<>();
            valueOf.keySet().forEach(offset -> {
                if (offset >= range.first() && offset <= range.last()) {
                    gone.add(offset);
                }
            });
            gone.forEach(this::forget);
            return;
        }
        for (long offset = range.first(); offset <= range.last(); offset++) {
            forget(offset);
        }
    }

    private void forget(long offset) {
        long value = valueOf.remove(offset);
        if (value == Equality.NO_VALUE) {
            return;
        }
        budget.give(1);
        TreeSet<Long> all = offsets.get(value);
        all.remove(offset);
        if (all.isEmpty()) {
            offsets.remove(value);
        }
    }
}
