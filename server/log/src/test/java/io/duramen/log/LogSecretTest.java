package io.duramen.log;

import static io.duramen.log.LogFixture.SMALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.runtime.disk.FileDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of the secret, and a log's first segment whose header is lost. */
class LogSecretTest {
    private static final String FIRST = "0000000000000001.log";
    private static final int BODY = 100;
    private static final int LENGTH = LogFixture.entryLength(BODY);
    private static final int OTHER = 0x0DD_5EC2;
    private static final int UNSYNCED_AT = 46;

    @TempDir
    Path directory;

    /** The disk fails from each step on, and another process with another secret at hand finds what is there then. */
    @Test
    void shouldHaveTheSecretOnDiskBeforeAnyContentWhenKilledAtEachStep() throws IOException {
        for (int step = 0; step <= 12; step++) {
            MemoryDisk disk = new MemoryDisk();
            int limit = step;
            disk.failing(operation -> disk.operations.size() > limit);
            LogFixture fixture = LogFixture.open(disk, SMALL, 0);
            for (int i = 0; i < 4; i++) {
                fixture.append(1, 1, BODY, true);
                fixture.poll();
                fixture.poll();
                requireSecretBeforeContent(disk, "step " + step);
                if (fixture.log.failure().isPresent()) {
                    break;
                }
            }
            long durable = fixture.log.durableIndex();
            MemoryDisk found = disk.copy();
            LogFixture again = LogFixture.openWithSecret(found, OTHER);
            assertThat(again.log.lastIndex()).as("step " + step).isGreaterThanOrEqualTo(durable);
            goOn(again);
            requireSecretBeforeContent(found, "step " + step);
            assertThat(LogFixture.open(found.copy(), SMALL, 0).log.lastIndex()).isEqualTo(again.log.lastIndex());
        }
    }

    private static void requireSecretBeforeContent(MemoryDisk disk, String what) {
        byte[] first = disk.files.getOrDefault(FIRST, new byte[0]);
        if (!Arrays.equals(first, new byte[first.length])) {
            SegmentHeader header = SegmentHeader.read(ByteBuffer.wrap(first)).orElseThrow();
            assertThat(secret(disk)).as(what).hasValue(SegmentHeader.secretOf(header.salt(), header.number()));
        }
    }

    private static OptionalInt secret(MemoryDisk disk) {
        return SecretFile.read(ByteBuffer.wrap(disk.files.getOrDefault(SegmentName.SECRET, new byte[0])));
    }

    private static void goOn(LogFixture fixture) {
        fixture.goOnAt(1, fixture.log.lastIndex());
        fixture.append(1, 1, BODY, true);
        fixture.settle();
        fixture.requirePartition(1, 0, fixture.log.lastIndex(), 1000);
    }

    @Test
    void shouldEmptyTheFirstSegmentWhenItsHeaderIsLostWithAnyPartOfWhatWasNeverSynced() throws IOException {
        MemoryDisk whole = begun(false);
        int end = SegmentHeader.LENGTH + 3 * LENGTH;
        for (int hole = SegmentHeader.LENGTH; hole < end; hole++) {
            for (int length : new int[] {0, 1, 2, 8, LENGTH}) {
                MemoryDisk disk = whole.copy();
                byte[] content = disk.files.get(FIRST);
                Arrays.fill(content, 0, SegmentHeader.LENGTH, (byte) 0);
                Arrays.fill(content, hole, hole + length, (byte) 0);
                LogFixture fixture = LogFixture.openWithSecret(disk, OTHER);
                assertThat(fixture.log.lastIndex()).as(length + " at " + hole).isZero();
                goOn(fixture);
            }
        }
    }

    @Test
    void shouldRefuseWhenTheHeaderOfTheFirstSegmentIsLostThatWasSyncedOnce() throws IOException {
        MemoryDisk disk = begun(true);
        for (int from = 0; from < SegmentHeader.LENGTH; from++) {
            MemoryDisk damaged = disk.copy();
            damaged.files.get(FIRST)[from] ^= 1;
            requireRefused(damaged, "position " + from);
        }
        Arrays.fill(disk.files.get(FIRST), 0, SegmentHeader.LENGTH + LENGTH, (byte) 0);
        requireRefused(disk, "the first entry is lost, too");
    }

    private static void requireRefused(MemoryDisk disk, String what) {
        MemoryDisk before = disk.copy();
        assertThatThrownBy(() -> LogFixture.openWithSecret(disk, OTHER))
                .as(what)
                .isInstanceOf(DamagedLogException.class)
                .hasMessageContaining(FIRST)
                .hasMessageContaining("was on disk when entry");
        before.files.forEach((name, content) -> assertThat(disk.files.get(name)).isEqualTo(content));
    }

    /** Half of an entry may be what says that the first one was on disk. */
    @Test
    void shouldBeCarefulWhenTheSecretIsLostTogetherWithTheHeader() throws IOException {
        MemoryDisk disk = begun(false);
        byte[] content = disk.files.get(FIRST);
        Arrays.fill(content, 0, SegmentHeader.LENGTH, (byte) 0);
        ByteBuffer.wrap(content).putShort(SegmentHeader.LENGTH + LENGTH + UNSYNCED_AT, (short) 0);
        assertThat(LogFixture.openWithSecret(disk.copy(), OTHER).log.lastIndex())
                .as("with it")
                .isZero();
        for (int at = 0; at < SecretFile.LENGTH; at++) {
            MemoryDisk damaged = disk.copy();
            damaged.files.get(SegmentName.SECRET)[at] ^= 1;
            requireRefused(damaged, "secret damaged at " + at);
        }
        disk.files.remove(SegmentName.SECRET);
        requireRefused(disk, "no secret");
    }

    @Test
    void shouldTakeTheSecretFromTheSegmentsWhenItsFileIsMissingOrAnothers() throws IOException {
        for (boolean missing : new boolean[] {true, false}) {
            MemoryDisk disk = begun(true);
            byte[] own = disk.files.remove(SegmentName.SECRET);
            if (!missing) {
                disk.files.put(SegmentName.SECRET, SecretFile.toBytes(OTHER).array());
            }
            LogFixture fixture = LogFixture.openWithSecret(disk, OTHER);
            goOn(fixture);

            assertThat(disk.files.get(SegmentName.SECRET)).isEqualTo(own);
            LogFixture again = LogFixture.openWithSecret(disk.copy(), OTHER);
            assertThat(again.log.lastIndex()).isEqualTo(4);
        }
    }

    @Test
    void shouldNotWriteTheSecretAgainWhenItIsThere() throws IOException {
        MemoryDisk disk = begun(true);
        LogFixture fixture = LogFixture.openWithSecret(disk, OTHER);
        goOn(fixture);

        assertThat(disk.operations).doesNotContain("replace " + SegmentName.SECRET);
    }

    @Test
    void shouldRefuseWhenTheFormatOfTheSecretIsUnknown() throws IOException {
        MemoryDisk disk = begun(true);
        ByteBuffer secret = ByteBuffer.wrap(disk.files.get(SegmentName.SECRET)).putInt(12, 2);
        CRC32C crc = new CRC32C();
        crc.update(secret.duplicate().position(12));
        secret.putInt(8, (int) crc.getValue());

        assertThatThrownBy(() -> LogFixture.open(disk, SMALL, 0)).hasMessageContaining("log.secret has a format");
    }

    @Test
    void shouldRefuseMessagesAndGoOnLaterWhenTheSecretCannotBePutInPlace() throws IOException {
        for (boolean prepared : new boolean[] {false, true}) {
            MemoryDisk disk = new MemoryDisk();
            if (prepared) {
                disk.files.put(FIRST, new byte[8192]);
            }
            disk.failing(operation -> operation.equals("replace " + SegmentName.SECRET));
            LogFixture fixture = LogFixture.open(disk, SMALL, 0);
            assertThat(fixture.log.hasRoomFor(1000)).isTrue();
            fixture.append(1, 1, BODY, true);
            fixture.poll();
            fixture.poll();
            assertThat(fixture.log.hasRoomFor(1000)).isFalse();
            assertThat(fixture.log.isFull()).isTrue();
            assertThat(fixture.log.segmentCount()).isZero();
            assertThat(disk.operations).containsExactly("replace " + SegmentName.SECRET);
            disk.failing(operation -> false);
            fixture.clock.nanos = fixture.log.deadlineNanos();
            assertThat(fixture.clock.nanos).isEqualTo(1_000_000_000);
            fixture.settle();

            assertThat(fixture.log.hasRoomFor(1000)).isTrue();
            assertThat(fixture.log.isFull()).isFalse();
            assertThat(fixture.log.durableIndex()).isEqualTo(1);
            assertThat(fixture.log.deadlineNanos()).isEqualTo(Long.MAX_VALUE);
        }
    }

    @Test
    void shouldKeepTheSecretWhenAllEntriesAreTakenBack() throws IOException {
        MemoryDisk disk = new MemoryDisk();
        LogFixture fixture = LogFixture.open(disk, SMALL, 0);
        fixture.append(1, 1, BODY, true);
        while (!fixture.log.isIdle()) {
            disk.poll();
            fixture.log.poll();
        }
        fixture.log.truncateSuffix(0);
        fixture.await(() -> disk.poll() == 0);
        OptionalInt before = secret(disk);
        LogFixture again = LogFixture.openWithSecret(disk, OTHER);
        goOn(again);

        assertThat(again.log.lastIndex()).isEqualTo(1);
        assertThat(secret(disk)).isEqualTo(before);
    }

    @Test
    void shouldHaveStoredWhatWasAppendedWhenClosedAtOnce() throws IOException {
        LogFixture fixture = LogFixture.open(new FileDisk(directory), SMALL, 0);
        fixture.append(1, 1, BODY, false);
        fixture.log.close();

        LogFixture again = LogFixture.openWithSecret(new FileDisk(directory), OTHER);
        assertThat(again.log.lastIndex()).isEqualTo(1);
        again.log.close();
    }

    /** Three entries; each on disk before the next is appended, or none known to be when the others are. */
    private static MemoryDisk begun(boolean oneByOne) throws IOException {
        MemoryDisk disk = new MemoryDisk();
        LogFixture fixture = LogFixture.open(disk, SMALL, 0);
        for (int i = 0; i < 3; i++) {
            fixture.append(1, 1, BODY, oneByOne);
            if (oneByOne) {
                fixture.settle();
            }
        }
        fixture.settle();
        return disk.copy();
    }
}
