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

    private final PartitionDispatch dispatch;
    private final Partition partition;
    private final MessageFilter filter;
    private final boolean own;
    private final DispatchContext context;
    private final DeliveryBuffer buffer;
    private final ReadyOffsets ready = new ReadyOffsets();

    /** Came back without a word of what they are: to be looked at again. */
    private final TreeSet<Long> unseen = new TreeSet<>();

    /** What the subscription itself does not take: of no use to any of its lanes, so to be settled. */
    private final Offsets skipped = new Offsets();

    private final RecordReader scanner;
    private final RecordReader aheadScanner;

    /** Everything below was looked at, and is ready or not for these consumers. */
    private long scanned;

    /** Everything below was looked at for messages that may overtake a full window; not below {@code scanned}. */
    private long ahead;

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

    /** Takes what {@link #deliver} has skipped for good since the last call. */
    List<OffsetRange> takeSkipped() {
        return skipped.take();
    }

    /** An upper bound of the messages that could be handed out now. */
    long available() {
        return dispatch.isDamaged() ? 0 : ready.size() + unseen.size() + Math.max(0, partition.nextOffset() - scanned);
    }

    /** Whether what comes next follows from the offsets alone. */
    private boolean streams() {
        return filter == MessageFilter.ALL
                && scanned >= partition.unorderedEnd()
                && unseen.isEmpty()
                && (ready.isEmpty() || ready.lowestPriority() >= MessageRecord.PRIORITY_USUAL);
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
        boolean streams = streams();
        RecordReader reader = dispatch.reader();
        try {
            if (!streams) {
                looked = fill(nowMillis, expired);
            }
            while (mayAdd(consumer, max) && looked < LOOK_MAX) {
                long offset = streams ? nextStreamed() : nextReady();
                if (offset < 0) {
                    break;
                }
                RecordReader at = streams ? reader : readerAt(offset);
                if (!at.seek(offset)) {
                    break;
                }
                int priority = streams && offset == scanned ? MessageRecord.PRIORITY_USUAL : ready.firstPriority();
                take(offset, streams);
                looked++;
                if (at.isExpired(nowMillis)) {
                    dispatch.leaseToNobody(offset);
                    expired.add(offset);
                } else {
                    dispatch.lease(offset, new Lease(consumer, consumer.take(at.length()), priority));
                    buffer.add(offset, dispatch.cursor().deliveries(offset) + 1, at);
                }
            }
        } finally {
            if (buffer.count() > 0) {
                consumer.send(buffer.take(consumer.shard(), consumer.id(), partition.id()));
            }
        }
        if (available() == 0) {
            reader.clear();
            letGo();
        }
        return looked;
    }

    private boolean mayAdd(Consumer consumer, int max) {
        return buffer.count() < max && buffer.bytes() < context.limits().deliverBytes() && consumer.mayTake();
    }

    private long nextStreamed() {
        long cameBack = ready.isEmpty() ? -1 : nextReady();
        if (cameBack >= 0) {
            return cameBack;
        }
        long next = dispatch.nextFree(scanned);
        scanned = next < 0 ? Math.max(scanned, partition.nextOffset()) : next;
        return next;
    }

    private void take(long offset, boolean streams) {
        if (streams && offset == scanned) {
            scanned++;
        } else {
            ready.removeFirst();
        }
    }

    /** The first of those ready that nobody settled or took since. */
    private long nextReady() {
        long offset = ready.first();
        while (offset >= 0 && !dispatch.isFree(offset)) {
            ready.removeFirst();
            offset = ready.first();
        }
        return offset;
    }

    private RecordReader readerAt(long offset) {
        if (scanner.isAt(offset)) {
            return scanner;
        }
        return aheadScanner.isAt(offset) ? aheadScanner : dispatch.reader();
    }

    // ---- looking ---------------------------------------------------------------------------------------------------

    /** Looks at messages until the window is full, there are no more, or their bytes have to be fetched. */
    private int fill(long nowMillis, Offsets expired) {
        int looked = 0;
        while (!unseen.isEmpty() && looked < LOOK_MAX) {
            long offset = unseen.first();
            if (dispatch.isFree(offset)) {
                if (!dispatch.reader().seek(offset)) {
                    return looked;
                }
                look(offset, dispatch.reader(), 0, nowMillis, expired);
                looked++;
            }
            unseen.remove(offset);
        }
        while (!isFull() && looked < LOOK_MAX) {
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
            ahead = scanned;
            overtaking = 0;
        }
        return isFull() ? fillAhead(looked, nowMillis, expired) : looked;
    }

    private boolean isFull() {
        return ready.size() >= context.limits().window() + overtaking;
    }

    /**
     * Looks behind a full window for what may overtake it: where the window holds nothing lower than usual, the partition
     * says up to where such messages are. They are found in their order, and are bounded by a window of their own.
     */
    private int fillAhead(int already, long nowMillis, Offsets expired) {
        int looked = already;
        int above = ready.lowestPriority();
        long end = above < MessageRecord.PRIORITY_USUAL ? partition.nextOffset() : partition.priorityEnd();
        while (ahead < end && overtaking < context.limits().window() && looked < LOOK_MAX) {
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
            if (look(next, aheadScanner, above + 1, nowMillis, expired)) {
                overtaking++;
            }
            looked++;
        }
        return looked;
    }

    /** Whether the message is ready now. */
    private boolean look(long offset, RecordReader at, int fromPriority, long nowMillis, Offsets expired) {
        if (at.isExpired(nowMillis)) {
            dispatch.leaseToNobody(offset);
            expired.add(offset);
            return false;
        }
        if (at.priority() < fromPriority) {
            return false;
        }
        if (!filter.matches(at.buffer(), at.position(), offset)) {
            if (own) {
                skipped.add(offset);
            }
            return false;
        }
        ready.add(at.priority(), offset);
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
            ready.add(lease.priority, offset);
        } else {
            unseen.add(offset);
        }
    }

    /** These are settled. */
    void settled(long first, long last) {
        if (!ready.isEmpty()) {
            ready.removeAll(first, last);
        }
        if (!unseen.isEmpty()) {
            unseen.subSet(first, true, last, true).clear();
        }
    }
}
