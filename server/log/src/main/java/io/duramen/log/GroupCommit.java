package io.duramen.log;

import io.duramen.runtime.Clock;
import io.duramen.runtime.disk.IoCompletion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Brings appended entries to the disk: while one batch is written and synced, the next gathers. Confined to the agent.
 * Where the sync takes long, what gathers is written meanwhile, so that nothing is in memory alone for longer than
 * {@link #GATHERED_NANOS_MAX} and a write, but at the end of a segment: the death of the process, which spares what is
 * written, takes no more than that.
 *
 * <p>A segment gets content only after the one before has been synced whole; so only the last one can have a torn tail.
 * After a failed write or sync nothing is submitted any more: what reached the disk is unknown.
 */
final class GroupCommit {
    private static final int BATCH_BYTES_MAX = 8 << 20;

    /** How long entries gather while a batch is synced; a fast disk is done before. */
    private static final long GATHERED_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(2);

    private final Clock clock;
    private final LogConfig config;
    private final TailCache cache;
    private final SegmentTable segments;
    private final SegmentStock stock;
    private final SegmentLoader loader;

    private int secret;
    private long lastIndex;
    private long submittedIndex;
    private long writtenIndex;
    private long durableIndex;
    private long pendingBytes;
    private long nextOffset;
    private long previousNumber;
    private boolean headerDue;
    private boolean writeInFlight;

    /** Whether a batch is being synced, and the next gathers. */
    private boolean gathering;

    /** Since when, while a batch is synced; or when what had gathered was last submitted meanwhile. */
    private long gatheringSinceNanos;

    /** Whether something was written, while a batch was synced, that needs a sync, too. */
    private boolean syncDue;

    private int syncsInFlight;
    private long lazySyncNanos = Long.MAX_VALUE;
    private IOException failure;

    GroupCommit(
            Clock clock,
            LogConfig config,
            TailCache cache,
            SegmentTable segments,
            SegmentStock stock,
            SegmentLoader loader) {
        this.clock = clock;
        this.config = config;
        this.cache = cache;
        this.segments = segments;
        this.stock = stock;
        this.loader = loader;
    }

    /** Everything up to the index is there and on disk; segments get salts by this secret from here on. */
    void start(long index, long offset, int saltSecret) {
        secret = saltSecret;
        lastIndex = index;
        submittedIndex = index;
        writtenIndex = index;
        durableIndex = index;
        nextOffset = offset;
        previousNumber = segments.last() == null ? 0 : segments.last().number();
        headerDue = false;
    }

    long lastIndex() {
        return lastIndex;
    }

    long writtenIndex() {
        return writtenIndex;
    }

    long durableIndex() {
        return durableIndex;
    }

    /** Bytes appended and not yet submitted. */
    long pendingBytes() {
        return pendingBytes;
    }

    long nextOffset() {
        return nextOffset;
    }

    Optional<IOException> failure() {
        return Optional.ofNullable(failure);
    }

    boolean isIdle() {
        return lastIndex == writtenIndex && !writeInFlight && syncsInFlight == 0 && !syncDue;
    }

    /** Whether something submitted may not stand in its file yet. */
    boolean isWriting() {
        return writeInFlight;
    }

    /** An entry stands in the cache. */
    void appended(long index, int length, int count) {
        lastIndex = index;
        nextOffset += count;
        pendingBytes += length;
    }

    int poll() {
        if (failure != null) {
            return 0;
        }
        int done = 0;
        if (submittedIndex < lastIndex && mayWrite()) {
            gatheringSinceNanos = gathering ? clock.nanos() : gatheringSinceNanos;
            done += submitOrRoll();
        }
        if (syncDue && syncsInFlight == 0) {
            gather();
            done++;
        }
        if (syncsInFlight == 0 && lazySyncNanos != Long.MAX_VALUE && clock.nanos() - lazySyncNanos >= 0) {
            lazySyncNanos = Long.MAX_VALUE;
            if (durableIndex < submittedIndex) {
                submitSync();
            }
            done++;
        }
        return done;
    }

    private boolean mayWrite() {
        return !writeInFlight && (!gathering || clock.nanos() - gatheringSinceNanos >= GATHERED_NANOS_MAX);
    }

    long deadlineNanos() {
        if (failure != null) {
            return Long.MAX_VALUE;
        }
        if (gathering && !writeInFlight && submittedIndex < lastIndex) {
            return gatheringSinceNanos + GATHERED_NANOS_MAX;
        }
        return syncsInFlight == 0 ? lazySyncNanos : Long.MAX_VALUE;
    }

    private int submitOrRoll() {
        Segment active = active();
        if (active != null && length(submittedIndex + 1) <= active.free()) {
            submitBatch(active);
            return 1;
        }
        return roll() ? 1 : 0;
    }

    /** Whether what was appended goes on once there is a further segment, and not before. */
    boolean awaitsSegment() {
        if (failure != null || submittedIndex == lastIndex || writeInFlight || syncsInFlight > 0) {
            return false;
        }
        Segment active = active();
        return active == null || length(submittedIndex + 1) > active.free();
    }

    private Segment active() {
        Segment last = segments.last();
        return last == null || last.isSealed() ? null : last;
    }

    private int length(long index) {
        TailRegion region = cache.region(index);
        return region.endOf(index) - region.startOf(index);
    }

    private void submitBatch(Segment active) {
        long position = active.end();
        List<ByteBuffer> buffers = new ArrayList<>();
        if (headerDue) {
            buffers.add(header(active).toBytes());
            position = 0;
            headerDue = false;
        }
        boolean synced = false;
        long bytes = 0;
        long index = submittedIndex + 1;
        while (index <= lastIndex && bytes < BATCH_BYTES_MAX) {
            TailRegion region = cache.region(index);
            int from = region.startOf(index);
            int to = from;
            while (index <= region.lastIndex()
                    && region.endOf(index) - to <= active.free()
                    && bytes + to - from < BATCH_BYTES_MAX) {
                int start = region.startOf(index);
                synced |= EntryHeader.isSynced(region.memory(), start);
                to = region.endOf(index);
                EntryHeader.salt(region.memory(), start, active.salt());
                active.add(region.memory(), start, to - start);
                index++;
            }
            if (to == from) {
                break;
            }
            buffers.add(region.memory().slice(from, to - from));
            bytes += to - from;
            if (index <= region.lastIndex()) {
                break;
            }
        }
        pendingBytes -= bytes;
        submittedIndex = index - 1;
        submit(active, position, buffers, synced && config.sync() == LogConfig.Sync.ALWAYS);
    }

    private void submit(Segment active, long position, List<ByteBuffer> buffers, boolean synced) {
        long upTo = submittedIndex;
        writeInFlight = true;
        active.file().write(position, buffers.toArray(new ByteBuffer[0]), new IoCompletion<>() {
            @Override
            public void succeeded(Void result) {
                writeInFlight = false;
                if (failure == null) {
                    writtenIndex = upTo;
                    scheduleLazySync();
                }
            }

            @Override
            public void failed(IOException cause) {
                fail("writing to " + active.name() + " at position " + position, cause);
            }
        });
        syncDue |= synced;
        if (syncDue && !gathering) {
            gather();
        }
    }

    /** Syncs what was submitted; the next batch gathers meanwhile. */
    private void gather() {
        gathering = true;
        gatheringSinceNanos = clock.nanos();
        submitSync();
    }

    private void scheduleLazySync() {
        if (lazySyncNanos == Long.MAX_VALUE && syncsInFlight == 0 && durableIndex < writtenIndex) {
            lazySyncNanos = clock.nanos()
                    + (config.sync() == LogConfig.Sync.ALWAYS ? config.lazySyncInterval() : config.syncInterval())
                            .toNanos();
        }
    }

    /** Covers all that was submitted before. */
    private void submitSync() {
        Segment active = active();
        long upTo = submittedIndex;
        syncsInFlight++;
        syncDue = false;
        lazySyncNanos = Long.MAX_VALUE;
        active.file().sync(new IoCompletion<>() {
            @Override
            public void succeeded(Void result) {
                syncsInFlight--;
                gathering &= syncsInFlight > 0;
                if (failure == null) {
                    durableIndex = upTo;
                    scheduleLazySync();
                }
            }

            @Override
            public void failed(IOException cause) {
                fail("syncing " + active.name(), cause);
            }
        });
    }

    private void fail(String what, IOException cause) {
        if (failure == null) {
            failure =
                    new IOException("The log takes no more records: " + what + " failed: " + cause.getMessage(), cause);
        }
    }

    /** Goes on to the next segment, once the present one is on disk and the next is there. */
    private boolean roll() {
        Segment active = active();
        if (active != null && durableIndex < submittedIndex) {
            if (syncsInFlight > 0) {
                return false;
            }
            submitSync();
            return true;
        }
        SegmentStock.Prepared next = stock.takeFor((long) SegmentHeader.LENGTH + length(submittedIndex + 1));
        if (next == null) {
            return false;
        }
        if (active != null) {
            seal(active);
        }
        activate(next);
        return true;
    }

    private void seal(Segment active) {
        active.seal();
        segments.sealed(active);
        loader.store(active);
        loader.storeAgain();
        previousNumber = active.number();
    }

    private void activate(SegmentStock.Prepared next) {
        long index = submittedIndex + 1;
        TailRegion region = cache.region(index);
        long baseOffset = EntryHeader.baseOffset(region.memory(), region.startOf(index));
        Segment before = segments.last();
        long epoch = before == null ? 0 : before.lastEpoch();
        SegmentHeader header = new SegmentHeader(
                next.number(),
                previousNumber,
                index,
                baseOffset,
                epoch,
                next.capacity(),
                SegmentHeader.saltOf(secret, next.number()));
        segments.add(new Segment(
                header, next.file(), new ActiveIndex(config.indexInterval().toIntExact())));
        headerDue = true;
    }

    private SegmentHeader header(Segment active) {
        return new SegmentHeader(
                active.number(),
                previousNumber,
                active.baseIndex(),
                active.baseOffset(),
                active.lastEpoch(),
                active.capacity(),
                active.salt());
    }

    /** See {@link ShardLog#hasRoomFor}. */
    boolean hasRoomFor(int bytes) {
        if (bytes + (long) SegmentHeader.LENGTH > config.segmentSize().count()) {
            return stock.hasRoomBeyondSegment(bytes);
        }
        if (stock.hasNext()) {
            return true;
        }
        Segment active = active();
        long free = active == null ? 0 : active.free();
        return free - pendingBytes - config.reserve().count() >= bytes;
    }

    /** Submits what can be submitted, whatever is in flight; for closing. */
    void submitRest() {
        while (failure == null && submittedIndex < lastIndex) {
            Segment active = active();
            if (active != null && length(submittedIndex + 1) <= active.free()) {
                submitBatch(active);
                continue;
            }
            SegmentStock.Prepared next = stock.takeFor((long) SegmentHeader.LENGTH + length(submittedIndex + 1));
            if (next == null) {
                break;
            }
            if (active != null) {
                submitSync();
                seal(active);
            }
            activate(next);
        }
        if (failure == null && durableIndex < submittedIndex) {
            submitSync();
        }
    }
}
