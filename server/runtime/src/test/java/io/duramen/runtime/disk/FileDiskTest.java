package io.duramen.runtime.disk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileDiskTest {
    @TempDir
    Path directory;

    private final Semaphore due = new Semaphore(0);
    private FileDisk disk;

    @BeforeEach
    void openDisk() throws IOException {
        disk = open(1 << 20);
    }

    @AfterEach
    void closeDisk() {
        disk.close();
    }

    @Test
    void shouldWorkOnTheAgentsThreadWhenItIsIdleAndTheDiskIsFast() throws Exception {
        boolean[] idle = {true};
        disk.lendAgent(() -> idle[0], Duration.ofDays(1));
        DiskFile file = allocate("a", 1000);
        Outcome<Void> first = writtenAndSynced(file, 0, "one");
        disk.poll();
        await(first);
        // The disk's thread may not sleep yet; once it does, all is done at once and without a wake-up.
        boolean waited = true;
        while (waited) {
            due.drainPermits();
            Outcome<Void> next = writtenAndSynced(file, 3, "two");
            disk.poll();
            waited = !next.succeeded || due.availablePermits() > 0;
            await(next);
        }
        idle[0] = false;
        await(writtenAndSynced(file, 6, "three"));

        ByteBuffer read = ByteBuffer.allocate(11);
        file.read(0, read);
        assertThat(UTF_8.decode(read.flip()).toString()).isEqualTo("onetwothree");
    }

    @Test
    void shouldWriteLittleOnTheAgentsThreadAlsoWhenThatIsBusy() throws Exception {
        disk.lendAgent(() -> false, Duration.ofDays(1));
        DiskFile file = allocate("a", 100_000);
        Outcome<Void> little = new Outcome<>();
        while (!little.succeeded) {
            await(writtenAndSynced(file, 0, "one")); // its thread falls asleep some time after it
            little = new Outcome<>();
            file.write(3, new ByteBuffer[] {text("two")}, little);
            disk.poll();
        }
        Outcome<Void> much = new Outcome<>();
        file.write(6, new ByteBuffer[] {ByteBuffer.wrap(filled(90_000, 1))}, much);
        await(much);

        ByteBuffer read = ByteBuffer.allocate(7);
        file.read(0, read);
        assertThat(UTF_8.decode(read.flip()).toString()).isEqualTo("onetwo\u0001");
    }

    private static Outcome<Void> writtenAndSynced(DiskFile file, long position, String text) {
        Outcome<Void> synced = new Outcome<>();
        file.write(position, new ByteBuffer[] {text(text)}, new Outcome<>());
        file.sync(synced);
        return synced;
    }

    @Test
    void shouldReadWhatWasWrittenWhenBuffersAreMixed() throws Exception {
        DiskFile file = allocate("a", 600_000);
        ByteBuffer[] buffers = {
            text("head"), direct(filled(40_000, 1)), ByteBuffer.wrap(filled(300_000, 2)), direct(filled(7, 3))
        };

        Outcome<Void> written = new Outcome<>();
        Outcome<Void> synced = new Outcome<>();
        file.write(10, buffers, written);
        file.sync(synced);
        await(synced);

        assertThat(written.succeeded).isTrue();
        ByteBuffer read = ByteBuffer.allocate(340_011);
        assertThat(file.read(10, read)).isEqualTo(340_011);
        assertThat(UTF_8.decode(read.slice(0, 4)).toString()).isEqualTo("head");
        assertThat(new byte[] {read.get(4), read.get(40_003), read.get(40_004), read.get(340_003), read.get(340_004)})
                .containsExactly(1, 1, 2, 2, 3);
        ByteBuffer behind = ByteBuffer.allocate(8);
        Outcome<Integer> length = new Outcome<>();
        file.read(599_996, behind, length);
        await(length);
        assertThat(length.result).isEqualTo(4);
    }

    @Test
    void shouldCompleteInOrderWhenManyWritesAreSubmitted() throws Exception {
        DiskFile file = allocate("a", 1000);
        List<Integer> order = new ArrayList<>();
        Outcome<Void> last = new Outcome<>();
        for (int i = 0; i < 500; i++) {
            int number = i;
            file.write(i, new ByteBuffer[] {text("x")}, onSuccess(() -> order.add(number)));
            file.sync(i == 499 ? last : onSuccess(() -> {}));
        }
        await(last);

        assertThat(order).hasSize(500).isSorted();
    }

    @Test
    void shouldRefuseAndLeaveNothingWhenQuotaIsExceeded() throws Exception {
        allocate("a", 900_000);

        Outcome<DiskFile> refused = new Outcome<>();
        disk.allocate("b", 200_000, refused);
        await(refused);

        assertThat(refused.failure).isInstanceOf(NoSpaceException.class);
        assertThat(disk.list()).containsExactly("a");
        assertThat(disk.usableBytes()).isEqualTo((1 << 20) - 900_000);
        Outcome<Void> deleted = new Outcome<>();
        disk.delete("a", deleted);
        await(deleted);
        allocate("b", 200_000);
    }

    @Test
    void shouldKeepAllButTheHeadWhenAFileIsUsedAgainUnderAnotherName() throws Exception {
        DiskFile file = allocate("a", 1000);
        await(writtenAndSynced(file, 0, "old content"));
        Outcome<Void> renamed = new Outcome<>();
        disk.rename("a", "b", renamed);
        await(renamed);
        assertThat(disk.list()).containsExactly("b");
        Outcome<DiskFile> reused = new Outcome<>();
        disk.reuse("b", "c", text("new"), reused);
        await(reused);

        assertThat(disk.list()).containsExactly("c");
        await(writtenAndSynced(reused.result, 11, "s"));
        ByteBuffer read = ByteBuffer.allocate(12);
        disk.open("c").read(0, read);
        assertThat(UTF_8.decode(read.flip()).toString()).isEqualTo("new contents");
        assertThat(disk.usableBytes()).isEqualTo((1 << 20) - 1000);
    }

    @Test
    void shouldChangeNothingWhenTheNewNameIsTaken() throws Exception {
        allocate("a", 10);
        allocate("b", 20);
        Outcome<Void> renamed = new Outcome<>();
        disk.rename("a", "b", renamed);
        await(renamed);

        assertThat(renamed.failure).isNotNull();
        assertThat(disk.open("a").length()).isEqualTo(10);
        assertThat(disk.open("b").length()).isEqualTo(20);
    }

    @Test
    void shouldReplaceWholeContentWhenFileExists() throws Exception {
        for (String content : List.of("first", "2nd")) {
            Outcome<Void> replaced = new Outcome<>();
            disk.replace("image", text(content), replaced);
            await(replaced);
            assertThat(Files.readString(directory.resolve("image"))).isEqualTo(content);
        }
        assertThat(disk.usableBytes()).isEqualTo((1 << 20) - 3);
    }

    @Test
    void shouldForgetUnfinishedReplacementWhenOpened() throws Exception {
        disk.close();
        Files.writeString(directory.resolve("image" + DirectoryFiles.UNFINISHED_SUFFIX), "half");

        disk = open(1 << 20);

        assertThat(disk.list()).isEmpty();
        assertThat(disk.usableBytes()).isEqualTo(1 << 20);
    }

    @Test
    void shouldLeaveZerosWhenCutAndExtended() throws Exception {
        DiskFile file = allocate("a", 100);
        Outcome<Void> written = new Outcome<>();
        file.write(0, new ByteBuffer[] {ByteBuffer.wrap(filled(100, 9))}, written);
        await(written);

        file.truncate(50);
        file.truncate(100);

        assertThat(Files.readAllBytes(directory.resolve("a")))
                .startsWith(filled(50, 9))
                .endsWith(new byte[50]);
        assertThatThrownBy(() -> file.truncate(2 << 20)).isInstanceOf(NoSpaceException.class);
        assertThat(file.length()).isEqualTo(100);
    }

    @Test
    void shouldCarryOutWhatWasSubmittedWhenClosed() throws Exception {
        DiskFile file = allocate("a", 10);
        file.write(0, new ByteBuffer[] {text("submitted")}, onSuccess(() -> {}));

        disk.close();

        assertThat(Files.readString(directory.resolve("a"))).startsWith("submitted");
    }

    @Test
    void shouldFailTheOperationWhenFileIsMissingOrExists() throws Exception {
        assertThatThrownBy(() -> disk.open("none")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> disk.open("../escape")).isInstanceOf(IllegalArgumentException.class);
        allocate("a", 10);
        Outcome<DiskFile> again = new Outcome<>();
        disk.allocate("a", 10, again);
        await(again);
        assertThat(again.failure).isNotNull();
        assertThat(Files.size(directory.resolve("a"))).isEqualTo(10);
    }

    private FileDisk open(long quota) throws IOException {
        FileDisk opened = new FileDisk(directory, quota);
        opened.onDue(due::release);
        return opened;
    }

    private DiskFile allocate(String name, long length) throws Exception {
        Outcome<DiskFile> allocated = new Outcome<>();
        disk.allocate(name, length, allocated);
        await(allocated);
        assertThat(allocated.failure).isNull();
        return allocated.result;
    }

    private void await(Outcome<?> outcome) throws InterruptedException {
        while (!outcome.succeeded && outcome.failure == null) {
            assertThat(due.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
            disk.poll();
        }
    }

    private static ByteBuffer text(String text) {
        return ByteBuffer.wrap(text.getBytes(UTF_8));
    }

    private static ByteBuffer direct(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    private static byte[] filled(int length, int value) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    private static IoCompletion<Void> onSuccess(Runnable action) {
        return new Outcome<>() {
            @Override
            public void succeeded(Void result) {
                action.run();
            }
        };
    }

    private static class Outcome<T> implements IoCompletion<T> {
        boolean succeeded;
        T result;
        IOException failure;

        @Override
        public void succeeded(T value) {
            succeeded = true;
            result = value;
        }

        @Override
        public void failed(IOException cause) {
            failure = cause;
        }
    }
}
