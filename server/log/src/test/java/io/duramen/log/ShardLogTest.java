package io.duramen.log;

import static io.duramen.log.LogFixture.SMALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.runtime.disk.FileDisk;
import io.duramen.runtime.settings.Bytes;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShardLogTest {
    private static final long MARK = 0x1D1D_2E2E_3F3FL;

    @TempDir
    Path directory;

    @Test
    void shouldReadEverythingBackWhenManySegmentsWereFilled() throws Exception {
        LogFixture first = LogFixture.open(new FileDisk(directory), SMALL, 0);
        for (int i = 0; i < 500; i++) {
            first.append(1 + i % 3, 1 + i % 2, 100 + i, i % 5 == 0);
        }
        first.settle();
        first.requirePartition(1, 0, 250, 10_000);
        first.log.close();

        LogFixture second = LogFixture.open(new FileDisk(directory), SMALL, 0);
        assertThat(second.log.lastIndex()).isEqualTo(500);
        assertThat(second.replay(1))
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, 500).boxed().toList());
        assertThat(second.replay(321)).hasSize(180).startsWith(321L);
        for (int partition = 1; partition <= 3; partition++) {
            second.requirePartition(partition, 0, 249, 3000);
        }
        second.log.close();
    }

    @Test
    void shouldStoreLongBatchesWhereverTheyStandInTheirEntry() throws Exception {
        MemoryDisk disk = new MemoryDisk();
        LogFixture fixture = LogFixture.open(disk, SMALL.withSegmentSize(Bytes.ofMebi(1)), 0);
        int[][] entries = {{150_000}, {100, 150_000}, {150_000, 100}, {150_000, 150_000}, {100, 150_000, 100}, {100}};
        for (int[] lengths : entries) {
            EntryBuffer entry = fixture.log.newEntry();
            for (int length : lengths) {
                fixture.add(entry, 1, 1, length);
            }
            assertThat(fixture.log.append(entry, true, 1)).isPositive();
        }
        fixture.settle();
        fixture.requirePartition(1, 0, 11, 1000);
        LogFixture again = LogFixture.open(disk.copy(), SMALL.withSegmentSize(Bytes.ofMebi(1)), 0);
        assertThat(again.replay(1)).hasSize(entries.length);
        again.requirePartition(1, 0, 11, 1_000_000);
    }

    /** Whose memory is used anew as soon as it may be: for the batches that follow. */
    @Test
    void shouldStoreLongBatchesWhoseMemoryItIsGiven() throws Exception {
        MemoryDisk disk = new MemoryDisk();
        LogConfig config = SMALL.withSegmentSize(Bytes.ofMebi(1)).withCacheSize(Bytes.ofMebi(1));
        LogFixture fixture = LogFixture.open(disk, config, 0);
        int[][] entries = {{150_000}, {100, 150_000}, {150_000, 100}, {150_000, 150_000}, {100, 150_000, 100}, {100}};
        int[] rooms = {1_024, 1_024, 1_024, 10};
        int stored = 0;
        for (int round = 0; round < 8; round++) {
            for (int[] lengths : entries) {
                EntryBuffer entry = fixture.log.newEntry();
                for (int length : lengths) {
                    fixture.addGiven(entry, 1, length, rooms[stored++ % rooms.length]);
                }
                assertThat(fixture.log.append(entry, true, 1)).isPositive();
                if (stored % 3 == 0) {
                    fixture.settle();
                    fixture.requirePartition(1, Math.max(0, stored - 6), stored, 1_000);
                }
            }
        }
        fixture.settle();
        fixture.requirePartition(1, 0, stored, 1_000);
        LogFixture again = LogFixture.open(disk.copy(), config, 0);
        assertThat(again.replay(1)).hasSize(8 * entries.length);
        again.requirePartition(1, 0, stored, 1_000_000);
    }

    @Test
    void shouldGiveMemoryBackOnceItsEntryHasLeftTheCache() throws Exception {
        LogConfig config = SMALL.withSegmentSize(Bytes.ofMebi(1)).withCacheSize(Bytes.ofMebi(1));
        LogFixture fixture = LogFixture.open(new MemoryDisk(), config, 0);
        int fresh = 0;
        for (int i = 0; i < 200; i++) {
            EntryBuffer entry = fixture.log.newEntry();
            ByteBuffer memory = fixture.addGiven(entry, 1, 150_000, 1_024);
            if (memory.getLong(0) != MARK) {
                fresh++;
                memory.putLong(0, MARK);
            }
            fixture.log.append(entry, true, 1);
            fixture.settle();
        }
        assertThat(fresh).isBetween(1, 100);
    }

    @Test
    void shouldShareOneSyncWhenEntriesGatherWhileTheDiskIsBusy() throws Exception {
        MemoryDisk disk = new MemoryDisk();
        LogFixture fixture = LogFixture.open(disk, SMALL, 0);
        fixture.append(1, 1, 10, true);
        fixture.poll();
        fixture.poll();
        disk.operations.clear();
        for (int i = 0; i < 10; i++) {
            fixture.append(1, 1, 10, i == 3);
        }
        fixture.settle();

        assertThat(disk.operations).containsExactly("write 0000000000000001.log", "sync 0000000000000001.log");
        assertThat(fixture.log.durableIndex()).isEqualTo(11);
    }

    @Test
    void shouldSyncLazilyWhenEntriesAskForNone() throws Exception {
        MemoryDisk disk = new MemoryDisk();
        LogFixture fixture = LogFixture.open(disk, SMALL, 0);
        fixture.append(1, 1, 10, false);
        fixture.settle();
        assertThat(fixture.log.writtenIndex()).isEqualTo(1);
        assertThat(fixture.log.durableIndex()).isZero();
        assertThat(fixture.log.deadlineNanos()).isEqualTo(20_000_000);

        fixture.clock.nanos = 20_000_000;
        fixture.await(() -> fixture.log.durableIndex() == 1);

        assertThat(fixture.log.deadlineNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(disk.operations.stream().filter(o -> o.startsWith("sync"))).hasSize(1);
    }

    @Test
    void shouldTakeASegmentOfItsOwnWhenEntryIsLarger() throws Exception {
        LogFixture first = LogFixture.open(new FileDisk(directory), SMALL, 0);
        first.append(1, 1, 100, true);
        first.append(1, 1, 100_000, true);
        first.append(1, 1, 100, true);
        first.settle();
        first.log.close();

        LogFixture second = LogFixture.open(new FileDisk(directory), SMALL, 0);
        assertThat(second.log.lastIndex()).isEqualTo(3);
        assertThat(second.log.segmentCount()).isEqualTo(3);
        second.requirePartition(1, 0, 3, 10);
        second.log.close();
    }

    @Test
    void shouldDeleteOnlyWhatNobodyNeedsWhenReleased() throws Exception {
        MemoryDisk disk = new MemoryDisk();
        LogFixture fixture = LogFixture.open(disk, SMALL, 0);
        for (int i = 0; i < 100; i++) {
            fixture.append(i == 30 ? 2 : 1, 1, 700, true);
        }
        fixture.settle();
        int before = fixture.log.segmentCount();

        fixture.log.release(60, partition -> partition == 1 ? Long.MAX_VALUE : 0);
        fixture.settle();

        assertThat(fixture.log.segmentCount()).isEqualTo(before - 5);
        assertThat(fixture.log.firstIndex()).isEqualTo(31);
        fixture.requirePartition(2, 0, 1, 10);
        assertThatThrownBy(() -> fixture.requirePartition(1, 0, 1, 10)).isInstanceOf(DamagedLogException.class);
        LogFixture again = LogFixture.open(disk.copy(), SMALL, 60);
        again.requirePartition(2, 0, 1, 10);
        assertThatThrownBy(() -> LogFixture.open(disk.copy(), SMALL, 20)).hasMessageContaining("missing");
    }

    @Test
    void shouldReadAQuietPartitionWithoutTheOthersWhenBacklogIsDeep() throws Exception {
        LogConfig config = SMALL.withSegmentSize(Bytes.ofMebi(1));
        MemoryDisk disk = new MemoryDisk();
        LogFixture first = LogFixture.open(disk, config, 0);
        for (int i = 0; i < 5000; i++) {
            first.append(1, 1, 1000, false);
            if (i % 100 == 0) {
                first.append(2, 1, 1000, false);
                first.settle();
            }
        }
        first.settle();
        LogFixture second = LogFixture.open(disk.copy(), config, 0);
        second.requirePartition(2, 0, 50, 16 * 1024);

        assertThat(second.log.bytesRead()).isLessThan(50 * 1100);
    }

    @Test
    void shouldReadABusyPartitionOnceWhenReaderIsSequential() throws Exception {
        LogConfig config = SMALL.withSegmentSize(Bytes.ofMebi(1));
        MemoryDisk disk = new MemoryDisk();
        LogFixture first = LogFixture.open(disk, config, 0);
        for (int i = 0; i < 5000; i++) {
            first.append(1, 3, 1000, false);
        }
        first.settle();
        LogFixture second = LogFixture.open(disk.copy(), config, 0);
        second.requirePartition(1, 0, 15_000, 64 * 1024);

        assertThat(second.log.bytesRead()).isBetween(5_000_000L, 5_800_000L);
    }

    /** Readers come back for what was fetched only after the log's poll, as a shard's subscriptions do. */
    @Test
    void shouldServeAllReadersWhenOnlyOneFindsRoomAtATime() throws Exception {
        MemoryDisk disk = new MemoryDisk();
        LogFixture writer = LogFixture.open(disk, SMALL, 0);
        int readers = 10;
        for (int partition = 1; partition <= readers; partition++) {
            writer.append(partition, 1, 2000, true);
        }
        writer.settle();
        LogConfig tight = new LogConfig(
                SMALL.segmentSize(),
                SMALL.spareSegments(),
                SMALL.reserve(),
                SMALL.sync(),
                SMALL.syncInterval(),
                SMALL.lazySyncInterval(),
                SMALL.cacheSize(),
                SMALL.indexInterval(),
                SMALL.readChunk(),
                new Bytes(64 * 1024));
        LogFixture fixture = LogFixture.open(disk.copy(), tight, 0);
        TreeSet<Integer> asking =
                new TreeSet<>(IntStream.rangeClosed(1, readers).boxed().toList());
        int served = 0;
        for (int cycle = 0; cycle < 1000; cycle++) {
            TreeSet<Integer> now = new TreeSet<>(asking);
            asking.clear();
            for (int partition : now) {
                served += fixture.log
                        .read(partition, 0, 2000, () -> asking.add(partition))
                        .map(chunk -> 1)
                        .orElse(0);
            }
            fixture.poll();
        }
        assertThat(served).isEqualTo(readers);
    }
}
