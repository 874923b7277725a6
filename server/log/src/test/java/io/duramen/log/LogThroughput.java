package io.duramen.log;

import io.duramen.runtime.SystemClock;
import io.duramen.runtime.disk.FileDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * Not a test: measures the log on a directory. Arguments: directory, {@code always} or {@code interval}, MiB to append,
 * batches of 1 KiB an entry, entries that may wait.
 */
final class LogThroughput {
    private final FileDisk disk;
    private final ShardLog log;
    private final Thread agent = Thread.currentThread();

    private LogThroughput(Path directory, LogConfig.Sync sync) throws IOException {
        disk = new FileDisk(directory);
        disk.onDue(() -> LockSupport.unpark(agent));
        log = new ShardLog(disk, new SystemClock(), LogConfig.defaults().withSync(sync), 0);
    }

    public static void main(String[] arguments) throws IOException {
        Path directory = Path.of(arguments[0]);
        Files.createDirectories(directory);
        LogConfig.Sync sync = LogConfig.Sync.valueOf(arguments[1].toUpperCase(Locale.ROOT));
        int batches = Integer.parseInt(arguments[3]);
        long entries = (Long.parseLong(arguments[2]) << 20) / (batches * 1024L);
        LogThroughput append = new LogThroughput(directory, sync);
        append.log.open(0);
        append.append(entries, batches, Integer.parseInt(arguments[4]), sync == LogConfig.Sync.ALWAYS);
        append.log.close();
        LogThroughput drain = new LogThroughput(directory, sync);
        long start = System.nanoTime();
        drain.log.open(0);
        System.out.printf("open: %d ms%n", (System.nanoTime() - start) / 1_000_000);
        drain.drain(entries * batches);
        drain.log.close();
    }

    private void append(long entries, int batches, int waitingMax, boolean synced) {
        ByteBuffer batch = LogFixture.batch(1, 0, 1, 1024 - 60);
        long start = System.nanoTime();
        long offset = 0;
        long appended = log.lastIndex();
        long target = appended + entries;
        while (progress(synced) < target) {
            while (appended < target && appended - progress(synced) < waitingMax) {
                EntryBuffer entry = log.newEntry();
                for (int i = 0; i < batches; i++) {
                    entry.addMessages(1, offset++, 1, batch);
                }
                appended = log.append(entry, synced, 1);
            }
            poll();
            log.committed(progress(synced));
        }
        report("append", start, entries * batches, log.lengthBytes());
    }

    private long progress(boolean synced) {
        return synced ? log.durableIndex() : log.writtenIndex();
    }

    private void drain(long messages) {
        long start = System.nanoTime();
        boolean[] ready = {true};
        long bytes = 0;
        for (long offset = 0; offset < messages; ) {
            Optional<PartitionChunk> chunk =
                    ready[0] ? log.read(1, offset, 256 * 1024, () -> ready[0] = true) : Optional.empty();
            if (chunk.isPresent()) {
                offset = chunk.get().nextOffset();
                for (PartitionChunk.StoredBatch stored : chunk.get().batches()) {
                    bytes += stored.batch().remaining();
                }
            } else {
                ready[0] = false;
                while (!ready[0]) {
                    poll();
                }
            }
        }
        report("drain", start, messages, bytes);
    }

    private void poll() {
        if (disk.poll() + log.poll() == 0) {
            LockSupport.parkNanos(this, 1_000_000);
        }
    }

    private static void report(String what, long start, long messages, long bytes) {
        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.printf(
                "%s: %,.0f messages/s, %.0f MB/s in %.2f s%n",
                what, messages / seconds, bytes / seconds / 1e6, seconds);
    }
}
