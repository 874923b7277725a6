package io.duramen.broker.subscription;

import io.duramen.broker.destination.Destination;
import io.duramen.broker.destination.DestinationSettings;
import io.duramen.broker.destination.RedeliveryPolicies;
import io.duramen.broker.destination.RedeliveryPolicy;
import io.duramen.broker.subscription.Undeliverable.Cause;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * The messages of one partition that came back and are not to be handed out: those that wait for their next delivery, and
 * those that nobody is handed any more, until they have left for where they go. How long they wait the policy says, or the
 * consumer that gave them back: that is forgotten with a restart. Each is kept from everyone by a lease of
 * nobody. Follows from the cursor's counts and the policy, so it is there again after a restart. While a message of a group
 * waits, the group does. When there are too many, the partition hands out nothing more until some have gone. Confined to the
 * shard's agent.
 */
final class Redeliveries {
    private record Due(long millis, long offset) {
        static final Comparator<Due> ORDER =
                Comparator.comparingLong(Due::millis).thenComparingLong(Due::offset);
    }

    /** @param lease under which it was held, of which what it says of the message is still of use */
    private record Waiting(long dueMillis, Lease lease) {}

    private record Leaving(Cause cause, String reason) {}

    private final PartitionDispatch dispatch;
    private final RedeliveryPolicies policies;
    private final Runnable onLeaving;
    private final RecordReader reader;
    private final int bytesMax;
    private final int max;

    private final TreeSet<Due> byTime = new TreeSet<>(Due.ORDER);
    private final Long2ObjectHashMap<Waiting> waiting = new Long2ObjectHashMap<>();

    /** Of those that wait: it is to be seen whether they belong to a group. */
    private final TreeSet<Long> ungrouped = new TreeSet<>();

    /** As of these settings of the destination. */
    private RedeliveryPolicy policy;

    private DestinationSettings asOf;

    /** Not yet on their way. */
    private final TreeMap<Long, Leaving> leaving = new TreeMap<>();

    /** Nothing waits longer. */
    private long longestMillis;

    /** Those that leave are not tried before. */
    private long tryMillis;

    /** @param onLeaving called when there is something that leaves */
    Redeliveries(PartitionDispatch dispatch, DispatchContext context, Runnable onLeaving) {
        this.dispatch = dispatch;
        this.policies = context.redelivery();
        this.longestMillis = policy().delayMaxMillis();
        this.onLeaving = onLeaving;
        this.reader = new RecordReader(context, dispatch.partition().id(), onLeaving);
        this.bytesMax = context.limits().deliverBytes();
        this.max = context.limits().timersMax();
    }

    /** The policy in force; what waits already keeps its time when that changes. */
    private RedeliveryPolicy policy() {
        Destination destination = dispatch.partition().destination();
        if (asOf != destination.settings()) {
            asOf = destination.settings();
            policy = policies.of(destination);
            longestMillis = Math.max(longestMillis, policy.delayMaxMillis());
        }
        return policy;
    }

    /** Begins with what the cursor knows. */
    void load() {
        dispatch.cursor().forEachCount((offset, count) -> keeps(offset, null, ""));
    }

    /**
     * A message came back, and its delivery was counted; it is free.
     *
     * @param lease under which it was held; null where that is not known
     * @param reason what the consumer said of it
     * @return whether it is kept here; it may be handed out otherwise
     */
    boolean keeps(long offset, Lease lease, String reason) {
        Cursor.Count count = dispatch.cursor().count(offset);
        RedeliveryPolicy usual = policy();
        if (count.refused() && usual.hasDeadLetters()) {
            leave(offset, Cause.REFUSED, reason);
            return true;
        }
        if (usual.isSpent(count.deliveries())) {
            leave(offset, Cause.DELIVERIES_MAX, reason);
            return true;
        }
        long wait = waits(lease).waitMillis(count.deliveries());
        if (wait == 0) {
            return false;
        }
        longestMillis = Math.max(longestMillis, wait);
        long due = count.lastMillis() + wait;
        Lease kept = lease == null ? new Lease(null, 0, -1) : lease;
        dispatch.keepFromAll(offset);
        waiting.put(offset, new Waiting(due, kept));
        byTime.add(new Due(due, offset));
        if (kept.group != 0) {
            dispatch.groups().pause(kept.group);
        } else if (offset < dispatch.partition().groupEnd()) {
            ungrouped.add(offset);
        }
        return true;
    }

    /**
     * How long what was held under a lease waits. A consumer has its own way while few enough wait: it may say a year, and where
     * all that can wait do so, nobody is handed anything.
     */
    private RedeliveryPolicy waits(Lease lease) {
        return lease == null || lease.consumer == null || waiting.size() >= max / 2
                ? policy()
                : lease.consumer.redelivery(policy());
    }

    /** A message leaves. */
    void leave(long offset, Cause cause, String reason) {
        dispatch.keepFromAll(offset);
        leaving.put(offset, new Leaving(cause, reason));
        onLeaving.run();
    }

    /** A message is settled, or somebody's again. */
    void forget(long offset) {
        boolean full = isFull();
        leaving.remove(offset);
        Waiting one = waiting.remove(offset);
        if (one != null) {
            byTime.remove(new Due(one.dueMillis, offset));
            ungrouped.remove(offset);
            resume(one.lease);
        }
        if (full && !isFull()) {
            onLeaving.run(); // others go on
        }
    }

    private void resume(Lease lease) {
        if (lease.group != 0) {
            dispatch.groups().resume(lease.group);
        }
    }

    // ---- waiting ---------------------------------------------------------------------------------------------------

    /** Whether a message waits for its next delivery, so that nobody has it. */
    boolean isWaiting(long offset) {
        return waiting.containsKey(offset);
    }

    /** When the next one is due; {@link Long#MAX_VALUE} for never. */
    long nextMillis() {
        return byTime.isEmpty() ? Long.MAX_VALUE : byTime.first().millis;
    }

    /** What is due may be handed out again. A clock that was set back makes nobody wait longer than the longest wait. */
    void release(long nowMillis) {
        while (!byTime.isEmpty() && byTime.last().millis > nowMillis + longestMillis) {
            Due late = byTime.pollLast();
            long due = nowMillis + longestMillis;
            byTime.add(new Due(due, late.offset));
            waiting.put(late.offset, new Waiting(due, waiting.get(late.offset).lease));
        }
        while (!byTime.isEmpty() && byTime.first().millis <= nowMillis) {
            long offset = byTime.pollFirst().offset;
            Waiting one = waiting.remove(offset);
            ungrouped.remove(offset);
            dispatch.free(offset, one.lease);
            resume(one.lease);
        }
        if (byTime.isEmpty()) {
            longestMillis = policy().delayMaxMillis(); // a consumer may have wanted more
        }
    }

    /**
     * Finds out about the groups of what waits since before a restart.
     *
     * @return false where bytes have to be fetched first
     */
    boolean adopt(RecordReader reader) {
        while (!ungrouped.isEmpty()) {
            long offset = ungrouped.first();
            if (!reader.seek(offset)) {
                return false;
            }
            ungrouped.pollFirst();
            Lease lease = waiting.get(offset).lease;
            lease.group = reader.group();
            if (lease.group != 0) {
                dispatch.groups().pause(lease.group);
            }
        }
        return true;
    }

    // ---- leaving ---------------------------------------------------------------------------------------------------

    /** When to try those that leave; {@link Long#MAX_VALUE} where there are none, or their bytes are being fetched. */
    long nextTry() {
        return leaving.isEmpty() || reader.isWaiting() || dispatch.isDamaged() ? Long.MAX_VALUE : tryMillis;
    }

    /** They are not tried before this time. */
    void tryAt(long millis) {
        tryMillis = millis;
    }

    /** Some that leave for the same place, where it is time for that and their bytes are there. */
    Undeliverable gather(long nowMillis) {
        Undeliverable together = new Undeliverable();
        if (nextTry() > nowMillis) {
            return together;
        }
        for (Map.Entry<Long, Leaving> entry : leaving.entrySet()) {
            Leaving one = entry.getValue();
            long offset = entry.getKey();
            boolean fits = together.isEmpty()
                    || together.isExpired() == (one.cause == Cause.EXPIRED) && together.bytes() < bytesMax;
            if (!fits || !reader.seek(offset)) {
                break;
            }
            ByteBuffer record =
                    ByteBuffer.allocate(reader.length()).put(0, reader.buffer(), reader.position(), reader.length());
            int deliveries = dispatch.cursor().deliveries(offset);
            together.add(new Undeliverable.Message(offset, record, deliveries, one.cause, one.reason));
        }
        reader.clear();
        return together;
    }

    /** These are on their way; what keeps them from everyone stays until they are settled. */
    void left(Undeliverable messages) {
        messages.messages().forEach(message -> leaving.remove(message.offset()));
    }

    int size() {
        return waiting.size() + leaving.size();
    }

    /** Whether there are as many as may be: no more is handed out that could come back. */
    boolean isFull() {
        return size() >= max;
    }
}
