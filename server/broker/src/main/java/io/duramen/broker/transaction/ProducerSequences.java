package io.duramen.broker.transaction;

import io.duramen.metadata.ShardImage.ProducerRow;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The last sequence of each producer on each partition, to tell a repeat from news. Confined to the shard's agent.
 *
 * <p>The idea is that of Kafka's idempotent producer (KIP-98), with one connection's order in place of its sequence
 * gaps: a gap is accepted, since messages that were sent without waiting for an answer may be lost, and a client that
 * lost its connection sends again everything unanswered, in order.
 */
public final class ProducerSequences {
    /** In place of a partition: the producer's transactions. */
    public static final int TRANSACTIONS = 0;

    /** Answer of {@link #decide} for a batch that is news. */
    public static final long NEWS = -2;

    /** Answer of {@link #decide} for a repeat whose place is no longer remembered. */
    public static final long PLACE_FORGOTTEN = -1;

    private final int max;
    private final long idleMillis;

    // Hard: rebuilt by replay; in the order of last use, which is the log's.
    private final LinkedHashMap<Key, ProducerRow> stored = new LinkedHashMap<>();

    // Soft: appended, not yet committed.
    private final Map<Key, Appended> appended = new HashMap<>();

    public ProducerSequences(int max, long idleMillis) {
        this.max = max;
        this.idleMillis = idleMillis;
    }

    private record Key(long producerId, int partition) {}

    private record Appended(int epoch, long lastSequence, int batches) {}

    /**
     * Tells whether a batch is news.
     *
     * @return {@link #NEWS}; or, for a repeat, the offset at which it was stored first, or {@link #PLACE_FORGOTTEN}
     * @throws ProtocolException where a newer epoch took over, the batch overlaps others in part, or there are not so
     *     many sequences
     */
    public long decide(long producerId, int epoch, int partition, long baseSequence, int count) {
        if (baseSequence < 0 || baseSequence > Long.MAX_VALUE - count) {
            throw new ProtocolException(
                    ErrorCode.OUT_OF_ORDER_SEQUENCE, count + " sequences from " + baseSequence + " on do not exist");
        }
        Key key = new Key(producerId, partition);
        Appended pending = appended.get(key);
        ProducerRow row = pending == null ? stored.get(key) : null;
        if (pending == null && row == null) {
            return NEWS;
        }
        int knownEpoch = pending == null ? row.epoch() : pending.epoch;
        if (epoch < knownEpoch) {
            throw new ProtocolException(
                    ErrorCode.PRODUCER_FENCED, "producer epoch " + epoch + " is behind " + knownEpoch);
        }
        long known = pending == null ? row.lastSequence() : pending.lastSequence;
        if (epoch > knownEpoch || baseSequence > known) {
            return NEWS;
        }
        if (baseSequence + count - 1 > known) {
            throw new ProtocolException(
                    ErrorCode.OUT_OF_ORDER_SEQUENCE,
                    "sequences " + baseSequence + ".." + (baseSequence + count - 1) + " overlap those up to " + known
                            + " that are stored");
        }
        return row != null && row.lastBaseSequence() == baseSequence ? row.lastBaseOffset() : PLACE_FORGOTTEN;
    }

    /** Remembers a batch that is being appended, until {@link #committed}. */
    public void appended(long producerId, int epoch, int partition, long baseSequence, int count) {
        appended.merge(
                new Key(producerId, partition),
                new Appended(epoch, baseSequence + count - 1, 1),
                (before, now) -> new Appended(now.epoch, now.lastSequence, before.batches + 1));
    }

    /** Replays a committed batch. */
    public void committed(ProducerRow row) {
        Key key = new Key(row.producerId(), row.partition());
        stored.remove(key);
        stored.put(key, row);
        appended.computeIfPresent(
                key,
                (same, pending) -> pending.batches == 1
                        ? null
                        : new Appended(pending.epoch, pending.lastSequence, pending.batches - 1));
        forget(row.lastMillis());
    }

    private void forget(long nowMillis) {
        Iterator<ProducerRow> oldest = stored.values().iterator();
        while (oldest.hasNext()) {
            ProducerRow row = oldest.next();
            if (stored.size() <= max && row.lastMillis() >= nowMillis - idleMillis) {
                return;
            }
            oldest.remove();
        }
    }

    /** In the order of last use. */
    public List<ProducerRow> toRows() {
        return List.copyOf(stored.values());
    }

    /** Loads what {@link #toRows} gave. */
    public void load(List<ProducerRow> rows) {
        rows.forEach(row -> stored.put(new Key(row.producerId(), row.partition()), row));
    }
}
