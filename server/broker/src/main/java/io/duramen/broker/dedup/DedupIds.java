package io.duramen.broker.dedup;

import io.duramen.metadata.DedupBlock;
import io.duramen.metadata.ShardImage.DedupRow;
import io.duramen.protocol.frame.BranchId;
import io.duramen.protocol.frame.Commit.PartitionBatch;
import io.duramen.protocol.record.DedupKey;
import io.duramen.protocol.record.RecordBatch;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
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

    /**
     * Bounds of the windows.
     *
     * @param idsMax of a partition
     * @param totalMax of all partitions together, past which each that gets one forgets its oldest
     */
    public record Limits(long windowSeconds, int idsMax, long totalMax) {}

    /**
     * The keys of a batch that is on its way: when it is committed nobody has to look for them in it again, where hardly any
     * of it is in the processor's caches any more.
     *
     * @param place of its first message in the partition, which no other batch of the same leader has
     */
    private record Appended(int partition, long place, KeyList keys) {}

    /** A key of a partition. */
    private record Held(int partition, HashedKey key) {}

    /** Keys that one request has, each for its partition; until the next request begins. */
    public final class Seen {
        private Seen() {
            seen.clear();
        }

        /** @return false where it was there before */
        public boolean add(int partition, HashedKey key) {
            return seen.add(partition, key) == 1;
        }
    }

    /** Takes a key, and which message of its batch has it. */
    @FunctionalInterface
    public interface Visitor {
        void key(HashedKey key, int index);
    }

    private final Limits limits;
    private final KeyHash hash;

    /** Of partitions that have others than the rest. */
    private final Int2ObjectHashMap<Limits> own = new Int2ObjectHashMap<>();

    // Hard: rebuilt by replay.
    private final Int2ObjectHashMap<DedupWindow> windows = new Int2ObjectHashMap<>();
    private long total;

    /** Follows from the prepared branches; the leader adds those that it is about to prepare. */
    private final Map<Held, BranchId> held = new HashMap<>();

    /** Of the batch that is looked through. */
    private final BatchKeys keys;

    // Soft: appended, not yet committed, each as often as it is.
    private final KeyCounts appended = new KeyCounts();

    /** In the order in which they are committed; not those of others than {@link #appended}. */
    private final ArrayDeque<Appended> batches = new ArrayDeque<>();

    private final KeyCounts seen = new KeyCounts();

    /** @param secret random, known to no client; may be another after each start */
    public DedupIds(Limits limits, long secret) {
        this.limits = limits;
        this.hash = KeyHash.of(secret);
        this.keys = new BatchKeys(hash);
    }

    /** The key with what it is looked for by. */
    public HashedKey hashed(DedupKey key) {
        return hash.hashed(key);
    }

    /** A request begins. */
    public Seen seen() {
        return new Seen();
    }

    /**
     * Visits the messages of a checked batch that have keys, in their order. What it needs to look for them in the
     * partition's window is brought nearer, of many at once. No visitor may visit another batch.
     */
    public void forEach(int partition, ByteBuffer batch, Visitor visitor) {
        DedupWindow window = windows.get(partition);
        keys.begin(batch);
        for (int count = keys.read(); count > 0; count = keys.read()) {
            if (window != null) {
                window.touchToFind(keys.hashes(), count);
            }
            visit(count, visitor);
        }
    }

    /** As {@link #forEach}, for those who look for none of them in a window. */
    private void forEach(ByteBuffer batch, Visitor visitor) {
        keys.begin(batch);
        for (int count = keys.read(); count > 0; count = keys.read()) {
            visit(count, visitor);
        }
    }

    private void visit(int count, Visitor visitor) {
        for (int i = 0; i < count; i++) {
            visitor.key(keys.key(i), keys.index(i));
        }
    }

    /** Whether a message with the key is stored, or is being stored. */
    public boolean isStored(int partition, HashedKey key, long nowMillis) {
        return storedMillis(partition, key, nowMillis) >= 0 || appended.contains(partition, key);
    }

    /** @return when a message with the key was stored, in milliseconds, to the second; -1 where the window has none */
    public long storedMillis(int partition, HashedKey key, long nowMillis) {
        DedupWindow window = windows.get(partition);
        return window == null ? -1 : window.storedMillis(key, nowMillis);
    }

    /** Whether a branch that is prepared, or about to be, will store a message with the key. */
    public boolean isHeld(int partition, HashedKey key) {
        return !held.isEmpty() && held.containsKey(new Held(partition, key));
    }

    /**
     * Remembers the keys of a batch that is being appended, until {@link #committed}.
     *
     * @param place of its first message in the partition
     */
    public void appended(int partition, long place, ByteBuffer batch) {
        keys.begin(batch);
        KeyList all = null;
        for (int count = keys.read(); count > 0; count = keys.read()) {
            all = all == null ? new KeyList(RecordBatch.count(batch)) : all;
            for (int i = 0; i < count; i++) {
                appended.add(partition, keys.key(i));
            }
            keys.copyTo(all);
        }
        if (all != null) {
            batches.add(new Appended(partition, place, all));
        }
    }

    /** What was appended may be taken back, and others may be committed in its place: it is not known any more. */
    public void forgetAppended() {
        batches.clear();
        appended.clear();
    }

    /**
     * Replays a committed batch; {@code there} tells whether its partition still is.
     *
     * @param place of its first message in the partition
     */
    public void committed(int partition, long place, ByteBuffer batch, long millis, boolean there) {
        DedupWindow window = there ? window(partition) : null;
        Appended own = batches.peek();
        if (own != null && own.partition == partition && own.place == place) {
            batches.poll();
            for (int from = 0; from < own.keys.size(); from += BatchKeys.MAX) {
                committed(window, own, from, Math.min(own.keys.size(), from + BatchKeys.MAX), millis);
            }
        } else if (there) {
            forEach(partition, batch, (key, index) -> add(window, key, millis));
        }
    }

    private void committed(DedupWindow window, Appended own, int from, int to, long millis) {
        if (window != null) {
            window.touchToAdd(own.keys.hashes(), from, to);
        }
        for (int i = from; i < to; i++) {
            HashedKey key = own.keys.key(i);
            appended.remove(own.partition, key);
            if (window != null) {
                add(window, key, millis);
            }
        }
    }

    private DedupWindow window(int partition) {
        DedupWindow window = windows.get(partition);
        if (window == null) {
            window = new DedupWindow(partition, limitsOf(partition), hash);
            windows.put(partition, window);
        }
        return window;
    }

    private Limits limitsOf(int partition) {
        return own.getOrDefault(partition, limits);
    }

    /** What holds where nothing else is said of a partition. */
    public Limits limits() {
        return limits;
    }

    /** Replays that a partition's window has other bounds from now on; what is over by these is forgotten as keys come. */
    public void limit(int partition, long windowSeconds, int idsMax) {
        Limits wanted = new Limits(windowSeconds, idsMax, limits.totalMax());
        if (wanted.equals(limits)) {
            own.remove(partition);
        } else {
            own.put(partition, wanted);
        }
        DedupWindow window = windows.get(partition);
        if (window != null) {
            window.limit(wanted);
        }
    }

    private void add(DedupWindow window, HashedKey key, long millis) {
        window.add(key, millis);
        total++;
        long excess = Math.max(window.size() - window.idsMax(), Math.min(total - limits.totalMax(), window.size() - 1));
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
            forEach(batch.batch(), (key, index) -> held.put(new Held(batch.partition(), key), branch));
        }
    }

    /** Replays the branch's end. */
    public void release(BranchId branch, List<PartitionBatch> batches) {
        for (PartitionBatch batch : batches) {
            forEach(batch.batch(), (key, index) -> held.remove(new Held(batch.partition(), key), branch));
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
        own.remove(partition);
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
