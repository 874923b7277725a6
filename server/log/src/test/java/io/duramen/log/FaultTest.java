package io.duramen.log;

import static io.duramen.log.LogFixture.SMALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class FaultTest {
    private static final int ENTRIES = 60;

    @Test
    void shouldStopForGoodWhenAnyWriteOrSyncFails() throws Exception {
        for (String kind : new String[] {"write", "sync"}) {
            for (int n = 1; n <= ENTRIES; n++) {
                MemoryDisk disk = new MemoryDisk();
                LogFixture fixture = LogFixture.open(disk, SMALL, 0);
                disk.failing(nth(n, kind));
                appendUntilStopped(fixture);
                String what = kind + " " + n;
                long written = fixture.log.writtenIndex();
                long durable = fixture.log.durableIndex();
                assertThat(fixture.log.failure()).as(what).isPresent();
                assertThatThrownBy(() -> fixture.append(1, 1, 100, true)).isInstanceOf(IllegalStateException.class);
                int operations = disk.operations.size();
                fixture.poll();
                assertThat(fixture.log.writtenIndex()).as(what).isEqualTo(written);
                assertThat(disk.operations).as(what).hasSize(operations);
                fixture.requirePartition(1, 0, durable, 1000);
                LogFixture again = LogFixture.open(disk.copy(), SMALL, 0);
                assertThat(again.log.lastIndex()).as(what).isGreaterThanOrEqualTo(durable);
                again.requirePartition(1, 0, again.log.lastIndex(), 1000);
            }
        }
    }

    private static void appendUntilStopped(LogFixture fixture) {
        for (int i = 0; i < 2 * ENTRIES && fixture.log.failure().isEmpty(); i++) {
            fixture.append(1, 1, 500, true);
            fixture.settle();
        }
    }

    @Test
    void shouldRefuseMessagesAndGoOnLaterWhenAnyAllocationFails() throws Exception {
        for (int n = 1; n <= 4; n++) {
            MemoryDisk disk = new MemoryDisk();
            disk.failing(nth(n, "allocate"));
            LogFixture fixture = LogFixture.open(disk, SMALL, 0);
            fixture.poll();
            fixture.poll();
            int appended = 0;
            while (fixture.log.hasRoomFor(1000)) {
                fixture.append(1, 1, 800, true);
                appended++;
                fixture.settle();
            }
            assertThat(fixture.log.isFull()).isTrue();
            assertThat(fixture.log.segmentCount()).isEqualTo(n - 1);
            long deadline = fixture.log.deadlineNanos();
            assertThat(deadline).isEqualTo(1_000_000_000);
            fixture.clock.nanos = deadline;
            fixture.await(() -> fixture.log.hasRoomFor(1000));
            assertThat(fixture.log.isFull()).isFalse();
            fixture.append(1, 1, 800, true);
            fixture.settle();
            fixture.requirePartition(1, 0, appended + 1, 1000);
            assertThat(fixture.log.failure()).isEmpty();
        }
    }

    @Test
    void shouldTakeControlsFromTheReserveAndComeBackWhenSegmentsAreReleased() throws Exception {
        MemoryDisk disk = new MemoryDisk();
        disk.quota(3 * 8192 + 2000);
        LogFixture fixture = LogFixture.open(disk, SMALL, 0);
        int appended = 0;
        while (fixture.log.hasRoomFor(LogFixture.entryLength(800))) {
            fixture.append(1, 1, 800, true);
            appended++;
            fixture.settle();
        }
        assertThat(appended).isGreaterThan(15);
        for (int i = 0; i < 5; i++) {
            fixture.append(1, 1, 20, true);
            fixture.settle();
        }
        assertThat(fixture.log.durableIndex()).isEqualTo(appended + 5);

        fixture.log.release(appended, partition -> Long.MAX_VALUE);
        fixture.await(() -> fixture.log.hasRoomFor(1000));

        assertThat(fixture.log.isFull()).isFalse();
    }

    @Test
    void shouldKeepTheIndexInMemoryWhenItCannotBeStored() throws IOException {
        MemoryDisk disk = new MemoryDisk();
        disk.failing(operation -> operation.startsWith("replace") && operation.endsWith(".index"));
        LogFixture fixture = LogFixture.open(disk, SMALL, 0);
        for (int i = 0; i < ENTRIES; i++) {
            fixture.append(1, 1, 1500, true);
        }
        fixture.settle();
        fixture.requirePartition(1, 0, ENTRIES, 1000);
        assertThat(disk.files.keySet()).noneMatch(name -> name.endsWith(".index"));
        disk.failing(operation -> false);
        for (int i = 0; i < 10; i++) {
            fixture.append(1, 1, 1500, true);
            fixture.settle();
        }

        assertThat(disk.files.keySet().stream().filter(name -> name.endsWith(".index")))
                .hasSize(fixture.log.segmentCount() - 1);
        LogFixture.open(disk.copy(), SMALL, 0).requirePartition(1, 0, ENTRIES + 10, 1000);
    }

    @Test
    void shouldTellTheReaderWhenAReadFails() throws IOException {
        MemoryDisk disk = new MemoryDisk();
        LogFixture first = LogFixture.open(disk, SMALL, 0);
        first.append(1, 1, 100, true);
        first.settle();
        LogFixture second = LogFixture.open(disk.copy(), SMALL, 0);
        MemoryDisk broken = disk.copy();
        LogFixture third = LogFixture.open(broken, SMALL, 0);
        broken.failing(nth(1, "read"));

        assertThatThrownBy(() -> third.requirePartition(1, 0, 1, 10)).hasMessageContaining("injected");
        third.requirePartition(1, 0, 1, 10);
        assertThatThrownBy(() -> second.requirePartition(1, 1, 2, 10)).hasMessageContaining("is not in the log");
    }

    private static Predicate<String> nth(int n, String kind) {
        AtomicInteger count = new AtomicInteger();
        return operation -> operation.startsWith(kind) && count.incrementAndGet() == n;
    }
}
