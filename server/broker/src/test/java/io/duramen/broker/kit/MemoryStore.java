package io.duramen.broker.kit;

import io.duramen.metadata.DedupBlock;
import io.duramen.metadata.MetadataStore;
import io.duramen.metadata.ShardChanges;
import io.duramen.metadata.ShardImage;
import io.duramen.metadata.ShardRows;
import io.duramen.metadata.StateLostException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Keeps rows in memory; a test may hold completions of stores back or have them fail. Not thread-safe. */
public final class MemoryStore implements MetadataStore {
    private final List<ShardChanges> stored = new ArrayList<>();
    private final List<Runnable> held = new ArrayList<>();
    private final Map<List<Long>, ByteBuffer> blocks = new HashMap<>();
    private boolean holds;
    private boolean fails;
    private final int shard;
    private ShardRows rows;
    private ShardRows direct;

    public MemoryStore() {
        this(0);
    }

    public MemoryStore(int shard) {
        this.shard = shard;
        rows = new ShardRows(shard);
    }

    public void hold() {
        holds = true;
    }

    public void setFailing(boolean failing) {
        fails = failing;
    }

    public void complete() {
        holds = false;
        List<Runnable> due = List.copyOf(held);
        held.clear();
        due.forEach(Runnable::run);
    }

    /** All changes handed in, in order, those that failed too. */
    public List<ShardChanges> stored() {
        return stored;
    }

    public Optional<ShardImage> last() {
        return rows.head().appliedIndex() == 0 ? Optional.empty() : Optional.of(rows.toImage());
    }

    public void forget() {
        rows = new ShardRows(shard);
    }

    @Override
    public Optional<ShardImage> load(int shard) {
        return last();
    }

    @Override
    public ByteBuffer dedupBlock(int shard, int partition, long block) {
        return ByteBuffer.allocate(DedupBlock.LENGTH)
                .put(blocks.get(List.of((long) partition, block)).duplicate())
                .flip();
    }

    @Override
    public void store(ShardChanges changes, Consumer<Optional<IOException>> done) {
        stored.add(changes);
        Runnable completion = () -> done.accept(outcome(changes));
        if (holds) {
            held.add(completion);
        } else {
            completion.run();
        }
    }

    private Optional<IOException> outcome(ShardChanges changes) {
        if (fails) {
            return Optional.of(new IOException("no space"));
        }
        try {
            changes.dedupBlocks()
                    .forEach(block -> blocks.put(List.of((long) block.partition(), block.number()), block.ids()));
            rows.apply(changes);
            return Optional.empty();
        } catch (StateLostException e) {
            return Optional.of(e);
        }
    }

    @Override
    public void snapshot(int shard, SnapshotCompletion done) {
        tell(rows, done);
    }

    /** The state of the last snapshot that was taken without what is stored. */
    public Optional<ShardImage> direct() {
        return Optional.ofNullable(direct).map(ShardRows::toImage);
    }

    @Override
    public void snapshotOf(ShardChanges whole, SnapshotCompletion done) {
        whole.dedupBlocks()
                .forEach(block -> blocks.put(List.of((long) block.partition(), block.number()), block.ids()));
        direct = ShardRows.of(whole);
        tell(direct, done);
    }

    private static void tell(ShardRows of, SnapshotCompletion done) {
        Map<Integer, Long> needed = of.toImage().neededFrom();
        done.taken(of.head().appliedIndex(), partition -> needed.getOrDefault(partition, Long.MAX_VALUE));
    }

    @Override
    public void storeLast(ShardChanges changes) {
        store(changes, failure -> {});
    }
}
