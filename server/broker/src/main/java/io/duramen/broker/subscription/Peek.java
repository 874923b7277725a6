package io.duramen.broker.subscription;

import io.duramen.broker.selector.MessageFilter;
import io.duramen.log.DamagedLogException;
import io.duramen.protocol.record.MessageRecord;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Shows an operator messages of one partition that are not settled, whoever has them. Changes nothing and leaves nothing
 * behind. Confined to the shard's agent.
 */
public final class Peek {
    private final PartitionDispatch partition;
    private final MessageFilter filter;
    private final RecordReader reader;
    private final Limits limits;
    private final List<Message> messages = new ArrayList<>();
    private long next;
    private long bytes;

    /** In whose hands a message is. */
    public enum Standing {
        /** In nobody's: it may be handed out, or is when its delivery time has come. */
        READY,
        /** In a consumer's. */
        HELD,
        /** In nobody's until it is delivered again. */
        WAITS,
        /** A prepared branch accepts it. */
        PREPARED,
        /** On its way out, or back. */
        LEAVES
    }

    /**
     * @param record a copy of it, of the body no more than was asked for; the lengths in it are those of the whole
     * @param deliveries that ended without success
     * @param holder who has it; null for nobody
     * @param heldNanos for how long; -1 where that is not known
     */
    public record Message(
            long offset, ByteBuffer record, int deliveries, Standing standing, Consumer holder, long heldNanos) {}

    /**
     * @param end offset before which it ends
     * @param max most messages
     * @param looks most messages that are looked at
     * @param bodyBytes most bytes of each body that are wanted
     * @param heldOnly whether only those are wanted that consumers hold
     */
    public record Limits(long end, int max, int looks, int bodyBytes, boolean heldOnly) {}

    /**
     * @param from offset at which it begins
     * @param onReady called when {@link #look} is worth another try after it returned false
     */
    public Peek(
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
     * @param nowNanos on {@link io.duramen.runtime.Clock#nanos}
     * @return false where bytes have to be fetched first, and there is nothing yet
     * @throws DamagedLogException where the log cannot give what it should have
     */
    public boolean look(long nowNanos) {
        long end = Math.min(limits.end, partition.partition().nextOffset());
        for (int looked = 0; looked < limits.looks && messages.size() < limits.max && bytes > 0; looked++) {
            long at = partition.cursor().nextUnsettled(next);
            if (at >= end) {
                next = limits.end;
                break;
            }
            Lease lease = partition.leases().get(at);
            if (!limits.heldOnly || lease != null && lease.consumer != null) {
                if (!reader.seek(at)) {
                    next = at;
                    reader.clear();
                    return looked > 0;
                }
                if (filter.matches(reader.buffer(), reader.position(), at)) {
                    add(at, lease, nowNanos);
                }
            }
            next = at + 1;
        }
        reader.clear();
        return true;
    }

    private void add(long offset, Lease lease, long nowNanos) {
        ByteBuffer from = reader.buffer();
        int at = reader.position();
        int body = Math.min(limits.bodyBytes, from.getInt(at + MessageRecord.BODY_LENGTH_AT));
        int length = reader.length() - from.getInt(at + MessageRecord.BODY_LENGTH_AT) + body;
        bytes -= length;
        messages.add(new Message(
                offset,
                ByteBuffer.allocate(length).put(0, from, at, length),
                partition.cursor().deliveries(offset),
                standing(offset, lease),
                lease == null ? null : lease.consumer,
                lease == null ? -1 : lease.heldNanos(nowNanos)));
    }

    private Standing standing(long offset, Lease lease) {
        if (lease == null) {
            return Standing.READY;
        }
        if (lease.consumer != null && !lease.ending) {
            return lease.withheld ? Standing.PREPARED : Standing.HELD;
        }
        if (partition.redeliveries().isWaiting(offset)) {
            return Standing.WAITS;
        }
        return lease.withheld ? Standing.PREPARED : Standing.LEAVES;
    }

    /** Who holds a message, and may be asked for it; null for nobody. */
    public static Consumer holder(PartitionDispatch partition, long offset) {
        Lease lease = partition.leases().get(offset);
        return lease == null || lease.ending || lease.withheld ? null : lease.consumer;
    }

    /** Whether consumers hold messages that they have not said the end of. */
    public static boolean isHeld(PartitionDispatch partition) {
        return partition.leases().values().stream().anyMatch(lease -> lease.consumer != null && !lease.ending);
    }

    /** How many leases {@link #longestHeld} looks at. */
    public static int leases(PartitionDispatch partition) {
        return partition.leases().size();
    }

    /** A message that a consumer has held for a time that is known. */
    public record Held(long offset, Consumer holder, long heldNanos) {}

    /** The message that a consumer has held longest, of those held for longer than this; null for none. */
    public static Held longestHeld(PartitionDispatch partition, long longerThanNanos, long nowNanos) {
        Held longest = null;
        for (Map.Entry<Long, Lease> entry : partition.leases().entrySet()) {
            Lease lease = entry.getValue();
            long least = longest == null ? longerThanNanos : longest.heldNanos;
            boolean held = lease.consumer != null && !lease.ending && !lease.withheld;
            if (held && lease.dated && lease.heldNanos(nowNanos) > least) {
                longest = new Held(entry.getKey(), lease.consumer, lease.heldNanos(nowNanos));
            }
        }
        return longest;
    }

    /** What was found, by ascending offset. */
    public List<Message> messages() {
        return messages;
    }

    /** Where to go on; the end where that was reached. */
    public long next() {
        return Math.min(next, limits.end);
    }
}
