package io.duramen.broker.transaction;

import io.duramen.metadata.ShardChanges.ProducerKey;
import io.duramen.metadata.ShardImage.GapRow;
import io.duramen.metadata.ShardImage.ProducerRow;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * The last sequence of each producer on each partition, to tell a repeat from news. Confined to the shard's agent.
 *
 * <p>The idea is that of Kafka's idempotent producer (KIP-98), but a gap is accepted, since messages that were sent
 * without waiting for an answer may be lost, others are refused, and a client that lost its connection sends again
 * everything unanswered, in order. Gaps are remembered: what was refused before later messages were stored, and is sent
 * again because its refusal was lost with the connection, is not taken for something that was stored.
 */
public final class ProducerSequences {
    /** In place of a partition: the producer's transactions. */
    public static final int TRANSACTIONS = 0;

    /** Answer of {@link #decide} for a batch that is news. */
    public static final long NEWS = -2;

    /** Answer of {@link #decide} for a repeat whose place is no longer remembered. */
    public static final long PLACE_FORGOTTEN = -1;

    /** Most gaps remembered of one producer on one partition; of older ones a repeat counts as stored. */
    static final int GAPS_MAX = 8;

    private static final int FORGOTTEN_MAX = 100_000;

    private final int max;
    private final long idleMillis;

    // Hard: rebuilt by replay; in the order of last use, which is the log's.
    private final LinkedHashMap<Key, ProducerRow> stored = new LinkedHashMap<>();

    /** What became of producers since {@link #takeChanges}, in the order of last use. */
    private LinkedHashMap<Key, ProducerRow> changed = new LinkedHashMap<>();

    private LinkedHashSet<Key> forgotten = new LinkedHashSet<>();
    private boolean mustTakeAll;

    // Soft: appended, not yet committed.
    private final Map<Key, Appended> appended = new HashMap<>();

    public ProducerSequences(int max, long idleMillis) {
        this.max = max;
        this.idleMillis = idleMillis;
    }

    private record Key(long producerId, int partition) {}

    private record Appended(int epoch, long lastSequence, int batches, List<GapRow> gaps) {}

    /**
     * Tells whether a batch is news.
     *
     * @return {@link #NEWS}; or, for a repeat, the offset at which it was stored first, or {@link #PLACE_FORGOTTEN}
     * @throws ProtocolException where a newer epoch took over, the batch overlaps others in part, was not stored when
     *     later ones were, or there are not so many sequences
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
        long last = baseSequence + count - 1;
        int knownEpoch = pending == null ? row.epoch() : pending.epoch;
        if (epoch < knownEpoch) {
            throw new ProtocolException(
                    ErrorCode.PRODUCER_FENCED, "producer epoch " + epoch + " is behind " + knownEpoch);
        }
        long known = pending == null ? row.lastSequence() : pending.lastSequence;
        if (epoch > knownEpoch || baseSequence > known) {
            return NEWS;
        }
        if (last > known) {
            throw new ProtocolException(
                    ErrorCode.OUT_OF_ORDER_SEQUENCE,
                    "sequences " + baseSequence + ".." + last + " overlap those up to " + known + " that are stored");
        }
        for (GapRow gap : pending == null ? row.gaps() : pending.gaps) {
            if (baseSequence <= gap.last() && last >= gap.first()) {
                throw new ProtocolException(
                        ErrorCode.OUT_OF_ORDER_SEQUENCE,
                        "sequences " + baseSequence + ".." + last
                                + " were not stored when later ones were, and come too" + " late now");
            }
        }
        return row != null && row.lastBaseSequence() == baseSequence ? row.lastBaseOffset() : PLACE_FORGOTTEN;
    }

    /** Whether this is the transaction of the producer that was appended last. */
    public boolean isLastTransaction(long producerId, long sequence) {
        Key key = new Key(producerId, TRANSACTIONS);
        Appended pending = appended.get(key);
        ProducerRow row = pending == null ? stored.get(key) : null;
        return pending != null ? pending.lastSequence == sequence : row != null && row.lastSequence() == sequence;
    }

    /** Remembers a batch that is being appended, until {@link #committed}. */
    public void appended(long producerId, int epoch, int partition, long baseSequence, int count) {
        Key key = new Key(producerId, partition);
        Appended before = appended.get(key);
        ProducerRow row = stored.get(key);
        List<GapRow> gaps;
        if (before != null && before.epoch == epoch) {
            gaps = withGap(before.gaps, before.lastSequence + 1, baseSequence);
        } else if (before == null && row != null && row.epoch() == epoch) {
            gaps = withGap(row.gaps(), row.lastSequence() + 1, baseSequence);
        } else {
            gaps = withGap(List.of(), 0, baseSequence);
        }
        appended.put(key, new Appended(epoch, baseSequence + count - 1, before == null ? 1 : before.batches + 1, gaps));
    }

    private static List<GapRow> withGap(List<GapRow> gaps, long expected, long baseSequence) {
        if (baseSequence <= expected) {
            return gaps;
        }
        List<GapRow> more = new ArrayList<>(gaps.subList(Math.max(0, gaps.size() + 1 - GAPS_MAX), gaps.size()));
        more.add(new GapRow(expected, baseSequence - 1));
        return List.copyOf(more);
    }

    /** Replays a committed batch. */
    public void committed(Stored batch) {
        Key key = new Key(batch.producerId, batch.partition);
        ProducerRow before = stored.remove(key);
        boolean goesOn = before != null && before.epoch() == batch.epoch;
        List<GapRow> gaps = goesOn
                ? withGap(before.gaps(), before.lastSequence() + 1, batch.baseSequence)
                : withGap(List.of(), 0, batch.baseSequence);
        ProducerRow row = new ProducerRow(
                batch.producerId,
                batch.partition,
                batch.epoch,
                batch.baseSequence,
                batch.lastSequence,
                batch.baseOffset,
                batch.millis,
                gaps);
        stored.put(key, row);
        changed.remove(key);
        changed.put(key, row);
        appended.computeIfPresent(
                key,
                (same, pending) -> pending.batches == 1
                        ? null
                        : new Appended(pending.epoch, pending.lastSequence, pending.batches - 1, pending.gaps));
        forget(batch.millis);
    }

    /**
     * A committed batch.
     *
     * @param baseOffset where its first message stands, or {@link #PLACE_FORGOTTEN}
     * @param millis log time
     */
    public record Stored(
            long producerId,
            int partition,
            int epoch,
            long baseSequence,
            long lastSequence,
            long baseOffset,
            long millis) {}

    private void forget(long nowMillis) {
        Iterator<Map.Entry<Key, ProducerRow>> oldest = stored.entrySet().iterator();
        while (oldest.hasNext()) {
            Map.Entry<Key, ProducerRow> entry = oldest.next();
            if (stored.size() <= max && entry.getValue().lastMillis() >= nowMillis - idleMillis) {
                return;
            }
            oldest.remove();
            changed.remove(entry.getKey());
            forget(entry.getKey());
        }
    }

    private void forget(Key key) {
        forgotten.add(key);
        if (forgotten.size() > FORGOTTEN_MAX) {
            forgotten.clear();
            mustTakeAll = true;
        }
    }

    /** Whether so many were forgotten that it is no longer known which: all have to be taken. */
    public boolean mustTakeAll() {
        return mustTakeAll;
    }

    /**
     * What became of producers since this was called last.
     *
     * @param rows in the order of last use
     */
    public record Changes(List<ProducerRow> rows, List<ProducerKey> forgotten) {}

    /**
     * Takes what changed since the last call; costs as much as that is.
     *
     * @param all whether all that is there is taken instead
     */
    public Changes takeChanges(boolean all) {
        Changes changes = all
                ? new Changes(toRows(), List.of())
                : new Changes(
                        List.copyOf(changed.values()),
                        forgotten.stream()
                                .map(key -> new ProducerKey(key.producerId, key.partition))
                                .toList());
        mustTakeAll = false;
        changed = new LinkedHashMap<>();
        forgotten = new LinkedHashSet<>();
        return changes;
    }

    /** Puts back what was taken and could not be kept; it is taken again, as it is then. */
    public void putBack(Changes changes) {
        LinkedHashMap<Key, ProducerRow> later = changed;
        changed = new LinkedHashMap<>();
        for (ProducerRow row : changes.rows) {
            Key key = new Key(row.producerId(), row.partition());
            if (stored.get(key) == row) {
                changed.put(key, row);
            }
        }
        changed.putAll(later);
        changes.forgotten.forEach(key -> forget(new Key(key.producerId(), key.partition())));
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
