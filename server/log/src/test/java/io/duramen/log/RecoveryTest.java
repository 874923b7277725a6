package io.duramen.log;

import static io.duramen.log.LogFixture.SMALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.protocol.record.RecordBatch;
import io.duramen.runtime.disk.FileDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecoveryTest {
    private static final String FIRST = "0000000000000001.log";
    private static final String SECOND = "0000000000000002.log";
    private static final int BODY = 200;
    private static final int LENGTH = LogFixture.entryLength(BODY);
    private static final int FIRST_ENTRIES = (8192 - SegmentHeader.LENGTH) / LENGTH;
    private static final int ENTRIES = FIRST_ENTRIES + 5;

    @TempDir
    Path directory;

    @Test
    void shouldFindEveryWholeEntryWhenCutAnywhere() throws Exception {
        MemoryDisk whole = filled(false, true);
        int end = SegmentHeader.LENGTH + 5 * LENGTH;
        for (int cut = 0; cut <= end; cut++) {
            for (byte garbage : new byte[] {0, (byte) 0xA5}) {
                MemoryDisk disk = whole.copy();
                byte[] content = disk.files.get(SECOND);
                Arrays.fill(content, cut, end, (byte) 0);
                Arrays.fill(content, cut, Math.min(cut + 70, end), garbage);
                int expected = cut < SegmentHeader.LENGTH ? 0 : (cut - SegmentHeader.LENGTH) / LENGTH;
                requireEntries(disk, FIRST_ENTRIES + expected, "cut " + cut + " garbage " + garbage);
            }
        }
    }

    /** Recovers, looks at everything, goes on, and recovers again. */
    private static void requireEntries(MemoryDisk disk, long entries, String what) throws IOException {
        LogFixture fixture = LogFixture.open(disk, SMALL, 0);
        assertThat(fixture.log.lastIndex()).as(what).isEqualTo(entries);
        assertThat(fixture.replay(1)).as(what).hasSize((int) entries);
        fixture.requirePartition(1, 0, entries, 1000);
        fixture.goOnAt(1, entries);
        fixture.append(1, 1, 50, true);
        fixture.settle();
        LogFixture again = LogFixture.open(disk.copy(), SMALL, 0);
        assertThat(again.log.lastIndex()).as(what).isEqualTo(entries + 1);
        again.requirePartition(1, 0, entries + 1, 1000);
    }

    @Test
    void shouldCutWhenAHoleWasNeverSynced() throws Exception {
        MemoryDisk disk = filled(false, false);
        byte[] content = disk.files.get(FIRST);
        Arrays.fill(content, SegmentHeader.LENGTH + 2 * LENGTH, SegmentHeader.LENGTH + 3 * LENGTH, (byte) 0);

        requireEntries(disk, 2, "hole in the third entry");
    }

    @Test
    void shouldCutWhenABodyInTheTornTailImitatesALaterEntry() throws Exception {
        MemoryDisk disk = new MemoryDisk();
        LogFixture fixture = LogFixture.open(disk, SMALL, 0);
        fixture.append(1, 1, BODY, true);
        fixture.settle();
        ByteBuffer body = ByteBuffer.allocate(RecordBatch.HEADER_LENGTH + 100);
        ByteBuffer imitation = body.slice(RecordBatch.HEADER_LENGTH + 20, EntryHeader.LENGTH + 10);
        EntryHeader.write(imitation, imitation.limit(), 4, 1, 3, 0);
        EntryHeader.seal(imitation, true, 0, 0);
        RecordBatch.seal(body, true, 1, 0, 1, 1);
        EntryBuffer entry = fixture.log.newEntry();
        entry.addMessages(1, 1, 1, body);
        fixture.log.append(entry, false, fixture.log.lastEpoch());
        fixture.settle();
        disk.files.get(FIRST)[SegmentHeader.LENGTH + LENGTH + 10] ^= 1;

        requireEntries(disk, 1, "an entry in a body");
    }

    @Test
    void shouldRefuseAndChangeNothingWhenAHoleWasSyncedOnce() throws Exception {
        MemoryDisk disk = filled(true, false);
        disk.files.get(FIRST)[SegmentHeader.LENGTH + 2 * LENGTH + 100] ^= 1;
        MemoryDisk before = disk.copy();

        assertThatThrownBy(() -> LogFixture.open(disk, SMALL, 0))
                .isInstanceOf(DamagedLogException.class)
                .hasMessageContaining(FIRST)
                .hasMessageContaining("position " + (SegmentHeader.LENGTH + 2 * LENGTH))
                .hasMessageContaining("Put an intact copy");
        before.files.forEach((name, content) -> assertThat(disk.files.get(name)).isEqualTo(content));
    }

    @Test
    void shouldRefuseWhenAnEarlierSegmentWithoutIndexIsDamaged() throws Exception {
        MemoryDisk disk = filled(false, true);
        disk.files.remove("0000000000000001.index");
        LogFixture.open(disk.copy(), SMALL, 0).requirePartition(1, 0, ENTRIES, 1000);
        disk.files.get(FIRST)[SegmentHeader.LENGTH + (FIRST_ENTRIES - 1) * LENGTH + 100] ^= 1;

        assertThatThrownBy(() -> LogFixture.open(disk, SMALL, 0))
                .isInstanceOf(DamagedLogException.class)
                .hasMessageContaining("entry " + FIRST_ENTRIES + " is not intact, and later segments have content");
    }

    @Test
    void shouldMakeTheIndexAnewWhenItIsDamaged() throws Exception {
        MemoryDisk whole = filled(true, true);
        byte[] index = whole.files.get("0000000000000001.index");
        for (int i = 0; i < IndexFile.HEAD_LENGTH + 24; i++) {
            MemoryDisk disk = whole.copy();
            disk.files.get("0000000000000001.index")[i] ^= 4;
            LogFixture fixture = LogFixture.open(disk, SMALL, 0);
            fixture.requirePartition(1, 0, ENTRIES, 1000);
            fixture.await(() -> disk.poll() == 0);
            assertThat(disk.files.get("0000000000000001.index")).isEqualTo(index);
        }
    }

    @Test
    void shouldSayWhatIsMissingWhenASegmentIsGone() throws Exception {
        MemoryDisk disk = filled(true, true);
        disk.files.remove(FIRST);

        assertThatThrownBy(() -> LogFixture.open(disk.copy(), SMALL, 3))
                .hasMessageContaining("Entries 4 to " + FIRST_ENTRIES)
                .hasMessageContaining(SECOND);
        assertThat(LogFixture.open(disk.copy(), SMALL, FIRST_ENTRIES).log.firstIndex())
                .isEqualTo(FIRST_ENTRIES + 1);
    }

    @Test
    void shouldRefuseWhenTheFormatIsUnknown() throws Exception {
        MemoryDisk disk = filled(true, true);
        ByteBuffer header = ByteBuffer.wrap(disk.files.get(SECOND)).putInt(12, 9);
        CRC32C crc = new CRC32C();
        crc.update(header.duplicate().position(12).limit(68));
        header.putInt(8, (int) crc.getValue());

        assertThatThrownBy(() -> LogFixture.open(disk, SMALL, 0)).hasMessageContaining("format");
    }

    @Test
    void shouldReportTheFileWhenASealedSegmentIsDamagedWhileReading() throws Exception {
        MemoryDisk disk = filled(true, true);
        disk.files.get(FIRST)[SegmentHeader.LENGTH + 5 * LENGTH + 200] ^= 1;
        LogFixture fixture = LogFixture.open(disk, SMALL, 0);
        fixture.requirePartition(1, 0, 5, 1000);

        assertThatThrownBy(() -> fixture.requirePartition(1, 4, 7, 1000))
                .isInstanceOf(DamagedLogException.class)
                .hasMessageContaining(FIRST)
                .hasMessageContaining("checksum");
        assertThatThrownBy(() -> fixture.replay(1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(FIRST);
    }

    @Test
    void shouldTakeBackOnlyWhatIsNotCommittedWhenSuffixIsCut() throws Exception {
        for (long index = 1; index < ENTRIES; index++) {
            FileDisk disk = new FileDisk(directory.resolve("cut" + index));
            LogFixture fixture = LogFixture.open(disk, SMALL, 0);
            for (int i = 0; i < ENTRIES; i++) {
                fixture.append(1, 1, BODY, true);
            }
            while (!fixture.log.isIdle()) {
                disk.poll();
                fixture.log.poll();
            }
            fixture.log.committed(1);
            long tooFar = 0;
            assertThatThrownBy(() -> fixture.log.truncateSuffix(tooFar)).isInstanceOf(IllegalStateException.class);
            fixture.log.truncateSuffix(index);
            fixture.goOnAt(1, index);
            fixture.append(1, 1, 60, true);
            fixture.settle();
            fixture.requirePartition(1, 0, index + 1, 1000);
            fixture.log.close();
            LogFixture again = LogFixture.open(new FileDisk(directory.resolve("cut" + index)), SMALL, 0);
            assertThat(again.replay(1))
                    .isEqualTo(LongStream.rangeClosed(1, index + 1).boxed().toList());
            again.requirePartition(1, 0, index + 1, 1000);
            again.log.close();
        }
    }

    @Test
    void shouldOpenWithoutReadingSealedSegments() throws Exception {
        LogFixture fixture = LogFixture.open(new FileDisk(directory), SMALL, 0);
        for (int i = 0; i < ENTRIES; i++) {
            fixture.append(1, 1, BODY, true);
        }
        fixture.settle();
        fixture.log.close();
        Files.write(directory.resolve(FIRST), new byte[8192]);

        LogFixture again = LogFixture.open(new FileDisk(directory), SMALL, FIRST_ENTRIES);
        assertThat(again.log.lastIndex()).isEqualTo(ENTRIES);
        again.log.close();
    }

    /** Entries of the same length, {@link #FIRST_ENTRIES} in the first segment and 5 in the second, where there is one. */
    private static MemoryDisk filled(boolean oneByOne, boolean twoSegments) throws IOException {
        MemoryDisk disk = new MemoryDisk();
        LogFixture fixture = LogFixture.open(disk, SMALL, 0);
        for (int i = 0; i < (twoSegments ? ENTRIES : 6); i++) {
            fixture.append(1, 1, BODY, oneByOne);
            if (oneByOne) {
                fixture.settle();
            }
        }
        fixture.settle();
        return disk.copy();
    }
}
