package io.duramen.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.log.EntryBuffer;
import io.duramen.log.LogConfig;
import io.duramen.log.LogRecord;
import io.duramen.runtime.SystemClock;
import io.duramen.runtime.disk.FileDisk;
import io.duramen.runtime.settings.Bytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalLogTest {
    private static final LogConfig CONFIG = LogConfig.defaults()
            .withSegmentSize(new Bytes(64 * 1024))
            .withReserve(new Bytes(4096))
            .withCacheSize(new Bytes(64 * 1024));

    @TempDir
    Path directory;

    private final Semaphore due = new Semaphore(0);
    private Told told;
    private LocalLog log;

    @BeforeEach
    void open() throws IOException {
        open(CONFIG, 0, Long.MAX_VALUE);
    }

    @AfterEach
    void close() {
        log.close();
    }

    @Test
    void shouldHandOverInOrderWhenDurabilitiesAreMixed() throws Exception {
        await(() -> told.epoch == 1);
        for (int i = 1; i <= 300; i++) {
            assertThat(append(i, i % 3 == 0)).isEqualTo(i);
        }
        await(() -> told.committed.size() == 300 && told.durable == 300);

        assertThat(told.committed).isSorted();
        assertThat(told.bodies).startsWith(1, 2, 3).endsWith(299, 300);
    }

    @Test
    void shouldCommitWithoutSyncWhenWritten() throws Exception {
        await(() -> told.epoch == 1);
        append(1, false);
        await(() -> told.committed.size() == 1);
        await(() -> told.durable == 1);
    }

    @Test
    void shouldHandOverWhatIsNotAppliedAndLeadWithTheNextEpochWhenStartedAgain() throws Exception {
        await(() -> told.epoch == 1);
        for (int i = 1; i <= 1000; i++) {
            append(i, true);
        }
        log.close();

        open(CONFIG, 400, Long.MAX_VALUE);
        assertThatThrownBy(() -> append(1, true)).isInstanceOf(IllegalStateException.class);
        await(() -> told.epoch == 2);

        assertThat(told.committed).hasSize(600).startsWith(401L).endsWith(1000L);
        assertThat(told.bodies).startsWith(401).endsWith(1000);
        assertThat(append(1001, true)).isEqualTo(1001);
        await(() -> told.committed.size() == 601);
    }

    @Test
    void shouldRefuseWhenTheLogEndsBeforeTheImage() throws Exception {
        await(() -> told.epoch == 1);
        append(1, true);
        log.close();

        assertThatThrownBy(() -> open(CONFIG, 5, Long.MAX_VALUE))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("image is at entry 5");
    }

    @Test
    void shouldGoOnBehindTheImageWhenAnIntervalWasLost() throws Exception {
        log.close();
        open(CONFIG.withSync(LogConfig.Sync.INTERVAL), 5, Long.MAX_VALUE);
        await(() -> told.epoch == 1);

        assertThat(append(6, true)).isEqualTo(6);
        await(() -> told.committed.size() == 1 && told.durable == 6);
    }

    @Test
    void shouldRefuseMessagesButTakeControlsAndRecoverWhenTheDiskIsFull() throws Exception {
        log.close();
        open(CONFIG, 0, 3 * 64 * 1024 + 100);
        await(() -> told.epoch == 1);
        int appended = 0;
        while (log.hasRoomFor(2000)) {
            appended++;
            append(appended, true);
            int all = appended;
            await(() -> told.committed.size() == all);
            log.poll();
        }
        await(() -> log.status().full()); // The disk has yet to say so.
        assertThat(appended).isGreaterThan(90);
        append(-1, true);
        int all = appended + 1;
        await(() -> told.committed.size() == all);

        log.release(all, partition -> Long.MAX_VALUE);
        await(() -> log.hasRoomFor(2000));

        assertThat(log.status().full()).isFalse();
    }

    private void open(LogConfig config, long applied, long quota) throws IOException {
        FileDisk disk = new FileDisk(directory, quota);
        disk.onDue(due::release);
        told = new Told();
        log = new LocalLog(disk, new SystemClock(), config, 7);
        log.start(applied, told);
    }

    private long append(int number, boolean synced) {
        EntryBuffer entry = log.newEntry();
        entry.addControl((byte) 9, ByteBuffer.allocate(number < 0 ? 4 : 1900).putInt(0, number));
        return log.append(entry, synced ? ReplicatedLog.Durability.SYNCED : ReplicatedLog.Durability.WRITTEN);
    }

    private void await(BooleanSupplier condition) throws InterruptedException {
        long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            if (log.poll() == 0) {
                due.tryAcquire(2, TimeUnit.MILLISECONDS);
                assertThat(System.nanoTime()).isLessThan(giveUp);
            }
        }
    }

    private static final class Told implements ReplicatedLog.Listener {
        final List<Long> committed = new ArrayList<>();
        final List<Integer> bodies = new ArrayList<>();
        long durable;
        long epoch;

        @Override
        public void onCommitted(CommittedEntry entry) {
            committed.add(entry.index());
            LogRecord.forEach(
                    entry.records(),
                    entry.count(),
                    (type, partition, offset, count, body) -> bodies.add(body.getInt(0)));
        }

        @Override
        public void onDurable(long index) {
            durable = index;
        }

        @Override
        public void onLeading(long newEpoch) {
            epoch = newEpoch;
        }

        @Override
        public void onStopped(IOException cause) {
            throw new AssertionError(cause);
        }
    }
}
