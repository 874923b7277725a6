package io.duramen.metadata.snapshot;

import io.duramen.metadata.MetadataStore;
import io.duramen.metadata.ShardChanges;
import io.duramen.metadata.ShardImage;
import io.duramen.metadata.ShardRows;
import io.duramen.metadata.StateLostException;
import io.duramen.runtime.disk.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntToLongFunction;

/**
 * A store without a database: the rows are in memory, and every {@link #snapshot} writes all of them to an image file.
 * Confined to the shard's agent, as the disk is; completions run inside the disk's {@code poll} or at once.
 */
public final class SnapshotMetadataStore implements MetadataStore {
    private final DedupBlockFiles blocks;
    private final ImageFiles images;
    private final Map<Integer, ShardRows> rows = new HashMap<>();

    public SnapshotMetadataStore(Disk disk) {
        blocks = new DedupBlockFiles(disk);
        images = new ImageFiles(disk, blocks);
    }

    @Override
    public Optional<ShardImage> load(int shard) throws IOException {
        Optional<ShardImage> image = images.load(shard);
        blocks.list(shard);
        blocks.prune(shard, image.map(ShardImage::dedup).orElse(List.of()));
        rows.put(shard, image.map(ShardRows::of).orElseGet(() -> new ShardRows(shard)));
        return image;
    }

    @Override
    public ByteBuffer dedupBlock(int shard, int partition, long block) throws IOException {
        return blocks.read(shard, partition, block);
    }

    @Override
    public void store(ShardChanges changes, Consumer<Optional<IOException>> done) {
        blocks.write(
                changes.head().shard(),
                changes.dedupBlocks(),
                failure -> done.accept(failure.isPresent() ? failure : apply(changes)));
    }

    private Optional<IOException> apply(ShardChanges changes) {
        Optional<IOException> failure = Optional.empty();
        try {
            rowsOf(changes.head().shard()).apply(changes);
        } catch (StateLostException e) {
            failure = Optional.of(e);
        }
        return failure;
    }

    /** {@inheritDoc} An image beyond 2 GiB is refused, before this returns. */
    @Override
    public void snapshot(int shard, SnapshotCompletion done) {
        try {
            images.replace(ImageFiles.Encoded.of(rowsOf(shard).toImage()), done);
        } catch (ArithmeticException e) {
            done.failed(ImageFiles.tooLarge(shard, e));
        }
    }

    @Override
    public void snapshotOf(ShardChanges whole, SnapshotCompletion done) {
        images.replace(whole, done);
    }

    /** {@inheritDoc} And puts the last image in place, behind the blocks that it needs. */
    @Override
    public void storeLast(ShardChanges changes) {
        blocks.write(changes.head().shard(), changes.dedupBlocks(), failure -> {});
        if (apply(changes).isEmpty()) {
            snapshot(changes.head().shard(), Ignored.SNAPSHOT);
        }
    }

    private ShardRows rowsOf(int shard) {
        return rows.computeIfAbsent(shard, ShardRows::new);
    }

    /** The end comes whether it succeeds or not; the next start replays more then. */
    private enum Ignored implements SnapshotCompletion {
        SNAPSHOT;

        @Override
        public void taken(long appliedIndex, IntToLongFunction neededFrom) {}

        @Override
        public void failed(IOException cause) {}
    }
}
