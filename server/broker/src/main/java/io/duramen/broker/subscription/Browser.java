package io.duramen.broker.subscription;

import io.duramen.broker.selector.MessageFilter;
import io.duramen.log.DamagedLogException;
import io.duramen.protocol.frame.Browse;
import java.util.Optional;

/**
 * Reads one page of a partition for a browser: what the queue has not settled, held by consumers or not. Changes nothing
 * and leaves nothing behind. Confined to the shard's agent.
 */
public final class Browser {
    /** Most messages that one page looks at. */
    private static final int LOOK_MAX = 16 * DeliveryBuffer.MESSAGES_MAX;

    private static final int PRIORITY_MAX = 9;

    private final PartitionDispatch partition;
    private final DeliveryBuffer buffer;
    private final MessageFilter filter;
    private final RecordReader reader;
    private final long end;
    private final long asOfMillis;
    private final int messagesMax;
    private final int bytesMax;
    private int priority;
    private int lower;
    private long next;
    private int looked;

    /**
     * @param filter what the browser wants to see
     * @param nowMillis when a view that the request does not fix is fixed
     * @param onReady called when {@link #read} is worth another try after it returned empty
     */
    public Browser(
            PartitionDispatch partition,
            DispatchContext context,
            Browse.Request request,
            MessageFilter filter,
            long nowMillis,
            Runnable onReady) {
        this.filter = filter;
        this.partition = partition;
        this.buffer = context.buffer();
        this.reader = new RecordReader(context, partition.partition().id(), onReady);
        boolean fixes = request.end() == Browse.NOW;
        long committedEnd = partition.partition().nextOffset();
        this.end = fixes ? committedEnd : Math.min(Math.max(0, request.end()), committedEnd);
        this.asOfMillis = fixes ? nowMillis : request.asOfMillis();
        this.messagesMax = Math.max(0, Math.min(request.messagesMax(), DeliveryBuffer.MESSAGES_MAX));
        this.bytesMax = context.limits().deliverBytes();
        if (fixes) {
            boolean ranked =
                    partition.partition().priorityEnd() > partition.cursor().settledBelow();
            this.priority = ranked ? PRIORITY_MAX : Browse.ANY_PRIORITY;
        } else {
            this.priority =
                    Math.max(Browse.ANY_PRIORITY, Math.min(request.place().priority(), PRIORITY_MAX));
            this.lower = request.place().lower() & ((1 << Math.max(0, priority)) - 1);
            this.next = Math.min(Math.max(0, request.place().offset()), end);
        }
    }

    /**
     * Reads on.
     *
     * @return the page; empty where bytes have to be fetched first
     * @throws DamagedLogException where the log cannot give what it should have
     */
    public Optional<Browse.Response> read(long nowMillis) {
        boolean fetching = false;
        try {
            while (buffer.count() < messagesMax && buffer.bytes() < bytesMax && looked < LOOK_MAX && moveOn()) {
                if (!reader.seek(next)) {
                    fetching = true;
                    break;
                }
                looked++;
                if (isInView(nowMillis) && isWanted() && isTurnOf(reader.priority())) {
                    buffer.add(next, partition.cursor().deliveries(next) + 1, reader);
                }
                next++;
            }
        } catch (DamagedLogException e) {
            buffer.takeBytes();
            throw e;
        }
        if (fetching && buffer.count() == 0) {
            return Optional.empty();
        }
        boolean last = !fetching && !moveOn();
        int count = buffer.count();
        Browse.Place place = new Browse.Place(priority, lower, next);
        reader.clear();
        return Optional.of(new Browse.Response(end, asOfMillis, place, last, count, buffer.takeBytes()));
    }

    /** Moves to the next message that is not settled; false at the end of the view. */
    private boolean moveOn() {
        next = Math.min(partition.cursor().nextUnsettled(next), end);
        while (next >= end && lower != 0) {
            priority = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(lower);
            lower &= ~(1 << priority);
            next = Math.min(partition.cursor().nextUnsettled(0), end);
        }
        return next < end;
    }

    private boolean isTurnOf(int messagePriority) {
        if (messagePriority < priority) {
            lower |= 1 << messagePriority;
        }
        return priority == Browse.ANY_PRIORITY || messagePriority == priority;
    }

    private boolean isWanted() {
        return filter.matches(reader.buffer(), reader.position(), next);
    }

    private boolean isInView(long nowMillis) {
        return !reader.isExpired(nowMillis) && reader.deliveryTime() <= asOfMillis;
    }
}
