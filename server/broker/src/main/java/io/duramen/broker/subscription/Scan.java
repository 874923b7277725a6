package io.duramen.broker.subscription;

import io.duramen.broker.destination.Partition;
import io.duramen.broker.selector.MessageFilter;
import io.duramen.protocol.frame.OffsetRange;
import io.duramen.protocol.record.MessageRecord;
import java.util.List;
import java.util.TreeSet;

/**
 * A lane's looking at the messages of its partition: each once, in the order of their offsets, until the window is full,
 * and those that may overtake a full window. What is to be handed out goes to the lane's ready messages. Soft state of the
 * leader; confined to the shard's agent.
 */
final class Scan {
    /** Most messages that one call of {@link #fill} looks at. */
    static final int LOOK_MAX = 4 * DeliveryBuffer.MESSAGES_MAX;

    /** Any priority, of a message that was ready before: it has not to wait. */
    private static final int ANY_AGAIN = -1;

    private final PartitionDispatch dispatch;
    private final Partition partition;
    private final MessageFilter filter;
    private final boolean own;
    private final DispatchContext context;
    private final ReadyOffsets ready;
    private final RecordReader scanner;
    private final RecordReader aheadScanner;

    /** To be looked at again: back from a consumer, without a word of what they are, or due. */
    private final TreeSet<Long> again = new TreeSet<>();

    /** What the subscription itself does not take: of no use to any of its lanes, so to be settled. */
    private final Offsets skipped = new Offsets();

    private int skippedCount;

    /** Everything below was looked at, and is ready or not for these consumers. */
    private long scanned;

    /** Everything below was looked at for messages that may overtake a full window; not below {@code scanned}. */
    private long ahead;

    /** Priority below which messages between {@code scanned} and there were left, so that none like them may overtake. */
    private int aheadFrom;

    /** At least as many as are ready of those at or beyond {@code scanned}. */
    private int overtaking;

    /** Where to look again once there is room; {@link Long#MAX_VALUE} for nowhere. */
    private long rewindTo = Long.MAX_VALUE;

    /** @param own whether what the filter leaves out is of no use to the subscription at all */
    Scan(
            PartitionDispatch dispatch,
            MessageFilter filter,
            boolean own,
            DispatchContext context,
            Runnable onReady,
            ReadyOffsets ready) {
        this.dispatch = dispatch;
        this.partition = dispatch.partition();
        this.filter = filter;
        this.own = own;
        this.context = context;
        this.ready = ready;
        this.scanner = new RecordReader(context, partition.id(), onReady);
        this.aheadScanner = new RecordReader(context, partition.id(), onReady);
        this.scanned = dispatch.cursor().settledBelow();
    }

    /** Lets go of the bytes that it has fetched. */
    void clear() {
        scanner.clear();
        aheadScanner.clear();
    }

    /** One that is at this message, or could be. */
    RecordReader readerAt(long offset) {
        if (scanner.isAt(offset)) {
            return scanner;
        }
        return aheadScanner.isAt(offset) ? aheadScanner : dispatch.reader();
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

    /** Messages of which it knows that they are to be looked at again. */
    int toLookAtAgain() {
        return again.size();
    }

    /** An upper bound of the messages to look at. */
    long toLookAt() {
        return again.size() + Math.max(0, partition.nextOffset() - Math.min(scanned, rewindTo));
    }

    // ---- where it is -----------------------------------------------------------------------------------------------

    /** It looks at nothing by itself. */
    void stop() {
        scanned = Long.MAX_VALUE;
        ahead = Long.MAX_VALUE;
    }

    /** It looks at everything from here on, and at nothing else. */
    void startAt(long offset) {
        again.clear();
        goTo(offset);
    }

    /** It looks at everything from here on, and at what it was to look at again. */
    void goTo(long offset) {
        scanned = offset;
        rewindTo = Long.MAX_VALUE;
        lookAheadFrom(offset);
    }

    private void lookAheadFrom(long offset) {
        ahead = offset;
        aheadFrom = 0;
        overtaking = 0;
    }

    /** Everything from here on is to be looked at again, as soon as there is room. */
    void rewindTo(long offset) {
        if (hasMet(offset)) {
            rewindTo = Math.min(rewindTo, offset);
        }
    }

    /** Whether it has possibly looked at a message. */
    boolean hasMet(long offset) {
        return offset < scanned || offset < ahead;
    }

    /** A message is to be looked at out of turn. */
    void lookAgain(long offset) {
        again.add(offset);
    }

    /**
     * The delivery time of a message that it has possibly looked at has come.
     *
     * @param aside messages that the lane keeps beside those ready
     */
    void due(long offset, int aside) {
        if (!hasMet(offset)) {
            return;
        }
        if (isFull(aside)) {
            rewindTo(offset);
        } else {
            again.add(offset);
        }
    }

    // ---- without a look --------------------------------------------------------------------------------------------

    /** Whether all that comes is usual, so that it need not be looked at to be handed out in its order. */
    boolean mayStream() {
        return scanned >= partition.unorderedEnd() && again.isEmpty() && rewindTo == Long.MAX_VALUE;
    }

    /** Goes to the next free message without a look at it; -1 where there is none. */
    long next() {
        long next = dispatch.nextFree(scanned);
        scanned = next < 0 ? Math.max(scanned, partition.nextOffset()) : next;
        return next;
    }

    /** Goes past a message, if it is there; whether it was. */
    boolean pass(long offset) {
        if (offset != scanned) {
            return false;
        }
        scanned++;
        return true;
    }

    // ---- looking ---------------------------------------------------------------------------------------------------

    private boolean isFull(int aside) {
        return ready.size() + again.size() + aside >= context.limits().window() + overtaking;
    }

    /**
     * Looks at messages until the window is full, there are no more, or their bytes have to be fetched.
     *
     * @param aside messages that the lane keeps beside those ready
     * @return how many
     */
    int fill(int aside, long nowMillis, Expired expired) {
        if (rewindTo < scanned && ready.size() <= context.limits().window() / 2) {
            goTo(rewindTo);
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
        while (!isFull(aside) && looked < LOOK_MAX && !expired.isFull()) {
            long next = next();
            if (next < 0 || !scanner.seek(next)) {
                break;
            }
            scanned++;
            look(next, scanner, 0, nowMillis, expired);
            looked++;
        }
        if (scanned >= ahead) {
            lookAheadFrom(scanned);
        }
        return isFull(aside) ? fillAhead(looked, nowMillis, expired) : looked;
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
}
