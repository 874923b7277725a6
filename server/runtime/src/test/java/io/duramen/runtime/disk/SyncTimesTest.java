package io.duramen.runtime.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SyncTimesTest {
    private final SyncTimes times = new SyncTimes();

    @Test
    void shouldTellSlowSyncsFromOthers() {
        times.took(TimeUnit.MICROSECONDS.toNanos(150));
        times.took(TimeUnit.MILLISECONDS.toNanos(SyncTimes.SLOW_MILLIS));
        assertThat(times.slow()).isZero();
        times.took(TimeUnit.MILLISECONDS.toNanos(300));
        times.took(TimeUnit.MILLISECONDS.toNanos(20));
        assertThat(times.count()).isEqualTo(4);
        assertThat(times.slow()).isEqualTo(2);
        assertThat(times.longestNanos()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(300));
        assertThat(times.nanos()).isEqualTo(TimeUnit.MICROSECONDS.toNanos(330_150));
    }

    /** Whichever thread carries it out. */
    @Test
    void shouldCountTheSyncsOfADisk(@TempDir Path directory) throws Exception {
        try (FileDisk disk = new FileDisk(directory)) {
            disk.countSyncs(times);
            CompletableFuture<DiskFile> allocated = new CompletableFuture<>();
            disk.allocate("file", 4096, completes(allocated));
            DiskFile file = polled(disk, allocated);
            assertThat(times.count())
                    .as("what is made by the way is not counted")
                    .isZero();
            for (int i = 1; i <= 3; i++) {
                CompletableFuture<Void> synced = new CompletableFuture<>();
                file.sync(completes(synced));
                polled(disk, synced);
                assertThat(times.count()).isEqualTo(i);
            }
            assertThat(times.nanos()).isGreaterThanOrEqualTo(times.longestNanos());
            assertThat(times.longestNanos()).isPositive();
        }
    }

    private static <T> T polled(FileDisk disk, CompletableFuture<T> done) throws Exception {
        while (!done.isDone()) {
            disk.awaitDue();
            disk.poll();
        }
        return done.get();
    }

    private static <T> IoCompletion<T> completes(CompletableFuture<T> done) {
        return new IoCompletion<>() {
            @Override
            public void succeeded(T result) {
                done.complete(result);
            }

            @Override
            public void failed(java.io.IOException cause) {
                done.completeExceptionally(cause);
            }
        };
    }
}
