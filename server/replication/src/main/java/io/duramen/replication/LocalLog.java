package io.duramen.replication;

import io.duramen.log.Damage;
import io.duramen.log.DamagedLogException;
import io.duramen.log.EntryBuffer;
import io.duramen.log.EntryReader;
import io.duramen.log.LogConfig;
import io.duramen.log.LogEntry;
import io.duramen.log.PartitionChunk;
import io.duramen.log.ShardLog;
import io.duramen.runtime.Clock;
import io.duramen.runtime.disk.Disk;
import java.io.IOException;
import java.util.Optional;
import java.util.function.IntToLongFunction;

/**
 * The log of a shard that only this node has. Confined to the shard's agent. It leads from the moment on at which
 * everything it found has been handed over; its epoch is one more than that of the last entry.
 *
 * <p>With {@code log.sync = interval} what is written counts as being on disk, here and in {@link Listener#onDurable}.
 */
public final class LocalLog implements ReplicatedLog {
    private final Disk disk;
    private final LogConfig config;
    private final ShardLog log;
    private Listener listener;
    private EntryReader replay;
    private long committedIndex;
    private long durableIndex;
    private long epoch;
    private boolean leading;
    private boolean stopped;

    /**
     * @param disk of this log alone, but for files of other names; polled by this log, and closed with it
     * @param salt random, known to no client; for the checksums of a log that is begun
     */
    public LocalLog(Disk disk, Clock clock, LogConfig config, int salt) {
        this.disk = disk;
        this.config = config;
        this.log = new ShardLog(disk, clock, config, salt);
    }

    @Override
    public void start(long appliedIndex, Listener toTell) throws IOException {
        listener = toTell;
        try {
            log.open(appliedIndex);
        } catch (DamagedLogException e) {
            throw new IOException(e.getMessage(), e);
        }
        committedIndex = appliedIndex;
        replay = log.reader(appliedIndex + 1);
    }

    @Override
    public EntryBuffer newEntry() {
        return log.newEntry();
    }

    @Override
    public long append(EntryBuffer entry, Durability durability) {
        if (!isWritable()) {
            throw new IllegalStateException(stopped ? "the log has stopped" : "this node does not lead yet");
        }
        return log.append(entry, durability == Durability.SYNCED, epoch);
    }

    @Override
    public boolean isWritable() {
        return leading && log.failure().isEmpty();
    }

    @Override
    public long writtenIndex() {
        return leading ? log.writtenIndex() : 0;
    }

    @Override
    public boolean hasRoomFor(int entryBytes) {
        return log.hasRoomFor(entryBytes);
    }

    @Override
    public int poll() {
        int done = disk.poll() + log.poll();
        done += leading ? commit() : replay();
        if (done > 0 && leading) {
            done += log.poll();
        }
        return done + tellStopped();
    }

    private int replay() {
        if (stopped) {
            return 0;
        }
        int done = replay.poll(this::handOver);
        if (replay.isDone()) {
            epoch = log.lastEpoch() + 1;
            leading = true;
            committedIndex = log.lastIndex();
            tellDurable(log.durableIndex());
            listener.onLeading(epoch);
            done++;
        }
        return done;
    }

    private int commit() {
        int done = 0;
        while (committedIndex < log.writtenIndex()) {
            LogEntry entry = log.uncommitted(committedIndex + 1);
            if (entry.synced() && !isDurable(entry.index())) {
                break;
            }
            log.committed(entry.index());
            handOver(entry);
            done++;
        }
        return done + tellDurable(isInterval() ? committedIndex : log.durableIndex());
    }

    private void handOver(LogEntry entry) {
        committedIndex = entry.index();
        listener.onCommitted(CommittedEntry.of(entry));
    }

    private boolean isDurable(long index) {
        return isInterval() || index <= log.durableIndex();
    }

    private boolean isInterval() {
        return config.sync() == LogConfig.Sync.INTERVAL;
    }

    private int tellDurable(long index) {
        if (index <= durableIndex) {
            return 0;
        }
        durableIndex = index;
        listener.onDurable(index);
        return 1;
    }

    private int tellStopped() {
        Optional<IOException> failure = log.failure().or(replay::failure);
        if (stopped || failure.isEmpty()) {
            return 0;
        }
        stopped = true;
        listener.onStopped(failure.get());
        return 1;
    }

    @Override
    public long deadlineNanos() {
        return log.deadlineNanos();
    }

    @Override
    public Optional<PartitionChunk> read(int partition, long offset, int maxBytes, Runnable ready) {
        return log.read(partition, offset, maxBytes, ready);
    }

    @Override
    public void release(long imageIndex, IntToLongFunction neededFrom) {
        log.release(imageIndex, neededFrom);
    }

    @Override
    public long bytesSince(long index) {
        return log.bytesSince(index);
    }

    @Override
    public LogStatus status() {
        return new LogStatus(
                log.firstIndex(),
                log.lastIndex(),
                committedIndex,
                log.durableIndex(),
                epoch,
                log.segmentCount(),
                log.lengthBytes(),
                log.isFull(),
                log.damage().map(Damage::toString).orElse(""),
                stopped);
    }

    @Override
    public void close() {
        log.close();
    }
}
