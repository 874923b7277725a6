package io.duramen.broker.subscription;

import io.duramen.broker.selector.MessageFilter;
import io.duramen.log.DamagedLogException;
import io.duramen.protocol.frame.OffsetRange;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Chooses messages of one partition that nobody holds, for an operator. Gathering changes nothing; {@link #taken} keeps what
 * was gathered from everyone until it is settled. Confined to the shard's agent.
 */
public final class Withdrawal {
    private final PartitionDispatch partition;
    private final MessageFilter filter;
    private final RecordReader reader;
    private final Limits limits;
    private final List<Message> messages = new ArrayList<>();
    private long next;
    private long bytes;

    /** @param record a copy of it, its length field included; null where records are not wanted */
    public record Message(long offset, ByteBuffer record) {}

    /**
     * @param end offset before which it ends
     * @param max most messages
     * @param looks most messages that are looked at
     * @param records whether the bytes of the messages are wanted, about a Deliver frame of them
     */
    public record Limits(long end, int max, int looks, boolean records) {}

    /**
     * @param from offset at which it begins
     * @param onReady called when {@link #gather} is worth another try after it returned false
     */
    public Withdrawal(
            PartitionDispatch partition,
            DispatchContext context,
            MessageFilter filter,
            long from,
            Limits limits,
            Runnable onReady) {
        this.partition = partition;
        this.filter = filter;
        this.reader = new RecordReader(context, partition.partition().id(), onReady);
        this.limits = limits;
        this.next = from;
        this.bytes = context.limits().deliverBytes();
    }

    /**
     * Looks from where it stands.
     *
     * @return false where bytes have to be fetched first, and there is nothing yet
     * @throws DamagedLogException where the log cannot give what it should have
     */
    public boolean gather() {
        long end = Math.min(limits.end, partition.partition().nextOffset());
        boolean reads = limits.records || filter != MessageFilter.ALL;
        for (int looked = 0; looked < limits.looks && messages.size() < limits.max && bytes > 0; looked++) {
            long at = partition.cursor().nextUnsettled(next);
            if (at >= end) {
                next = limits.end;
                break;
            }
            if (isTakeable(at)) {
                if (reads && !reader.seek(at)) {
                    next = at;
                    reader.clear();
                    return looked > 0;
                }
                take(at);
            }
            next = at + 1;
        }
        reader.clear();
        return true;
    }

    private boolean isTakeable(long offset) {
        return partition.isFree(offset) || partition.redeliveries().isWaiting(offset);
    }

    private void take(long offset) {
        if (filter != MessageFilter.ALL && !filter.matches(reader.buffer(), reader.position(), offset)) {
            return;
        }
        ByteBuffer record = null;
        if (limits.records) {
            record = ByteBuffer.allocate(reader.length()).put(0, reader.buffer(), reader.position(), reader.length());
            bytes -= reader.length();
        }
        messages.add(new Message(offset, record));
    }

    /** What was gathered, by ascending offset. */
    public List<Message> messages() {
        return messages;
    }

    /** Where to go on; the end where that was reached. */
    public long next() {
        return Math.min(next, limits.end);
    }

    /** These are on their way out: nobody gets them any more. */
    public void taken(List<OffsetRange> ranges) {
        for (OffsetRange range : ranges) {
            for (long offset = range.first(); offset <= range.last(); offset++) {
                partition.redeliveries().forget(offset);
                partition.keepFromAll(offset);
            }
        }
    }

    /** What was {@link #taken} stays where it was after all. */
    public void giveUp(List<OffsetRange> ranges) {
        for (OffsetRange range : ranges) {
            for (long offset = range.first(); offset <= range.last(); offset++) {
                if (!partition.redeliveries().keeps(offset, null, "")) {
                    partition.free(offset, new Lease(null, 0, -1));
                }
            }
        }
    }
}
