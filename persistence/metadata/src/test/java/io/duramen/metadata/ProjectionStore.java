package io.duramen.metadata;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Consumer;

/** A store on a projection alone, so that it can be held to the contract of stores. */
public final class ProjectionStore implements MetadataStore {
    private final Projection projection;

    public ProjectionStore(Projection projection) {
        this.projection = projection;
    }

    @Override
    public Optional<ShardImage> load(int shard) {
        return projection.load(shard);
    }

    /** A projection has none: its rows say which there are. */
    @Override
    public ByteBuffer dedupBlock(int shard, int partition, long block) {
        throw new UnsupportedOperationException("blocks of dedup ids are beside a projection");
    }

    @Override
    public void store(ShardChanges changes, Consumer<Optional<IOException>> done) {
        projection.store(changes, done);
    }

    /** Only reads: the projection is all there is. */
    @Override
    public void snapshot(int shard, SnapshotCompletion done) {
        projection.read(shard, ShardImage::appliedIndex, new Projection.Reading<>() {
            @Override
            public void succeeded(Long appliedIndex) {
                done.taken(appliedIndex, partition -> 0);
            }

            @Override
            public void failed(IOException cause) {
                done.failed(cause);
            }
        });
    }

    @Override
    public void snapshotOf(ShardChanges whole, SnapshotCompletion done) {
        projection.store(
                whole,
                failure -> failure.ifPresentOrElse(
                        done::failed, () -> done.taken(whole.head().appliedIndex(), partition -> 0)));
    }

    @Override
    public void storeLast(ShardChanges changes) {
        projection.store(changes, failure -> {});
    }
}
