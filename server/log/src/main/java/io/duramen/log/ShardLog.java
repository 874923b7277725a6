package io.duramen.log;

import io.duramen.runtime.Clock;
import io.duramen.runtime.Invariant;
import io.duramen.runtime.disk.Disk;
import io.duramen.runtime.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import java.util.function.IntToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Entries of one shard in segment files. Confined to the shard's agent; nothing blocks except {@link #open},
 * {@link #truncateSuffix} and {@link #close}. The completions of the disk, which the owner polls before {@link #poll}, move
 * it along.
 *
 * <p>What is appended is written in order. What counts as committed, its owner decides and tells by {@link #committed}.
 */
public final class ShardLog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ShardLog.class);
    private static final int SPARE_BUFFERS_MAX = 4;
    private static final int SPARE_CAPACITY_MAX = 2 << 20;

    private final Disk disk;
    private final Clock clock;
    private final LogConfig config;
    private final SegmentTable segments = new SegmentTable();
    private final TailCache cache;
    private final SegmentLoader loader;
    private final SegmentStock stock;
    private final SegmentRelease release;
    private final PartitionReads reads;
    private final GroupCommit commit;
    private final Damages damages = new Damages(segments);
    private final Scrub scrub;
    private final ArrayDeque<EntryBuffer> spareBuffers = new ArrayDeque<>();
    private int secret;
    private long committedIndex;
    private long lastEpoch;
    private boolean closed;

    /**
     * @param disk of this log alone, but for files of other names; closed with it
     * @param secret random, known to no client; for the checksums of a log that has none yet
     */
    public ShardLog(Disk disk, Clock clock, LogConfig config, int secret) {
        this.secret = secret;
        this.disk = disk;
        this.clock = clock;
        this.config = config;
        cache = new TailCache(config.cacheSize().count());
        loader = new SegmentLoader(disk, config.readCacheSize().count());
        Spares spares = new Spares(config.segmentSize().count(), config.spareSegments());
        stock = new SegmentStock(disk, clock, config.segmentSize().count(), spares);
        release = new SegmentRelease(disk, clock, segments, loader, spares, stock);
        reads = new PartitionReads(segments, loader, cache, config, new PartitionReads.Told(release::left, damages));
        scrub = new Scrub(segments, loader, damages, clock, config.scrubInterval(), release::left);
        commit = new GroupCommit(clock, config, cache, segments, stock, loader);
    }

    /**
     * Opens or recovers it, blocking. Everything found is on disk afterwards.
     *
     * @param appliedIndex entries up to here may be missing
     * @throws DamagedLogException where it is damaged other than at its tail; nothing was changed
     * @throws IOException where it cannot be read, or entries behind {@code appliedIndex} are missing
     */
    public void open(long appliedIndex) throws IOException {
        openUncommitted(appliedIndex);
        committedIndex = commit.lastIndex();
    }

    /**
     * As {@link #open}, but what was found behind {@code appliedIndex} may yet be taken back.
     *
     * @throws DamagedLogException as there
     * @throws IOException as there
     */
    public void openUncommitted(long appliedIndex) throws IOException {
        Recovery.Found found = new Recovery(disk, config, appliedIndex).run();
        segments.replaceAll(found.segments());
        Segment last = segments.last();
        long index = last == null ? 0 : last.lastIndex();
        if (index < appliedIndex) {
            goOnBehind(index, appliedIndex);
        }
        for (Segment segment : found.segments()) {
            if (segment.isSealed() && !segment.isIndexOnDisk()) {
                loader.store(segment);
            }
        }
        lastEpoch = last == null ? 0 : last.lastEpoch();
        secret = last == null ? found.secret().orElse(secret) : SegmentHeader.secretOf(last.salt(), last.number());
        committedIndex = appliedIndex;
        commit.start(Math.max(index, appliedIndex), last == null ? 0 : last.nextOffset(), secret);
        for (DiskFile spare : found.spares()) {
            release.keepSpare(spare);
        }
        for (DiskFile unfilled : found.unfilled()) {
            release.makeSpare(unfilled);
        }
        boolean secretInPlace = found.secret().equals(OptionalInt.of(secret));
        stock.start(found.nextNumber(), found.prepared(), secret, secretInPlace);
        found.leftOver().forEach(release::deleteLeftOver);
    }

    /** The image knows of entries that the log has lost. */
    private void goOnBehind(long index, long appliedIndex) throws IOException {
        if (config.sync() == LogConfig.Sync.ALWAYS) {
            throw new IOException(
                    "The state image is at entry " + appliedIndex + ", but the log ends with entry " + index
                            + ": the last segment files are missing or belong to another image. Put them back, or"
                            + " remove the image to rebuild it from the log as far as that goes");
        }
        LOG.warn(
                "Entries {} to {} were lost with the machine's last crash (log.sync = interval); going on behind them",
                index + 1,
                appliedIndex);
        Segment last = segments.last();
        if (last != null && !last.isSealed()) {
            last.seal();
            segments.sealed(last);
        }
    }

    /** An empty entry to fill. */
    public EntryBuffer newEntry() {
        EntryBuffer spare = spareBuffers.poll();
        return spare == null ? new EntryBuffer(EntryBuffer.INITIAL_CAPACITY) : spare;
    }

    /**
     * Appends an entry, which belongs to the log from here on.
     *
     * @param synced whether it is to be synced as soon as possible, rather than lazily
     * @param epoch not less than that of the entry before
     * @return its index
     * @throws IllegalStateException where the log has stopped
     */
    public long append(EntryBuffer entry, boolean synced, long epoch) {
        long index = nextIndex(epoch);
        ByteBuffer head = entry.head();
        int length = entry.length();
        int count = entry.count();
        EntryHeader.write(head, length, index, epoch, commit.nextOffset(), clock.millis());
        EntryHeader.putCount(head, count);
        lastEpoch = epoch;
        int checkedBatch = entry.checkedBatchLength();
        ByteBuffer cached = cache.append(head, entry.tail(), entry.takeTailMemory());
        EntryHeader.seal(cached, synced, index - commit.durableIndex(), checkedBatch);
        commit.appended(index, length, count);
        recycle(entry);
        return index;
    }

    private long nextIndex(long epoch) {
        if (commit.failure().isPresent()) {
            throw new IllegalStateException(
                    "the log has stopped", commit.failure().get());
        }
        Invariant.hold(epoch >= lastEpoch, "epoch %d behind %d", epoch, lastEpoch);
        return commit.lastIndex() + 1;
    }

    private void recycle(EntryBuffer entry) {
        entry.clear();
        if (spareBuffers.size() < SPARE_BUFFERS_MAX && entry.capacity() <= SPARE_CAPACITY_MAX) {
            spareBuffers.push(entry);
        }
    }

    /**
     * Makes of an entry what every replica appends; the entry belongs to the log from here on.
     *
     * @param synced whether it must be on disk before it counts
     */
    public ByteBuffer detach(EntryBuffer entry, boolean synced) {
        ByteBuffer payload = EntryPayload.of(entry, synced, clock.millis());
        recycle(entry);
        return payload;
    }

    /**
     * Appends what a leader decided on, maybe on another node.
     *
     * @param payload position and limit enclose it; copied
     * @param epoch not less than that of the entry before
     * @return its index
     * @throws DamagedLogException where it is not the payload of an entry; nothing was appended
     * @throws IllegalStateException where the log has stopped
     */
    public long append(ByteBuffer payload, long epoch) {
        EntryPayload.requireSound(payload);
        long index = nextIndex(epoch);
        ByteBuffer body = EntryPayload.body(payload);
        int count = EntryPayload.count(payload);
        int length = EntryHeader.LENGTH + body.remaining();
        ByteBuffer head = ByteBuffer.allocate(EntryHeader.LENGTH);
        EntryHeader.write(head, length, index, epoch, commit.nextOffset(), EntryPayload.timestampMillis(payload));
        EntryHeader.putCount(head, count);
        if (EntryPayload.isConfiguration(payload)) {
            EntryHeader.putType(head, EntryHeader.TYPE_CONFIGURATION);
        }
        lastEpoch = epoch;
        ByteBuffer cached = cache.append(head, body, null);
        EntryHeader.seal(cached, EntryPayload.isSynced(payload), index - commit.durableIndex(), 0);
        commit.appended(index, length, count);
        return index;
    }

    /** Moves the log's own work along; returns how many things were done. */
    public int poll() {
        cache.evict(Math.min(committedIndex, commit.writtenIndex()));
        return stock.poll() + commit.poll() + reads.poll() + scrub.poll() + release.poll();
    }

    /** When time alone makes work for {@link #poll}; {@link Long#MAX_VALUE} for never. */
    public long deadlineNanos() {
        return Math.min(
                Math.min(commit.deadlineNanos(), stock.deadlineNanos()),
                Math.min(release.deadlineNanos(), scrub.deadlineNanos()));
    }

    /** Index of the last entry appended. */
    public long lastIndex() {
        return commit.lastIndex();
    }

    /** Entries up to here are written: they survive the process. */
    public long writtenIndex() {
        return commit.writtenIndex();
    }

    /** Entries up to here are synced: they survive the machine. */
    public long durableIndex() {
        return commit.durableIndex();
    }

    /** Epoch of the last entry; 0 where there is none. */
    public long lastEpoch() {
        return lastEpoch;
    }

    /** Why the log takes no more entries. */
    public Optional<IOException> failure() {
        return commit.failure();
    }

    /** Entries up to here can be read, and are never taken back. Ascends. */
    public void committed(long index) {
        committedIndex = Math.max(committedIndex, index);
    }

    /** Whether the entry is in memory: since it was appended, at least until it is {@link #committed} and written. */
    public boolean isCached(long index) {
        return cache.holds(index);
    }

    /**
     * Epoch of an entry, of the one before the first, or of none (0); blocking where it is not {@link #isCached}.
     *
     * @throws IOException where it cannot be read
     */
    public long epochOf(long index) throws IOException {
        return cache.holds(index) ? uncommitted(index).epoch() : new EpochLookup(segments, loader).epochOf(index);
    }

    /** An entry that {@link #isCached}; valid during the call. */
    public LogEntry uncommitted(long index) {
        TailRegion region = cache.region(index);
        int at = region.startOf(index);
        return LogEntry.at(region.memory(), at, region.endOf(index) - at);
    }

    /**
     * Reads the entries of which the log was opened with.
     *
     * @param from index of the first
     */
    public EntryReader reader(long from) throws IOException {
        Segment last = segments.last();
        return reader(from, last == null ? 0 : last.lastIndex());
    }

    /**
     * Reads entries from the disk.
     *
     * @param from index of the first
     * @param to index of the last, which is written
     */
    public EntryReader reader(long from, long to) throws IOException {
        return new EntryReader(
                new EntryReader.Place(segments, loader, damages),
                config.readChunk().toIntExact(),
                from,
                to);
    }

    /**
     * Whether there is room for an entry of messages of that many bytes. While the disk is full, the reserve is kept for
     * entries that need not ask.
     */
    public boolean hasRoomFor(int entryBytes) {
        return commit.hasRoomFor(entryBytes);
    }

    /** Whether no further segment could be prepared. */
    public boolean isFull() {
        return stock.isRefused();
    }

    /** Whether entries wait for a segment that could not be prepared, and nothing else is under way. */
    public boolean lacksRoom() {
        return stock.isRefused() && commit.awaitsSegment();
    }

    /**
     * Reads committed batches of a partition.
     *
     * @param offset of the first message wanted; it is in the first batch of the chunk
     * @param maxBytes soft limit on what the chunk holds; at least one batch is returned
     * @param ready called once inside {@link #poll} when a read that returned empty can be answered
     * @return empty where the bytes have to be fetched first
     * @throws DamagedLogException where what stands there does not match its checksum or is not there
     */
    public Optional<PartitionChunk> read(int partition, long offset, int maxBytes, Runnable ready) {
        Optional<PartitionChunk> cached = cache.read(partition, offset, maxBytes, committedIndex);
        return cached.isPresent() ? cached : reads.read(partition, offset, maxBytes, ready);
    }

    /** Bytes that reads have asked of the disk so far. */
    public long bytesRead() {
        return reads.bytesRead();
    }

    /**
     * Deletes, in the background, sealed segments all of whose entries are at or below {@code imageIndex} and all of whose
     * messages lie below their partition's needed offset.
     */
    public void release(long imageIndex, IntToLongFunction neededFrom) {
        release.release(imageIndex, commit.durableIndex(), neededFrom);
    }

    /**
     * Takes back the entries behind the index, blocking; for a follower whose leader has others.
     *
     * @throws IllegalStateException where something is in flight (see {@link #isIdle}), or would be taken back that is
     *     committed
     * @throws IOException where the disk fails; the log must then be opened anew
     */
    public void truncateSuffix(long index) throws IOException {
        if (!isIdle() || index < committedIndex) {
            throw new IllegalStateException("cut behind " + index + " with entries up to " + committedIndex
                    + " committed and " + (isIdle() ? "nothing" : "writes") + " in flight");
        }
        if (index >= lastIndex()) {
            return;
        }
        scrub.abandon();
        new SuffixCut(disk, config, segments, loader, release).run(index);
        cache.clear();
        Segment last = segments.last();
        lastEpoch = last == null ? 0 : last.lastEpoch();
        commit.start(index, last == null ? 0 : last.nextOffset(), secret);
    }

    /** Bytes of the entries behind this index, about. */
    public long bytesSince(long index) {
        return segments.bytesBehind(index) + commit.pendingBytes();
    }

    /** Index of the oldest entry kept; one more than the last where none is. */
    public long firstIndex() {
        return segments.firstIndex(commit.lastIndex() + 1);
    }

    /** Index of the oldest entry behind which none is missing; one more than the last where none is kept. */
    public long firstWholeIndex() {
        return segments.firstWholeIndex(commit.lastIndex() + 1);
    }

    /**
     * The files of this moment that make up a log of all that is written, oldest first. What of them is listed stays as it is, until
     * segments are released or entries are taken back.
     *
     * @return empty while a write is under way
     */
    public Optional<List<LogFile>> files() {
        if (commit.isWriting()) {
            return Optional.empty();
        }
        List<LogFile> files = new ArrayList<>();
        files.add(new LogFile(SegmentName.SECRET, LogFile.WHOLE));
        for (Segment segment : segments.all()) {
            if (!segment.isEmpty()) {
                files.add(new LogFile(segment.name(), segment.end()));
            }
            if (segment.isIndexOnDisk()) {
                files.add(new LogFile(SegmentName.index(segment.number()), LogFile.WHOLE));
            }
        }
        return Optional.of(files);
    }

    /** The first damage found of what the log still has; the rest of it is served and goes on. */
    public Optional<Damage> damage() {
        return damages.first();
    }

    /** Has full segments be read through from now on, at the usual pace, though that is not due yet. */
    public void scrub() {
        scrub.hurry(Scrub.BYTES_PER_SECOND);
    }

    /**
     * Reads full segments through without a pause, blocking, where nothing else is to be done with the log.
     *
     * @param unwanted whether it is to end before
     * @return the first damage found
     */
    public Optional<Damage> scrubAtOnce(BooleanSupplier unwanted) {
        scrub.hurry(Long.MAX_VALUE);
        while (scrub.isHurried() && !unwanted.getAsBoolean()) {
            if (scrub.poll() == 0) {
                disk.awaitDue();
                disk.poll();
            }
        }
        return damages.first();
    }

    /** Segment files that hold entries. */
    public int segmentCount() {
        return segments.size();
    }

    /** Bytes of all entries kept. */
    public long lengthBytes() {
        return segments.lengthBytes() + commit.pendingBytes();
    }

    /** Whether everything appended is written, and nothing is in flight. */
    public boolean isIdle() {
        return commit.isIdle() && !loader.isStoring();
    }

    /** Submits and syncs what was appended, waits for it, and closes the disk; blocking. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        scrub.end();
        release.hurry();
        do {
            disk.awaitDue();
            disk.poll();
        } while (poll() > 0);
        commit.submitRest();
        disk.close();
        cache.clear();
    }
}
