package io.duramen.simulation.run;

import io.duramen.metadata.MetadataStore;
import io.duramen.metadata.ShardChanges;
import io.duramen.metadata.ShardImage;
import io.duramen.metadata.ShardImage.CursorRow;
import io.duramen.metadata.ShardImage.DedupRow;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A fault: the state that a start loads lacks something. */
final class ForgetfulStore implements MetadataStore {
    private final MetadataStore store;
    private final UnaryOperator<ShardImage> forgetting;

    private ForgetfulStore(MetadataStore store, UnaryOperator<ShardImage> forgetting) {
        this.store = store;
        this.forgetting = forgetting;
    }

    /** One that lacks the dedup ids. */
    static ForgetfulStore ofIds(MetadataStore store) {
        return new ForgetfulStore(store, image -> with(image, image.cursors(), List.of()));
    }

    /** One that lacks the counts of deliveries. */
    static ForgetfulStore ofCounts(MetadataStore store) {
        return new ForgetfulStore(
                store,
                image -> with(
                        image,
                        image.cursors().stream()
                                .map(row -> new CursorRow(
                                        row.subscription(),
                                        row.partition(),
                                        row.settledBelow(),
                                        row.settledBeyond(),
                                        List.of()))
                                .toList(),
                        image.dedup()));
    }

    private static ShardImage with(ShardImage image, List<CursorRow> cursors, List<DedupRow> ids) {
        return new ShardImage(
                image.head(),
                image.destinations(),
                image.subscriptions(),
                cursors,
                image.producers(),
                image.openBodies(),
                image.pins(),
                image.branches(),
                image.facts(),
                ids);
    }

    @Override
    public Optional<ShardImage> load(int shard) throws IOException {
        return store.load(shard).map(forgetting);
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
