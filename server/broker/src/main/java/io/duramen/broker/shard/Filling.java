package io.duramen.broker.shard;

import io.duramen.broker.destination.Partition;
import io.duramen.broker.subscription.Cursor;
import io.duramen.broker.transaction.Facts;
import io.duramen.broker.transaction.ProducerIdentities.Changed;
import io.duramen.protocol.record.RecordBatch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * How many bytes the messages of partitions have whose destinations limit that. A settlement names offsets and no lengths: so the
 * messages of a partition are counted by stretches, few enough to go through, of each of which the bytes are known; what is left
 * of a stretch counts by its mean. The sum is exact where stretches are settled wholly or not at all, and the same wherever the log
 * is replayed. Hard state; confined to the agent.
 */
final class Filling implements Facts<Filling.Filled> {
    private static final int KIND = 13;

    /** A full partition has about so many stretches where nothing is settled out of turn. */
    private static final int OF_FULL = 128;

    static final int STRETCHES_MAX = 2 * OF_FULL;

    /**
     * Messages one behind the other; settled ones may have been left out between them.
     *
     * @param end offset behind the last
     */
    record Stretch(long first, long end, long messages, long bytes) {
        private Stretch and(Stretch next) {
            return new Stretch(first, next.end, messages + next.messages, bytes + next.bytes);
        }

        private long bytesOf(long unsettled) {
            long left = Math.min(unsettled, messages);
            return left == messages ? bytes : bytes / messages * left + bytes % messages * left / messages;
        }
    }

    /** @param open what comes next is counted in it */
    record Filled(int partition, List<Stretch> closed, Stretch open) {}

    /** How many of a partition's messages from one offset to before another are not settled. */
    @FunctionalInterface
    interface Unsettled {
        long between(long first, long end);
    }

    private final Changed changed;
    private final TreeMap<Integer, Filled> byPartition = new TreeMap<>();

    Filling(Changed changed) {
        this.changed = changed;
    }

    @Override
    public int kind() {
        return KIND;
    }

    @Override
    public Class<Filled> type() {
        return Filled.class;
    }

    @Override
    public Filled get(String key) {
        return byPartition.get(Integer.parseInt(key));
    }

    @Override
    public void forEach(BiConsumer<String, Filled> action) {
        byPartition.forEach((partition, filled) -> action.accept(String.valueOf(partition), filled));
    }

    @Override
    public void load(Filled one) {
        byPartition.put(one.partition, one);
    }

    private void put(Filled filled) {
        byPartition.put(filled.partition, filled);
        changed.fact(KIND, String.valueOf(filled.partition), filled);
    }

    /** Whether no partition is counted: asked for every batch. */
    boolean isNone() {
        return byPartition.isEmpty();
    }

    /** Replays that another limit holds for a partition, or that it is new. What is there already is not counted. */
    void follow(Partition partition) {
        if (!partition.destination().settings().limitsBytes()) {
            forget(partition.id());
        } else if (!byPartition.containsKey(partition.id())) {
            put(new Filled(partition.id(), List.of(), empty(partition.nextOffset())));
        }
    }

    private static Stretch empty(long at) {
        return new Stretch(at, at, 0, 0);
    }

    /** Replays that a partition is no more, or is not counted any more. */
    void forget(int partition) {
        if (byPartition.remove(partition) != null) {
            changed.fact(KIND, String.valueOf(partition), null);
        }
    }

    /**
     * Replays that messages were stored; of a partition that is not counted it changes nothing.
     *
     * @param bytes see {@link #bytes(ByteBuffer)}
     * @param unsettled of the partition, as of before
     */
    void stored(Partition partition, long baseOffset, int count, long bytes, Unsettled unsettled) {
        Filled filled = byPartition.get(partition.id());
        if (filled == null) {
            return;
        }
        Stretch open = (filled.open.messages == 0 ? empty(baseOffset) : filled.open)
                .and(new Stretch(baseOffset, baseOffset + count, count, bytes));
        if (open.bytes < partition.destination().settings().bytesMax() / OF_FULL) {
            put(new Filled(filled.partition, filled.closed, open));
        } else {
            put(new Filled(filled.partition, closed(filled.closed, open, unsettled), empty(open.end)));
        }
    }

    private static List<Stretch> closed(List<Stretch> before, Stretch last, Unsettled unsettled) {
        int over = 0;
        while (over < before.size() && isSettled(before.get(over), unsettled)) {
            over++;
        }
        List<Stretch> closed = new ArrayList<>(before.subList(over, before.size()));
        closed.add(last);
        if (closed.size() > STRETCHES_MAX) {
            closed.removeIf(each -> each != last && isSettled(each, unsettled));
        }
        return closed.size() > STRETCHES_MAX ? halved(closed) : List.copyOf(closed);
    }

    private static boolean isSettled(Stretch stretch, Unsettled unsettled) {
        return unsettled.between(stretch.first, stretch.end) == 0;
    }

    private static List<Stretch> halved(List<Stretch> stretches) {
        List<Stretch> fewer = new ArrayList<>();
        for (int i = 0; i < stretches.size(); i += 2) {
            fewer.add(i + 1 < stretches.size() ? stretches.get(i).and(stretches.get(i + 1)) : stretches.get(i));
        }
        return List.copyOf(fewer);
    }

    /** Bytes of what a subscription has not settled of a partition. */
    long bytes(int partition, Cursor cursor) {
        Filled filled = byPartition.get(partition);
        if (filled == null) {
            return 0;
        }
        long bytes = left(filled.open, cursor);
        for (int i = filled.closed.size() - 1; i >= 0; i--) {
            bytes += left(filled.closed.get(i), cursor);
        }
        return bytes;
    }

    private static long left(Stretch stretch, Cursor cursor) {
        return stretch.messages == 0 ? 0 : stretch.bytesOf(cursor.unsettled(stretch.first, stretch.end));
    }

    /** Bytes of a batch, with those of the bodies that it names. */
    static long bytes(ByteBuffer batch) {
        long bytes = batch.remaining();
        return (RecordBatch.traits(batch) & RecordBatch.ATTRIBUTE_LARGE) == 0
                ? bytes
                : bytes + BodyDecisions.lengthBytes(batch);
    }
}
