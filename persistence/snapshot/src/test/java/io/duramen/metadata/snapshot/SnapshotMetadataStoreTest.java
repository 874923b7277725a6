package io.duramen.metadata.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.metadata.MetadataStore;
import io.duramen.metadata.MetadataStoreContract;
import io.duramen.metadata.ShardChanges;
import io.duramen.metadata.ShardImage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class SnapshotMetadataStoreTest extends MetadataStoreContract {
    private static final String GOLDEN = "golden/image-v1.bin";

    private final MemoryDisk disk = new MemoryDisk();

    @Override
    protected MetadataStore open() {
        return new SnapshotMetadataStore(disk);
    }

    @Override
    protected void runCompletions() {
        disk.poll();
    }

    @Test
    void shouldKeepTheOldImageAndTellTheCauseWhenTheDiskFails() throws IOException {
        storeAndAwait(open(), anImage(0, 77));
        disk.failure = Optional.of(new IOException("no space"));
        MetadataStore store = open();
        assertThat(outcomeOf(store, ShardChanges.whole(anImage(0, 78)))).isEmpty();
        assertThatThrownBy(() -> snapshotOf(store, 0)).hasCause(disk.failure.get());
        assertThat(open().load(0)).contains(anImage(0, 77));
    }

    @Test
    void shouldHoldNothingWhenAnyBitIsFlipped() throws IOException {
        byte[] whole = storedBytes();
        for (int bit = 0; bit < whole.length * 8; bit++) {
            byte[] flipped = whole.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            disk.files.put("image-0", flipped);
            assertThat(open().load(0)).as("bit %d", bit).isEmpty();
        }
    }

    @Test
    void shouldHoldNothingWhenTheFileIsCutOrLonger() throws IOException {
        byte[] whole = storedBytes();
        for (int length = 0; length <= whole.length + 2; length++) {
            if (length != whole.length) {
                disk.files.put("image-0", Arrays.copyOf(whole, length));
                assertThat(open().load(0)).as("%d bytes", length).isEmpty();
            }
        }
    }

    /** Goal: lengths and counts are checked. Method: bytes are changed and the checksum made right again. */
    @Test
    void shouldNeitherThrowNorRunOutOfMemoryWhenAWrongImageHasARightChecksum() throws IOException {
        byte[] whole = storedBytes();
        for (int seed = 0; seed < 20_000; seed++) {
            Random random = new Random(seed);
            ByteBuffer mutated = ByteBuffer.wrap(whole.clone());
            int at = ImageLayout.HEADER_LENGTH + random.nextInt(whole.length - ImageLayout.HEADER_LENGTH - 4);
            mutated.putInt(at, random.nextBoolean() ? random.nextInt() : random.nextInt(300) - 2);
            disk.files.put("image-0", resealed(mutated).array());
            open().load(0);
        }
    }

    @Test
    void shouldRefuseToStartWhenTheImageIsOfANewerVersion() throws IOException {
        ByteBuffer newer = ByteBuffer.wrap(storedBytes());
        newer.putInt(8, ImageLayout.VERSION + 1);
        disk.files.put("image-0", resealed(newer).array());
        assertThatThrownBy(() -> open().load(0)).isInstanceOf(IOException.class).hasMessageContaining("version 2");
    }

    @Test
    void shouldHoldNothingWhenTheFileIsAnotherShards() throws IOException {
        disk.files.put("image-1", storedBytes());
        assertThat(open().load(1)).isEmpty();
    }

    /** The file never changes; {@code -Dgolden.write=true} makes it where it is absent. */
    @Test
    void shouldReadAndWriteTheBytesOfTheFirstVersion() throws IOException {
        Path file = Path.of("src/test/resources", GOLDEN);
        if (Boolean.getBoolean("golden.write") && !Files.exists(file)) {
            Files.write(file, storedBytes());
        }
        try (InputStream golden = Files.newInputStream(file)) {
            byte[] bytes = golden.readAllBytes();
            disk.files.put("image-0", bytes);
            assertThat(open().load(0)).contains(anImage(0, 77));
            assertThat(storedBytes()).isEqualTo(bytes);
        }
    }

    @Test
    void shouldShareNothingWithTheFileWhenAnImageIsRead() throws IOException {
        ShardImage image = ImageLayout.decode(ByteBuffer.wrap(storedBytes()));
        assertThat(image.cursors().get(1).settledBeyond().capacity()).isEqualTo(4);
    }

    private byte[] storedBytes() {
        storeAndAwait(open(), anImage(0, 77));
        return disk.files.get("image-0");
    }

    private static ByteBuffer resealed(ByteBuffer image) {
        CRC32C crc = new CRC32C();
        crc.update(image.duplicate().position(8));
        return image.putInt(4, (int) crc.getValue());
    }
}
