package io.duramen.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A process that dies takes what it has not written; however long the disk takes to sync, that is not much. */
class SlowSyncTest {
    private static final long GATHERED = Duration.ofMillis(2).toNanos();

    private final MemoryDisk disk = new MemoryDisk();
    private LogFixture fixture;
    private int operationsBefore;

    @BeforeEach
    void syncing() throws IOException {
        fixture = LogFixture.open(disk, LogConfig.defaults(), 0);
        fixture.append(1, 1, 100, true);
        fixture.settle();
        disk.holding(operation -> operation.startsWith("sync"));
        fixture.append(1, 1, 100, true);
        poll();
        assertThat(fixture.log.writtenIndex()).isEqualTo(2);
        operationsBefore = disk.operations.size();
    }

    private void poll() {
        for (int idle = 0; idle < 2; ) {
            idle = fixture.poll() == 0 ? idle + 1 : 0;
        }
    }

    private void passes(long nanos) {
        fixture.clock.nanos += nanos;
        poll();
    }

    private Iterable<String> operations() {
        return disk.operations.stream()
                .skip(operationsBefore)
                .map(operation -> operation.substring(0, operation.indexOf(' ')))
                .toList();
    }

    @Test
    void shouldWriteWhatHasGatheredWhenTheSyncTakesLong() {
        fixture.append(1, 1, 100, false);
        passes(GATHERED - 1);
        assertThat(operations()).as("it gathers").isEmpty();
        assertThat(fixture.log.deadlineNanos()).isEqualTo(fixture.clock.nanos + 1);
        fixture.append(1, 1, 100, false);
        passes(1);
        assertThat(operations()).containsExactly("write");
        assertThat(fixture.log.writtenIndex()).isEqualTo(4);
        assertThat(fixture.log.durableIndex()).isEqualTo(1);
        fixture.append(1, 1, 100, false);
        assertThat(fixture.log.deadlineNanos()).isEqualTo(fixture.clock.nanos + GATHERED);
        passes(GATHERED);
        assertThat(operations()).containsExactly("write", "write");
        disk.letGo();
        poll();
        assertThat(fixture.log.durableIndex()).as("what the sync covers").isEqualTo(2);
        assertThat(operations()).as("none of it waits for a sync").containsExactly("write", "write");
        passes(LogConfig.defaults().lazySyncInterval().toNanos());
        assertThat(operations()).containsExactly("write", "write", "sync");
    }

    @Test
    void shouldSyncOnceTheSyncIsDoneWhatWasWrittenMeanwhile() {
        fixture.append(1, 1, 100, true);
        passes(GATHERED);
        fixture.append(1, 1, 100, false);
        passes(GATHERED);
        assertThat(operations()).containsExactly("write", "write");
        disk.letGo();
        poll();
        assertThat(fixture.log.durableIndex()).isEqualTo(2);
        assertThat(operations()).containsExactly("write", "write", "sync");
        disk.letGo();
        poll();
        assertThat(fixture.log.durableIndex()).isEqualTo(4);
        assertThat(fixture.log.isIdle()).isTrue();
    }

    @Test
    void shouldSyncWhatWasWrittenMeanwhileWithWhatGathersThen() {
        fixture.append(1, 1, 100, true);
        passes(GATHERED);
        fixture.append(1, 1, 100, false);
        disk.letGo();
        poll();
        disk.letGo();
        poll();
        assertThat(operations()).containsExactly("write", "write", "sync");
        assertThat(fixture.log.durableIndex()).isEqualTo(4);
    }

    @Test
    void shouldWriteOnceWhenTheSyncIsFast() {
        for (int i = 0; i < 10; i++) {
            fixture.append(1, 1, 100, true);
            passes(GATHERED / 20);
        }
        assertThat(operations()).isEmpty();
        disk.letGo();
        poll();
        disk.letGo();
        poll();
        assertThat(operations()).containsExactly("write", "sync");
        assertThat(fixture.log.durableIndex()).isEqualTo(12);
    }

    @Test
    void shouldNotSpinWhenTheNextSegmentWaitsForTheSync() throws IOException {
        MemoryDisk files = new MemoryDisk();
        fixture = LogFixture.open(files, LogFixture.SMALL, 0);
        files.holding(operation -> operation.startsWith("sync"));
        fixture.append(1, 1, 5000, true);
        poll();
        fixture.append(1, 1, 5000, true);
        for (int i = 0; i < 3; i++) {
            passes(GATHERED);
            assertThat(fixture.log.writtenIndex()).isEqualTo(1);
            assertThat(fixture.log.deadlineNanos()).isGreaterThan(fixture.clock.nanos);
        }
        while (fixture.log.durableIndex() < 2) {
            files.letGo();
            poll();
        }
    }
}
