package io.duramen.metadata.snapshot;

import io.duramen.metadata.MetadataStore;
import io.duramen.metadata.Projection;
import io.duramen.metadata.ShardChanges;
import io.duramen.metadata.ShardImage;
import io.duramen.metadata.StateLostException;
import io.duramen.runtime.disk.Disk;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntToLongFunction;
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
    private final ImageFiles images;

    /** By shard: the entry as of which its image is. */
    private final Map<Integer, Long> imageIndexes = new HashMap<>();

    /** @param disk of the image files */
    public ProjectedMetadataStore(Projection projection, Disk disk) {
        this.projection = projection;
        this.images = new ImageFiles(disk);
    }

    /** {@inheritDoc} Where the database has not even what the image file has, it is filled from it, in the background. */
    @Override
    public Optional<ShardImage> load(int shard) throws IOException {
        Optional<ShardImage> image = images.load(shard);
        Optional<ShardImage> projected = projection.load(shard);
        long imageIndex = image.map(ShardImage::appliedIndex).orElse(0L);
        imageIndexes.put(shard, imageIndex);
        if (projected.isPresent() && projected.get().appliedIndex() >= imageIndex) {
            return projected;
        }
        if (image.isPresent()) {
            LOG.warn(
                    "The metadata store has shard {} {}: it is rebuilt from the image as of entry {} and the log behind it",
                    shard,
                    projected
                            .map(state -> "as of entry " + state.appliedIndex() + " only")
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
    public void store(ShardChanges changes, Consumer<Optional<IOException>> done) {
        projection.store(changes, done);
    }

    @Override
    public void snapshot(int shard, SnapshotCompletion done) {
        projection.read(shard, ImageFiles.Encoded::of, new Projection.Reading<>() {
            @Override
            public void succeeded(ImageFiles.Encoded image) {
                long before = imageIndexes.getOrDefault(shard, 0L);
                if (image.appliedIndex() < before) {
                    done.failed(new StateLostException("the metadata store has the state as of entry "
                            + image.appliedIndex() + ", the image as of entry " + before));
                    return;
                }
                imageIndexes.put(shard, image.appliedIndex());
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
        images.replace(whole, new SnapshotCompletion() {
            @Override
            public void taken(long appliedIndex, IntToLongFunction neededFrom) {
                imageIndexes.merge(whole.head().shard(), appliedIndex, Math::max);
                done.taken(appliedIndex, neededFrom);
            }

            @Override
            public void failed(IOException cause) {
                done.failed(cause);
            }
        });
    }

    @Override
    public void storeLast(ShardChanges changes) {
        if (changes.head().appliedIndex() != changes.sinceIndex()) {
            projection.store(changes, failure -> {});
        }
    }
}
