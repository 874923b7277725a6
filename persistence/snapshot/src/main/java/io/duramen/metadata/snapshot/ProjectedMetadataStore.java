package io.duramen.metadata.snapshot;

import io.duramen.metadata.MetadataStore;
import io.duramen.metadata.Projection;
import io.duramen.metadata.ShardChanges;
import io.duramen.metadata.ShardImage;
import io.duramen.metadata.StateLostException;
import io.duramen.runtime.disk.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store on a database that may be lost: what it must not forget stands in an image file, which is written, now and then,
 * from what the database holds. Confined to the shard's agent, as the disk and the projection are; completions run inside
 * their {@code poll}.
 */
public final class ProjectedMetadataStore implements MetadataStore {
    private static final Logger LOG = LoggerFactory.getLogger(ProjectedMetadataStore.class);

    private final Projection projection;
    private final DedupBlockFiles blocks;
    private final ImageFiles images;

    /** @param disk of the image files */
    public ProjectedMetadataStore(Projection projection, Disk disk) {
        this.projection = projection;
        this.blocks = new DedupBlockFiles(disk);
        this.images = new ImageFiles(disk, blocks);
    }

    /** {@inheritDoc} Where the database has not even what the image file has, it is filled from it, in the background. */
    @Override
    public Optional<ShardImage> load(int shard) throws IOException {
        Optional<ShardImage> image = images.load(shard);
        Optional<ShardImage> projected = projection.load(shard);
        blocks.list(shard);
        blocks.prune(
                shard,
                Stream.concat(image.stream(), projected.stream())
                        .flatMap(state -> state.dedup().stream())
                        .toList());
        long imageIndex = image.map(ShardImage::appliedIndex).orElse(0L);
        if (projected.isPresent()
                && projected.get().appliedIndex() >= imageIndex
                && (image.isEmpty() || blocks.hasAll(shard, projected.get().dedup()))) {
            return projected;
        }
        if (image.isPresent()) {
            LOG.warn(
                    "The metadata store has shard {} {}: it is rebuilt from the image as of entry {} and the log behind it",
                    shard,
                    projected
                            .map(state -> "as of entry " + state.appliedIndex()
                                    + (state.appliedIndex() < imageIndex ? " only" : ", without all of its dedup ids"))
                            .orElse("no more"),
                    imageIndex);
            projection.store(
                    ShardChanges.whole(image.get()),
                    failure -> failure.ifPresent(cause -> LOG.warn(
                            "The metadata store could not be filled from the image of shard {}: {}",
                            shard,
                            cause.getMessage())));
        }
        return image;
    }

    @Override
    public ByteBuffer dedupBlock(int shard, int partition, long block) throws IOException {
        return blocks.read(shard, partition, block);
    }

    /** {@inheritDoc} Blocks of dedup ids are in their files before the database has the rows that need them. */
    @Override
    public void store(ShardChanges changes, Consumer<Optional<IOException>> done) {
        blocks.write(changes.head().shard(), changes.dedupBlocks(), failure -> {
            if (failure.isPresent()) {
                done.accept(failure);
            } else {
                projection.store(changes, done);
            }
        });
    }

    @Override
    public void snapshot(int shard, SnapshotCompletion done) {
        projection.read(shard, ImageFiles.Encoded::of, new Projection.Reading<>() {
            @Override
            public void succeeded(ImageFiles.Encoded image) {
                long newest = images.newestIndex(shard);
                if (image.appliedIndex() < newest) {
                    done.failed(new StateLostException("the metadata store has the state as of entry "
                            + image.appliedIndex() + ", the image as of entry " + newest));
                    return;
                }
                images.replace(image, done);
            }

            @Override
            public void failed(IOException cause) {
                done.failed(cause);
            }
        });
    }

    /** {@inheritDoc} The projection has no part in it, and none of its thread. */
    @Override
    public void snapshotOf(ShardChanges whole, SnapshotCompletion done) {
        images.replace(whole, done);
    }

    /** {@inheritDoc} A crash meanwhile may leave rows without their blocks: then a start goes by the image. */
    @Override
    public void storeLast(ShardChanges changes) {
        blocks.write(changes.head().shard(), changes.dedupBlocks(), failure -> {});
        if (changes.head().appliedIndex() != changes.sinceIndex()) {
            projection.store(changes, failure -> {});
        }
    }
}
