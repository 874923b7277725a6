package io.duramen.log;

import io.duramen.protocol.SpareBuffers;
import io.duramen.protocol.record.RecordBatch;
import io.duramen.runtime.Clock;
import io.duramen.runtime.disk.Disk;
import io.duramen.runtime.settings.Bytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/** A log on some disk, with batches made for tests; everything appended is committed once written. Not thread-safe. */
final class LogFixture {
    private static final int READ_ATTEMPTS_MAX = 100;
    private static final int SALT = 0x5A17_1E55;

    static final LogConfig SMALL = LogConfig.defaults()
            .withSegmentSize(new Bytes(8 * 1024))
            .withReserve(new Bytes(1024))
            .withCacheSize(new Bytes(64 * 1024))
            .withIndexInterval(new Bytes(512))
            .withScrubInterval(Duration.ZERO);

    final TestClock clock = new TestClock();
    final ShardLog log;
    private final Disk disk;
    private final TreeMap<Integer, Long> nextOffsets = new TreeMap<>();
    private long epoch;

    LogFixture(Disk disk, LogConfig config) {
        this(disk, config, SALT);
    }

    private LogFixture(Disk disk, LogConfig config, int secret) {
        this.disk = disk;
        log = new ShardLog(disk, clock, config, secret);
    }

    static LogFixture open(Disk disk, LogConfig config, long appliedIndex) throws IOException {
        LogFixture fixture = new LogFixture(disk, config);
        fixture.log.open(appliedIndex);
        fixture.epoch = fixture.log.lastEpoch() + 1;
        return fixture;
    }

    /** A process with another secret at hand, for a log that has none. */
    static LogFixture openWithSecret(Disk disk, int secret) throws IOException {
        LogFixture fixture = new LogFixture(disk, SMALL, secret);
        fixture.log.open(0);
        fixture.epoch = fixture.log.lastEpoch() + 1;
        return fixture;
    }

    /** A time that only tests move. */
    static final class TestClock implements Clock {
        long nanos;

        @Override
        public long millis() {
            return nanos / 1_000_000;
        }

        @Override
        public long nanos() {
            return nanos;
        }
    }

    /** What an entry of one batch of one message takes. */
    static int entryLength(int bodyLength) {
        return EntryHeader.LENGTH + LogRecord.HEADER_LENGTH + RecordBatch.HEADER_LENGTH + bodyLength;
    }

    /** A batch whose content follows from its partition and offset. */
    static ByteBuffer batch(int partition, long offset, int count, int bodyLength) {
        ByteBuffer batch = ByteBuffer.allocate(RecordBatch.HEADER_LENGTH + bodyLength);
        for (int i = RecordBatch.HEADER_LENGTH; i < batch.capacity(); i++) {
            batch.put(i, (byte) (partition * 31 + offset * 7 + i));
        }
        RecordBatch.seal(batch, true, partition, 0, offset, count);
        return batch;
    }

    /** Appends an entry of one batch. */
    long append(int partition, int count, int bodyLength, boolean synced) {
        EntryBuffer entry = log.newEntry();
        add(entry, partition, count, bodyLength);
        return log.append(entry, synced, epoch);
    }

    void add(EntryBuffer entry, int partition, int count, int bodyLength) {
        long offset = nextOffsets.getOrDefault(partition, 0L);
        nextOffsets.put(partition, offset + count);
        entry.addMessages(partition, offset, count, batch(partition, offset, count, bodyLength));
    }

    /**
     * Adds a batch of one message, and gives the memory in which it stands.
     *
     * @param room bytes that are free before it
     */
    ByteBuffer addGiven(EntryBuffer entry, int partition, int bodyLength, int room) {
        long offset = nextOffsets.merge(partition, 1L, Long::sum) - 1;
        ByteBuffer batch = batch(partition, offset, 1, bodyLength);
        int length = batch.remaining();
        ByteBuffer memory = SpareBuffers.SHARED.takeDirect(room + length).clear();
        memory.put(room, batch, 0, length).limit(room + length).position(room);
        ByteBuffer inMemory = memory.slice();
        entry.addMessages(partition, offset, 1, inMemory);
        entry.giveMemory(inMemory, memory);
        return memory;
    }

    /** The next message of the partition gets this offset. */
    void goOnAt(int partition, long offset) {
        nextOffsets.put(partition, offset);
    }

    int poll() {
        int done = disk.poll() + log.poll();
        log.committed(log.writtenIndex());
        return done;
    }

    /** Polls until nothing is in flight or has failed. */
    void settle() {
        await(() -> log.isIdle() || log.failure().isPresent());
    }

    void await(BooleanSupplier condition) {
        long giveUp = System.nanoTime() + 20_000_000_000L;
        while (!condition.getAsBoolean()) {
            if (poll() == 0) {
                Thread.onSpinWait();
                if (System.nanoTime() > giveUp) {
                    throw new AssertionError("waited in vain: written " + log.writtenIndex() + " durable "
                            + log.durableIndex() + " of " + log.lastIndex());
                }
            }
        }
    }

    /** Reads from the offset on, waiting where the bytes have to be fetched. */
    PartitionChunk read(int partition, long offset, int maxBytes) {
        for (int attempt = 0; attempt < READ_ATTEMPTS_MAX; attempt++) {
            boolean[] ready = new boolean[1];
            Optional<PartitionChunk> chunk = log.read(partition, offset, maxBytes, () -> ready[0] = true);
            if (chunk.isPresent()) {
                return chunk.get();
            }
            await(() -> ready[0]);
        }
        throw new AssertionError("offset " + offset + " of partition " + partition + " is fetched again and again");
    }

    /** Reads a partition from one offset to another, and checks every byte. */
    void requirePartition(int partition, long from, long to, int maxBytes) {
        for (long offset = from; offset < to; ) {
            PartitionChunk chunk = read(partition, offset, maxBytes);
            for (PartitionChunk.StoredBatch stored : chunk.batches()) {
                ByteBuffer expected = batch(
                        partition,
                        stored.baseOffset(),
                        stored.count(),
                        stored.batch().remaining() - RecordBatch.HEADER_LENGTH);
                if (!stored.batch().equals(expected)) {
                    throw new AssertionError("partition " + partition + " offset " + stored.baseOffset());
                }
            }
            offset = chunk.nextOffset();
        }
    }

    /** Indexes of all entries that the log was opened with, from the first wanted on. */
    List<Long> replay(long from) throws IOException {
        EntryReader reader = log.reader(from);
        List<Long> indexes = new ArrayList<>();
        while (!reader.isDone()) {
            disk.poll();
            reader.poll(entry -> indexes.add(entry.index()));
            if (reader.failure().isPresent()) {
                throw reader.failure().get();
            }
        }
        return indexes;
    }
}
