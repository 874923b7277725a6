package io.duramen.metadata.h2;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.metadata.MetadataStore;
import io.duramen.metadata.MetadataStoreContract;
import io.duramen.metadata.Projection;
import io.duramen.metadata.ProjectionStore;
import io.duramen.metadata.ShardChanges;
import io.duramen.metadata.ShardImage;
import io.duramen.metadata.ShardImage.CountRow;
import io.duramen.metadata.ShardImage.CursorRow;
import io.duramen.metadata.StateLostException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class H2ProjectionTest extends MetadataStoreContract {
    @TempDir
    private Path directory;

    private String password = "secret";
    private Projection projection;

    @Override
    protected MetadataStore open() {
        close();
        projection = new H2Projection(directory, password);
        return new ProjectionStore(projection);
    }

    @Override
    protected void runCompletions() {
        if (projection.poll() == 0) {
            Thread.onSpinWait();
        }
    }

    @AfterEach
    void close() {
        if (projection != null) {
            projection.close();
            projection = null;
        }
    }

    private Path file() {
        return directory.resolve("metadata.mv.db");
    }

    private void stored(ShardImage image) {
        MetadataStore store = open();
        assertThat(outcomeOf(store, ShardChanges.whole(image))).isEmpty();
        close();
    }

    @Test
    void shouldHoldTheSettledSetWhenItIsLargerThanAMebibyte() throws IOException {
        byte[] beyond = new byte[3 << 20];
        new Random(1).nextBytes(beyond);
        ShardImage image =
                withCursor(new CursorRow(6, 2, 9, ByteBuffer.wrap(beyond), List.of(new CountRow(43, 2, 1000, false))));
        stored(image);
        assertThat(open().load(0)).contains(image);
    }

    private static ShardImage withCursor(CursorRow cursor) {
        ShardImage image = anImage(0, 77);
        return new ShardImage(
                image.head(),
                image.destinations(),
                image.subscriptions(),
                List.of(cursor),
                image.producers(),
                image.openBodies(),
                image.pins(),
                image.branches(),
                image.facts(),
                image.dedup());
    }

    /** Who waits for an answer would wait for ever. */
    @Test
    void shouldTellOfAnErrorToo() {
        stored(withCursor(new CursorRow(6, 2, 9, ByteBuffer.allocate(0), List.of())));
        open();
        projection.load(0);
        List<IOException> failures = new ArrayList<>();
        projection.read(
                0,
                image -> {
                    throw new StackOverflowError("too much");
                },
                new Projection.Reading<>() {
                    @Override
                    public void succeeded(Object result) {
                        throw new AssertionError("it was read");
                    }

                    @Override
                    public void failed(IOException cause) {
                        failures.add(cause);
                    }
                });
        while (failures.isEmpty()) {
            runCompletions();
        }
        assertThat(failures).singleElement().extracting(Throwable::getCause).isInstanceOf(StackOverflowError.class);
        assertThat(projection.load(0)).isPresent();
    }

    @Test
    void shouldBeEmptyWhenTheFileWasDeleted() throws IOException {
        stored(anImage(0, 77));
        Files.delete(file());
        assertThat(open().load(0)).isEmpty();
        stored(anImage(0, 78));
        assertThat(open().load(0)).contains(anImage(0, 78));
    }

    @Test
    void shouldBeEmptyAndUsableWhenTheFileWasTruncated() throws IOException {
        stored(anImage(0, 77));
        byte[] whole = Files.readAllBytes(file());
        for (int part = 0; part < 3; part++) {
            Files.write(file(), Arrays.copyOf(whole, whole.length * part / 3));
            assertThat(open().load(0)).as("%d thirds", part).isEmpty();
            close();
        }
        stored(anImage(0, 78));
        assertThat(open().load(0)).contains(anImage(0, 78));
    }

    @Test
    void shouldBeEmptyAndUsableWhenAByteOfTheClosedFileWasFlipped() throws IOException {
        stored(anImage(0, 77));
        long length = Files.size(file());
        Random random = new Random(7);
        for (int i = 0; i < 3; i++) {
            flip(random.nextLong(length));
            assertThat(open().load(0)).isEmpty();
            stored(anImage(0, 77));
            length = Files.size(file());
        }
    }

    /** After a kill nothing tells whether the file is as it was, but the file. */
    @Test
    void shouldBeEmptyOrRightWhenAByteWasFlippedAfterAKill() throws IOException {
        stored(anImage(0, 77));
        byte[] whole = Files.readAllBytes(file());
        Random random = new Random(7);
        int right = 0;
        for (int i = 0; i < 12; i++) {
            Files.write(file(), whole);
            long position = random.nextLong(whole.length);
            flip(position);
            Files.deleteIfExists(directory.resolve("metadata.seal"));
            Optional<ShardImage> found = open().load(0);
            close();
            found.ifPresent(image -> assertThat(image).as("byte %d", position).isEqualTo(anImage(0, 77)));
            right += found.isPresent() ? 1 : 0;
        }
        assertThat(right).as("flips that hurt nothing").isLessThan(12);
    }

    private void flip(long position) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(file().toFile(), "rw")) {
            file.seek(position);
            int value = file.read();
            file.seek(position);
            file.write(value ^ 0x10);
        }
    }

    @Test
    void shouldSetTheDatabaseAsideWhenItsOpeningEndedTheProcess() throws IOException {
        stored(anImage(0, 77));
        Files.createFile(directory.resolve("metadata.opening"));
        assertThat(open().load(0)).isEmpty();
        assertThat(directory.resolve("metadata.mv.db.damaged")).exists();
    }

    @Test
    void shouldSetTheDatabaseAsideWhenItsPasswordIsLost() throws IOException {
        stored(anImage(0, 77));
        password = "another";
        assertThat(open().load(0)).isEmpty();
        stored(anImage(0, 78));
        assertThat(open().load(0)).contains(anImage(0, 78));
    }

    @Test
    void shouldKeepTheDatabaseWhenAnotherHasItOpen() throws IOException {
        stored(anImage(0, 77));
        try (FileChannel other = FileChannel.open(file(), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            other.lock();
            assertThat(open().load(0)).isEmpty();
            ShardChanges changes = ShardChanges.whole(anImage(0, 78));
            assertThat(outcomeOf(new ProjectionStore(projection), changes)).isPresent();
        }
        assertThat(outcomeOf(new ProjectionStore(projection), changesSince(78)))
                .as("what it has is older")
                .containsInstanceOf(StateLostException.class);
        close();
        assertThat(open().load(0)).contains(anImage(0, 77));
    }

    private static ShardChanges changesSince(long index) {
        return new ShardChanges(
                anEmptyImage(index + 1).head(),
                index,
                false,
                ShardChanges.Removed.NOTHING,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }
}
