package io.duramen.metadata.snapshot;

import io.duramen.metadata.MetadataStore.SnapshotCompletion;
import io.duramen.metadata.ShardChanges;
import io.duramen.metadata.ShardImage;
import io.duramen.metadata.ShardImage.DedupRow;
import io.duramen.metadata.ShardRows;
import io.duramen.runtime.disk.Disk;
import io.duramen.runtime.disk.DiskFile;
import io.duramen.runtime.disk.IoCompletion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Each shard's image in the file {@code image-SHARD}, replaced as a whole, and never by an older one: the log has let go what
 * the newer one holds. Confined to the shard's agent, as the disk is;
 * completions run inside the disk's {@code poll}. See {@link ImageLayout} for the bytes.
 */
final class ImageFiles {
    private static final Logger LOG = LoggerFactory.getLogger(ImageFiles.class);

    private final Disk disk;
    private final DedupBlockFiles blocks;

    /** By shard: the entry as of which the image is that is in place. */
    private final Map<Integer, Long> inPlace = new HashMap<>();

    /** By shard: the same of the newest image that is on its way; those of one file are put in place in turn. */
    private final Map<Integer, Long> onTheWay = new HashMap<>();

    /** @param blocks which go when an image without them is in place */
    ImageFiles(Disk disk, DedupBlockFiles blocks) {
        this.disk = disk;
        this.blocks = blocks;
    }

    /** An image ready to be written, and what its completion tells. Made on any thread. */
    record Encoded(
            int shard, long appliedIndex, ByteBuffer bytes, Map<Integer, Long> neededFrom, List<DedupRow> dedup) {
        /** @throws ArithmeticException where the image exceeds 2 GiB */
        static Encoded of(ShardImage image) {
            return new Encoded(
                    image.shard(), image.appliedIndex(), ImageLayout.encode(image), image.neededFrom(), image.dedup());
        }
    }

    /**
     * The image that was put in place last; blocking.
     *
     * @return empty where there is none, or where it is damaged: the reason is logged
     * @throws IOException where the file cannot be read, or was written by a newer version of the software: it is whole,
     *     so it is not thrown away
     */
    Optional<ShardImage> load(int shard) throws IOException {
        String name = fileName(shard);
        if (!disk.list().contains(name)) {
            return Optional.empty();
        }
        DiskFile file = disk.open(name);
        try {
            ShardImage image = ImageLayout.decode(contentOf(file));
            if (image.shard() != shard) {
                throw new DamagedImageException("it is the image of shard " + image.shard());
            }
            inPlace.put(shard, image.appliedIndex());
            return Optional.of(image);
        } catch (DamagedImageException e) {
            LOG.warn("Image {} is damaged and left aside: {}", name, e.getMessage());
            return Optional.empty();
        } finally {
            file.close();
        }
    }

    /** The entry as of which a shard's newest image is that is in place or on its way; 0 for none. */
    long newestIndex(int shard) {
        return Math.max(inPlace.getOrDefault(shard, 0L), onTheWay.getOrDefault(shard, 0L));
    }

    /** Fails, maybe at once, where it is older than {@link #newestIndex}. */
    void replace(Encoded image, SnapshotCompletion done) {
        if (isNewest(image.shard, image.appliedIndex, done)) {
            disk.replace(
                    fileName(image.shard),
                    image.bytes,
                    new Placing(image.shard, image.appliedIndex, () -> image, done));
        }
    }

    private boolean isNewest(int shard, long appliedIndex, SnapshotCompletion done) {
        long newest = newestIndex(shard);
        if (appliedIndex < newest) {
            done.failed(new IOException("an image as of entry " + appliedIndex + " does not replace one as of entry "
                    + newest + ", which is in place or on its way"));
            return false;
        }
        onTheWay.put(shard, appliedIndex);
        return true;
    }

    /** An image on its way. */
    private final class Placing implements IoCompletion<Void> {
        private final int shard;
        private final long appliedIndex;
        private final Supplier<Encoded> image;
        private final SnapshotCompletion done;

        /** @param image there when this has succeeded */
        Placing(int shard, long appliedIndex, Supplier<Encoded> image, SnapshotCompletion done) {
            this.shard = shard;
            this.appliedIndex = appliedIndex;
            this.image = image;
            this.done = done;
        }

        @Override
        public void succeeded(Void result) {
            arrived();
            inPlace.put(shard, appliedIndex);
            tellTaken(image.get(), done);
        }

        @Override
        public void failed(IOException cause) {
            arrived();
            done.failed(cause);
        }

        private void arrived() {
            onTheWay.remove(shard, appliedIndex); // unless a newer one follows
        }
    }

    /** As {@link #replace(Encoded, SnapshotCompletion)}; the image is made on the disk's thread, so that the agent need not. */
    void replace(ShardChanges whole, SnapshotCompletion done) {
        blocks.write(whole.head().shard(), whole.dedupBlocks(), failure -> {
            if (failure.isPresent()) {
                done.failed(failure.get());
            } else {
                replaceBy(whole, done);
            }
        });
    }

    private void replaceBy(ShardChanges whole, SnapshotCompletion done) {
        int shard = whole.head().shard();
        long appliedIndex = whole.head().appliedIndex();
        if (!isNewest(shard, appliedIndex, done)) {
            return;
        }
        Encoded[] made = new Encoded[1]; // handed over with the completion
        Supplier<ByteBuffer> content = () -> {
            made[0] = Encoded.of(ShardRows.of(whole).toImage());
            return made[0].bytes;
        };
        disk.replace(fileName(shard), content, new Placing(shard, appliedIndex, () -> made[0], done));
    }

    private void tellTaken(Encoded image, SnapshotCompletion done) {
        blocks.pruneOutlived(image.shard, image.dedup);
        done.taken(image.appliedIndex, partition -> image.neededFrom.getOrDefault(partition, Long.MAX_VALUE));
    }

    static IOException tooLarge(int shard, ArithmeticException cause) {
        return new IOException("the image of shard " + shard + " exceeds 2 GiB", cause);
    }

    /** The whole file; its length is checked against the header before the body is allocated. */
    private static ByteBuffer contentOf(DiskFile file) throws IOException {
        long length = file.length();
        ByteBuffer header = ByteBuffer.allocate(ImageLayout.HEADER_LENGTH);
        file.read(0, header);
        ByteBuffer content = ByteBuffer.allocate(ImageLayout.checkedLength(header.flip(), length));
        file.read(0, content);
        if (content.hasRemaining()) {
            throw new DamagedImageException("it ends after " + content.position() + " of " + length + " bytes");
        }
        return content.flip();
    }

    private static String fileName(int shard) {
        return "image-" + shard;
    }
}
