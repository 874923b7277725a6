package io.duramen.runtime.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WriteThroughTest {
    private static final int LENGTH = 300_001; // ends within a block
    private static final byte OLD = 77;

    @TempDir
    Path directory;

    private FileDisk disk;
    private DiskFile file;
    private byte[] expected;

    @BeforeEach
    void openFile() throws IOException {
        byte[] old = new byte[LENGTH];
        Arrays.fill(old, OLD);
        Files.write(directory.resolve("a"), old);
        expected = old;
        disk = new FileDisk(directory);
        file = disk.open("a");
    }

    @AfterEach
    void closeDisk() {
        disk.close();
    }

    private final class Done implements IoCompletion<Void> {
        private boolean succeeded;
        private IOException failure;

        @Override
        public void succeeded(Void result) {
            succeeded = true;
        }

        @Override
        public void failed(IOException cause) {
            failure = cause;
        }

        void await() throws IOException {
            while (!succeeded && failure == null) {
                disk.awaitDue();
                disk.poll();
            }
            if (failure != null) {
                throw failure;
            }
        }
    }

    private static ByteBuffer[] buffers(byte[] bytes, Random random) {
        int cut = random.nextInt(bytes.length + 1);
        ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length - cut);
        direct.put(bytes, cut, bytes.length - cut).flip();
        return new ByteBuffer[] {ByteBuffer.wrap(bytes, 0, cut), direct};
    }

    private void append(int position, int length, boolean through, Random random) throws IOException {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        System.arraycopy(bytes, 0, expected, position, length);
        Done written = new Done();
        Done synced = new Done();
        if (through) {
            file.writeThrough(position, buffers(bytes, random), written);
        } else {
            file.write(position, buffers(bytes, random), written);
        }
        file.sync(synced);
        written.await();
        synced.await();
    }

    /** What was written is there, and nothing behind it but what was there or zeros. */
    private void assertContent(int end, String seed) throws IOException {
        byte[] found = Files.readAllBytes(directory.resolve("a"));
        assertThat(found.length).as(seed).isEqualTo(LENGTH);
        assertThat(Arrays.mismatch(found, 0, end, expected, 0, end)).as(seed).isEqualTo(-1);
        for (int i = end; i < LENGTH; i++) {
            assertThat(found[i] == OLD || found[i] == 0 && i < end + (64 << 10))
                    .as("%s: byte %d behind the end", seed, i - end)
                    .isTrue();
        }
    }

    private void fill(Random random, String seed) throws IOException {
        byte[] old = new byte[LENGTH];
        Arrays.fill(old, OLD);
        expected = old.clone();
        Done emptied = new Done();
        file.write(0, new ByteBuffer[] {ByteBuffer.wrap(old)}, emptied);
        emptied.await();
        int end = random.nextInt(5_000);
        while (end < LENGTH) {
            int length = Math.min(
                    LENGTH - end, 1 + random.nextInt(random.nextInt(5) == 0 ? DirectTail.LENGTH_MAX + 3 : 3_000));
            append(end, length, random.nextInt(4) > 0, random);
            end += length;
            if (random.nextInt(8) == 0) {
                assertContent(end, seed);
            }
        }
        assertContent(LENGTH, seed);
    }

    @Test
    void shouldLeaveWhatPlainWritesWouldWhateverTheirMixture() throws IOException {
        long seed = System.nanoTime();
        for (int i = 0; i < 5; i++) {
            Random random = new Random(seed + i);
            fill(random, "seed " + (seed + i));
        }
    }

    @Test
    void shouldDoSoOnAnAgentThatLendsItself() throws IOException {
        disk.lendAgent(() -> true, Duration.ofDays(1));
        long seed = System.nanoTime();
        for (int i = 0; i < 5; i++) {
            fill(new Random(seed + i), "seed " + (seed + i));
        }
    }

    @Test
    void shouldNotTakeForTheFilesWhatWasThereBeforeItWasCut() throws IOException {
        Random random = new Random(1);
        append(0, 10_000, true, random);
        file.truncate(9_000);
        file.truncate(LENGTH);
        Arrays.fill(expected, 9_000, LENGTH, (byte) 0);
        append(9_500, 100, true, random);
        byte[] found = Files.readAllBytes(directory.resolve("a"));
        assertThat(Arrays.mismatch(found, expected)).isEqualTo(-1);
    }

    @Test
    void shouldGoPastThePageCacheWhereTheFileSystemCan() throws IOException {
        assumeTrue(DirectTail.blockLength(directory) > 0);
        assertThat(Files.list(directory)).containsExactly(directory.resolve("a")); // the probe is gone
        try (DirectTail tail = new DirectTail(
                directory.resolve("a"), FileChannel.open(directory.resolve("a")), DirectTail.blockLength(directory))) {
            assertThat(tail.write(5, new ByteBuffer[] {ByteBuffer.wrap(new byte[] {1})}, 1))
                    .isTrue();
            assertThat(tail.write(LENGTH - 1, new ByteBuffer[] {ByteBuffer.wrap(new byte[] {1})}, 1))
                    .as("beyond the end")
                    .isFalse();
        }
        byte[] found = Files.readAllBytes(directory.resolve("a"));
        assertThat(found[4]).isEqualTo(OLD);
        assertThat(found[5]).isEqualTo((byte) 1);
        assertThat(found[6]).isZero();
        assertThat(found[LENGTH - 1]).isEqualTo(OLD);
    }
}
