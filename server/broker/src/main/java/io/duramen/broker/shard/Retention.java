package io.duramen.broker.shard;

import io.duramen.broker.destination.Catalogue;
import io.duramen.broker.destination.DestinationSettings;
import io.duramen.broker.destination.Partition;
import io.duramen.broker.transaction.Facts;
import io.duramen.broker.transaction.ProducerIdentities.Changed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * Where the messages begin that partitions keep though they are settled, for as long or as many bytes as their destinations say.
 * A partition is marked now and then, at times and sizes that follow from these bounds, so that few marks are enough; what is
 * kept begins at a mark, and goes from mark to mark as log time passes and messages come. It is the same wherever the log is
 * replayed. Hard state; confined to the agent.
 */
final class Retention implements Facts<Retention.Kept> {
    private static final int KIND = 12;

    /** A partition has about so many marks at most for each of its two bounds. */
    private static final int MARKS = 128;

    /**
     * Stands before a message of a partition.
     *
     * @param millis log time at which it was stored
     * @param bytes of all messages of the partition before it, since it keeps some
     */
    record Mark(long offset, long millis, long bytes) {}

    /**
     * What a partition keeps.
     *
     * @param end offset behind the last message
     * @param millis log time at which that was stored
     * @param bytes of all messages since it keeps some
     * @param marks the first is where what is kept begins; empty where nothing is
     */
    record Kept(int partition, long end, long millis, long bytes, List<Mark> marks) {}

    private final Catalogue catalogue;
    private final Changed changed;
    private final TreeMap<Integer, Kept> byPartition = new TreeMap<>();

    Retention(Catalogue catalogue, Changed changed) {
        this.catalogue = catalogue;
        this.changed = changed;
    }

    @Override
    public int kind() {
        return KIND;
    }

    @Override
    public Class<Kept> type() {
        return Kept.class;
    }

    @Override
    public Kept get(String key) {
        return byPartition.get(Integer.parseInt(key));
    }

    @Override
    public void forEach(BiConsumer<String, Kept> action) {
        byPartition.forEach((partition, kept) -> action.accept(String.valueOf(partition), kept));
    }

    @Override
    public void load(Kept one) {
        byPartition.put(one.partition, one);
    }

    private void put(Kept kept) {
        byPartition.put(kept.partition, kept);
        changed.fact(KIND, String.valueOf(kept.partition), kept);
    }

    /** Whether no partition keeps anything: asked for every batch. */
    boolean isNone() {
        return byPartition.isEmpty();
    }

    /**
     * Replays that other bounds hold for a partition, or that it is new.
     *
     * @param from the first offset that is surely there now
     */
    void follow(Partition partition, long from, long nowMillis) {
        if (!partition.destination().settings().keeps()) {
            forget(partition.id());
        } else if (!byPartition.containsKey(partition.id())) {
            long end = partition.nextOffset();
            List<Mark> marks = from < end ? List.of(new Mark(from, nowMillis, 0)) : List.of();
            put(new Kept(partition.id(), end, nowMillis, 0, marks));
        } else {
            shorten(byPartition.get(partition.id()), nowMillis);
        }
    }

    /** Replays that a partition is no more, or keeps nothing any more. */
    void forget(int partition) {
        if (byPartition.remove(partition) != null) {
            changed.fact(KIND, String.valueOf(partition), null);
        }
    }

    /** Replays that messages were stored; of a partition that keeps nothing it changes nothing. */
    void stored(Partition partition, long baseOffset, int count, int bytes, long millis) {
        Kept kept = byPartition.get(partition.id());
        if (kept == null) {
            return;
        }
        DestinationSettings settings = partition.destination().settings();
        List<Mark> marks = kept.marks;
        Mark last = marks.isEmpty() ? null : marks.get(marks.size() - 1);
        if (last == null
                || millis > last.millis && millis - last.millis >= settings.keepMillis() / MARKS
                || kept.bytes - last.bytes >= settings.keepBytes() / MARKS) {
            marks = new ArrayList<>(marks);
            marks.add(new Mark(baseOffset, millis, kept.bytes));
        }
        shorten(new Kept(kept.partition, baseOffset + count, millis, kept.bytes + bytes, marks), millis);
    }

    /** Replays that log time moves on: what is over begins no more, also where nothing comes any more. */
    void passed(long fromMillis, long toMillis) {
        if (byPartition.isEmpty() || fromMillis / 1000 == toMillis / 1000) {
            return;
        }
        for (Kept kept : List.copyOf(byPartition.values())) {
            if (over(kept, toMillis) > 0) {
                shorten(kept, toMillis);
            }
        }
    }

    private void shorten(Kept kept, long nowMillis) {
        int over = over(kept, nowMillis);
        put(
                over == 0
                        ? kept
                        : new Kept(
                                kept.partition,
                                kept.end,
                                kept.millis,
                                kept.bytes,
                                List.copyOf(kept.marks.subList(over, kept.marks.size()))));
    }

    /** How many of the first marks have nothing behind them, before the next, that is to be kept. */
    private int over(Kept kept, long nowMillis) {
        DestinationSettings settings =
                catalogue.partition(kept.partition).destination().settings();
        int over = 0;
        while (over < kept.marks.size()) {
            boolean hasNext = over + 1 < kept.marks.size();
            long nextMillis = hasNext ? kept.marks.get(over + 1).millis : kept.millis;
            long nextBytes = hasNext ? kept.marks.get(over + 1).bytes : kept.bytes;
            if (nowMillis - nextMillis <= settings.keepMillis() && kept.bytes - nextBytes < settings.keepBytes()) {
                break;
            }
            over++;
        }
        return over;
    }

    /** Where what a partition keeps begins; {@link Long#MAX_VALUE} where it keeps nothing. */
    long from(int partition) {
        Kept kept = byPartition.get(partition);
        return kept == null ? Long.MAX_VALUE : from(kept);
    }

    private static long from(Kept kept) {
        return kept.marks.isEmpty() ? kept.end : kept.marks.get(0).offset;
    }

    /** The last mark before which nothing was stored at this time or later; where what is kept begins if that is behind it. */
    long before(int partition, long millis) {
        Kept kept = byPartition.get(partition);
        if (kept == null) {
            return Long.MAX_VALUE;
        }
        long found = from(kept);
        for (Mark mark : kept.marks) {
            if (mark.millis >= millis) {
                break;
            }
            found = mark.offset;
        }
        return kept.marks.isEmpty() || kept.millis >= millis ? found : kept.end;
    }

    /** As {@link #from(int)}, of all partitions that keep something, as of now. */
    Map<Integer, Long> froms() {
        Map<Integer, Long> froms = new HashMap<>();
        byPartition.forEach((partition, kept) -> froms.put(partition, from(kept)));
        return froms;
    }
}
