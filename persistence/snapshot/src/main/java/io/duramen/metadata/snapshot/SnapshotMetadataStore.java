package io.duramen.metadata.snapshot;

import io.duramen.metadata.MetadataStore;
import io.duramen.metadata.ShardImage;
import io.duramen.runtime.disk.Disk;
import io.duramen.runtime.disk.DiskFile;
import io.duramen.runtime.disk.IoCompletion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps each shard's image in the file {@code image-SHARD}, replaced as a whole. Confined to the shard's agent, as the
 * disk is; completions run inside the disk's {@code poll}. See {@link ImageLayout} for the bytes.
 */
public final class SnapshotMetadataStore implements MetadataStore {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotMetadataStore.class);

    private final Disk disk;

    public SnapshotMetadataStore(Disk disk) {
        this.disk = disk;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IOException also where the image was written by a newer version of the software: it is whole, so it is not
     *     thrown away
     */
    @Override
    public Optional<ShardImage> load(int shard) throws IOException {
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
            return Optional.of(image);
        } catch (DamagedImageException e) {
            LOG.warn("Image {} is damaged and left aside: {}", name, e.getMessage());
            return Optional.empty();
        } finally {
            file.close();
        }
    }

    /** {@inheritDoc} An image beyond 2 GiB is refused, before this returns. */
    @Override
    public void store(ShardImage image, Consumer<Optional<IOException>> done) {
        ByteBuffer content;
        try {
            content = ImageLayout.encode(image);
        } catch (ArithmeticException e) {
            done.accept(Optional.of(new IOException("the image of shard " + image.shard() + " exceeds 2 GiB", e)));
            return;
        }
        disk.replace(fileName(image.shard()), content, new IoCompletion<>() {
            @Override
            public void succeeded(Void result) {
                done.accept(Optional.empty());
            }

            @Override
            public void failed(IOException cause) {
                done.accept(Optional.of(cause));
            }
        });
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
