package io.duramen.simulation.run;

import io.duramen.metadata.MetadataStore;
import io.duramen.metadata.ShardChanges;
import io.duramen.metadata.ShardImage;
import io.duramen.metadata.ShardImage.CursorRow;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A fault: the state that a start loads lacks the counts of deliveries. */
final class UncountingStore implements MetadataStore {
    private final MetadataStore store;

    UncountingStore(MetadataStore store) {
        this.store = store;
    }

    @Override
    public Optional<ShardImage> load(int shard) throws IOException {
        return store.load(shard)
                .map(image -> new ShardImage(
                        image.head(),
                        image.destinations(),
                        image.subscriptions(),
                        image.cursors().stream().map(UncountingStore::uncounted).toList(),
                        image.producers(),
                        image.openBodies(),
                        image.pins(),
                        image.branches(),
                        image.facts(),
                        image.dedup()));
    }

    private static CursorRow uncounted(CursorRow row) {
        return new CursorRow(row.subscription(), row.partition(), row.settledBelow(), row.settledBeyond(), List.of());
    }

    @Override
    public ByteBuffer dedupBlock(int shard, int partition, long block) throws IOException {
        return store.dedupBlock(shard, partition, block);
    }

    @Override
    public void store(ShardChanges changes, Consumer<Optional<IOException>> done) {
        store.store(changes, done);
    }

    @Override
    public void snapshot(int shard, SnapshotCompletion done) {
        store.snapshot(shard, done);
    }

    @Override
    public void snapshotOf(ShardChanges whole, SnapshotCompletion done) {
        store.snapshotOf(whole, done);
    }

    @Override
    public void storeLast(ShardChanges changes) {
        store.storeLast(changes);
    }
}
