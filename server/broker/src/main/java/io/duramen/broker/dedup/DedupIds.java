package io.duramen.broker.dedup;

import io.duramen.metadata.DedupBlock;
import io.duramen.metadata.ShardImage.DedupRow;
import io.duramen.protocol.frame.BranchId;
import io.duramen.protocol.frame.Commit.PartitionBatch;
import io.duramen.protocol.record.DedupKey;
import io.duramen.protocol.record.MessageRecord;
import io.duramen.protocol.record.RecordBatch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * Which dedup keys messages of a shard's partitions have had within the window. Confined to the shard's agent.
 *
 * <p>The window of a partition is by log time and by count, so that it is the same wherever the log is replayed. What is
 * appended and not yet committed, and what prepared branches will store, is known beside it.
 */
public final class DedupIds {
    /** Keys that go from the front of a window when one comes: more than come, so that it shrinks where it has to. */
    private static final int FORGOTTEN_PER_ID = 2;

    /** Keys that go from the front of a window, once they are over, in a second of log time. */
    private static final int FORGOTTEN_PER_SECOND = 20_000;

    /** Keys of a batch, from its beginning, whose places are brought nearer at once. */
    private static final int TOUCHED_MAX = 1_024;

    /**
     * Bounds of the windows.
     *
     * @param idsMax of a partition
     * @param totalMax of all partitions together, past which each that gets one forgets its oldest
     */
    public record Limits(long windowSeconds, int idsMax, long totalMax) {}

    /**
     * A key of a partition. Its numbers stand here themselves, since maps look at many of them for each message.
     *
     * @param hashed under the secret: clients could crowd a map, too
     */
    private record Key(int partition, long high, long low, long hashed) {
        @Override
        public int hashCode() {
            return Long.hashCode(hashed) + partition;
        }
    }

    /** Keys that one request has, each for its partition; until the next request begins. */
    public final class Seen {
        private Seen() {
            seen.clear();
        }

        /** @return false where it was there before */
        public boolean add(int partition, DedupKey key) {
            return seen.add(partition, key) == 1;
        }
    }

    /** Takes a key, and which message of its batch has it. */
    @FunctionalInterface
    public interface Visitor {
        void key(DedupKey key, int index);
    }

    private final Limits limits;
    private final KeyHash hash;

    // Hard: rebuilt by replay.
    private final Int2ObjectHashMap<DedupWindow> windows = new Int2ObjectHashMap<>();
    private long total;

    /** Follows from the prepared branches; the leader adds those that it is about to prepare. */
    private final Map<Key, BranchId> held = new HashMap<>();

    /** Hashes of keys that are touched. */
    private final long[] touched = new long[TOUCHED_MAX];

    // Soft: appended, not yet committed, each as often as it is.
    private final KeyCounts appended;

    private final KeyCounts seen;

    /** @param secret random, known to no client; may be another after each start */
    public DedupIds(Limits limits, long secret) {
        this.limits = limits;
        this.hash = KeyHash.of(secret);
        this.appended = new KeyCounts(hash);
        this.seen = new KeyCounts(hash);
    }

    private Key keyOf(int partition, DedupKey key) {
        return new Key(partition, key.high(), key.low(), hash.of(key.high(), key.low()));
    }

    /** A request begins. */
    public Seen seen() {
        return new Seen();
    }

    /** Visits the messages of a checked batch that have keys, in their order. */
    public static void forEach(ByteBuffer batch, Visitor visitor) {
        if ((RecordBatch.traits(batch) & RecordBatch.ATTRIBUTE_DEDUP) == 0) {
            return;
        }
        int at = batch.position() + RecordBatch.HEADER_LENGTH;
        int count = RecordBatch.count(batch);
        for (int i = 0; i < count; i++) {
            if (DedupKey.isIn(batch, at)) {
                visitor.key(DedupKey.at(batch, at), i);
            }
            at += batch.getInt(at + MessageRecord.LENGTH_AT) + Integer.BYTES;
        }
    }

    /** The keys of a checked batch are about to be looked for, or added: what that needs is brought nearer at once. */
    public void touch(int partition, ByteBuffer batch) {
        DedupWindow window = windows.get(partition);
        if (window == null) {
            return;
        }
        int[] count = {0};
        forEach(batch, (key, index) -> {
            if (count[0] < touched.length) {
                touched[count[0]++] = hash.of(key.high(), key.low());
            }
        });
        window.touch(touched, count[0]);
    }

    /** Whether a message with the key is stored, or is being stored. */
    public boolean isStored(int partition, DedupKey key, long nowMillis) {
        return storedMillis(partition, key, nowMillis) >= 0 || appended.contains(partition, key);
    }

    /** @return when a message with the key was stored, in milliseconds, to the second; -1 where the window has none */
    public long storedMillis(int partition, DedupKey key, long nowMillis) {
        DedupWindow window = windows.get(partition);
        return window == null ? -1 : window.storedMillis(key, nowMillis);
    }

    /** Whether a branch that is prepared, or about to be, will store a message with the key. */
    public boolean isHeld(int partition, DedupKey key) {
        return !held.isEmpty() && held.containsKey(keyOf(partition, key));
    }

    /** Remembers the keys of a batch that is being appended, until {@link #committed}. */
    public void appended(int partition, ByteBuffer batch) {
        forEach(batch, (key, index) -> appended.add(partition, key));
    }

    /** Replays a committed batch; {@code there} tells whether its partition still is. */
    public void committed(int partition, ByteBuffer batch, long millis, boolean there) {
        touch(partition, batch);
        forEach(batch, (key, index) -> {
            appended.remove(partition, key);
            if (there) {
                add(window(partition), key, millis);
            }
        });
    }

    private DedupWindow window(int partition) {
        DedupWindow window = windows.get(partition);
        if (window == null) {
            window = new DedupWindow(partition, limits, hash);
            windows.put(partition, window);
        }
        return window;
    }

    private void add(DedupWindow window, DedupKey key, long millis) {
        window.add(key, millis);
        total++;
        long excess = Math.max(window.size() - limits.idsMax(), Math.min(total - limits.totalMax(), window.size() - 1));
        total -= window.forget(millis, FORGOTTEN_PER_ID, excess);
    }

    /** Replays that messages were left out because their keys were stored before. */
    public void leftOut(int partition, int messages) {
        window(partition).leftOut(messages);
    }

    /** Messages that were left out of a partition since it was made. */
    public long leftOut(int partition) {
        DedupWindow window = windows.get(partition);
        return window == null ? 0 : window.leftOut();
    }

    /** Keys that all windows have. */
    public long size() {
        return total;
    }

    /** A branch is being prepared, or is: what it will store is nobody else's until its end. */
    public void hold(BranchId branch, List<PartitionBatch> batches) {
        for (PartitionBatch batch : batches) {
            forEach(batch.batch(), (key, index) -> held.put(keyOf(batch.partition(), key), branch));
        }
    }

    /** Replays the branch's end. */
    public void release(BranchId branch, List<PartitionBatch> batches) {
        for (PartitionBatch batch : batches) {
            forEach(batch.batch(), (key, index) -> held.remove(keyOf(batch.partition(), key), branch));
        }
    }

    /**
     * Replays that log time moves on: what is over is forgotten, also where nothing comes any more.
     *
     * @param changing is told of each partition whose window is about to change
     */
    public void passed(long fromMillis, long toMillis, IntConsumer changing) {
        if (fromMillis / 1000 == toMillis / 1000 || total == 0) {
            return;
        }
        for (DedupWindow window : windows.values()) {
            if (window.isOldestOver(toMillis)) {
                changing.accept(window.partition());
                total -= window.forget(toMillis, FORGOTTEN_PER_SECOND, 0);
            }
        }
    }

    /** Replays that the partition is no more. */
    public void remove(int partition) {
        DedupWindow window = windows.remove(partition);
        if (window != null) {
            total -= window.size();
        }
    }

    /** Partitions that have a window. */
    public Iterable<Integer> partitions() {
        return windows.keySet();
    }

    /** @return null where the partition has no window */
    public DedupRow row(int partition) {
        DedupWindow window = windows.get(partition);
        return window == null ? null : window.toRow();
    }

    /** By partition. */
    public List<DedupRow> toRows() {
        return windows.values().stream()
                .map(DedupWindow::toRow)
                .sorted(Comparator.comparingInt(DedupRow::partition))
                .toList();
    }

    /** The full blocks that are not known to be stored. */
    public List<DedupBlock> unkept() {
        List<DedupBlock> blocks = new ArrayList<>();
        windows.values().forEach(window -> window.unkept(blocks));
        return blocks;
    }

    /** The blocks, which {@link #unkept} gave, are stored. */
    public void kept(List<DedupBlock> blocks) {
        for (DedupBlock block : blocks) {
            DedupWindow window = windows.get(block.partition());
            if (window != null) {
                window.kept(block.number());
            }
        }
    }

    /** Loads what {@link #toRows} gave. */
    public void load(List<DedupRow> rows, DedupBlock.Reader blocks) {
        for (DedupRow row : rows) {
            DedupWindow window = window(row.partition());
            window.load(row, blocks);
            total += window.size();
        }
    }
}
