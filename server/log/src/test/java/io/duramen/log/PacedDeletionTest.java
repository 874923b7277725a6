package io.duramen.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Files of a backlog that has been drained are given back to the disk at a pace. */
class PacedDeletionTest {
    private static final int BODY = 400;
    private static final int SEGMENTS = 20;
    private static final int ENTRIES = SEGMENTS * ((8192 - SegmentHeader.LENGTH) / LogFixture.entryLength(BODY));

    /** Of a segment of 8 KiB at 512 MiB a second. */
    private static final long PAUSE = TimeUnit.SECONDS.toNanos(8192) / (512L << 20);

    private final MemoryDisk disk = new MemoryDisk();
    private LogFixture fixture;

    private void drained() throws IOException {
        fixture = LogFixture.open(disk, LogFixture.SMALL.withSpareSegments(0), 0);
        for (int i = 0; i < ENTRIES; i++) {
            fixture.append(1, 1, BODY, true);
        }
        fixture.settle();
        disk.operations.clear();
        fixture.log.release(fixture.log.lastIndex(), partition -> Long.MAX_VALUE);
        poll();
    }

    private void poll() {
        for (int idle = 0; idle < 2; ) {
            idle = fixture.poll() == 0 ? idle + 1 : 0;
        }
    }

    private long deleted() {
        return disk.operations.stream()
                .filter(operation -> operation.startsWith("delete ") && operation.endsWith(".log"))
                .count();
    }

    @Test
    void shouldDeleteOneAfterTheOtherWithPausesBetween() throws IOException {
        drained();
        for (int segments = 1; segments < SEGMENTS - 1; segments++) {
            assertThat(deleted()).isEqualTo(segments);
            assertThat(fixture.log.deadlineNanos()).isEqualTo(fixture.clock.nanos + PAUSE);
            fixture.clock.nanos += PAUSE - 1;
            poll();
            assertThat(deleted()).isEqualTo(segments);
            fixture.clock.nanos++;
            poll();
        }
        assertThat(deleted()).isEqualTo(SEGMENTS - 1L);
        assertThat(fixture.log.deadlineNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(LogFixture.open(disk.copy(), LogFixture.SMALL, fixture.log.lastIndex())
                        .log
                        .segmentCount())
                .isEqualTo(1);
    }

    @Test
    void shouldPauseLongerThanAFileTookWhereThatIsLong() throws IOException {
        disk.holding(operation -> operation.startsWith("delete ") && operation.endsWith(".log"));
        drained();
        fixture.clock.nanos += TimeUnit.SECONDS.toNanos(1);
        poll();
        assertThat(deleted()).as("one at a time").isEqualTo(1);
        disk.letGo();
        poll();
        assertThat(deleted()).isEqualTo(1);
        assertThat(fixture.log.deadlineNanos()).isEqualTo(fixture.clock.nanos + TimeUnit.SECONDS.toNanos(3));
    }

    /** However long a disk takes for one. */
    @Test
    void shouldPauseForTenSecondsAtMost() throws IOException {
        disk.holding(operation -> operation.startsWith("delete ") && operation.endsWith(".log"));
        drained();
        fixture.clock.nanos += TimeUnit.MINUTES.toNanos(10);
        disk.letGo();
        poll();
        assertThat(fixture.log.deadlineNanos()).isEqualTo(fixture.clock.nanos + TimeUnit.SECONDS.toNanos(10));
    }

    /** The pause was begun while there was room. */
    @Test
    void shouldNotPauseOnceTheDiskIsFull() throws IOException {
        drained();
        String second = "delete " + SegmentName.log(2);
        assertThat(disk.operations).doesNotContain(second);
        disk.quota(0);
        for (int i = 0; i < 2 * ENTRIES / SEGMENTS; i++) {
            fixture.append(1, 1, BODY, false);
        }
        poll();
        assertThat(disk.operations).contains(second);
    }

    @Test
    void shouldGoOnWhereOneCannotBeDeleted() throws IOException {
        disk.failing(operation -> operation.equals("delete " + SegmentName.log(1)));
        drained();
        fixture.clock.nanos += PAUSE;
        poll();
        assertThat(deleted()).isEqualTo(2);
    }

    @Test
    void shouldNotPauseWhileTheDiskHasLessRoomThanIsGivenBack() throws IOException {
        disk.quota((SEGMENTS + 2) * 8192L + 8 * 8192L);
        drained();
        assertThat(deleted()).as("more is waiting than there is room").isBetween(5L, SEGMENTS - 5L);
        assertThat(fixture.log.deadlineNanos()).as("then it is not").isEqualTo(fixture.clock.nanos + PAUSE);
    }

    @Test
    void shouldNotPauseWhenTheLogIsClosed() throws IOException {
        drained();
        assertThat(deleted()).isEqualTo(1);
        fixture.log.close();
        assertThat(deleted()).isEqualTo(SEGMENTS - 1L);
    }
}
