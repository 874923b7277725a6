package io.duramen.log;

import io.duramen.protocol.SpareBuffers;
import io.duramen.runtime.Invariant;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The newest entries, in regions of memory outside the heap that are used over and over: from here they are written,
 * handed over and read. Confined to the agent. What is read is copied, so that no region is ever referenced
 * from outside; only a write in flight does, and what is not written cannot be evicted.
 *
 * <p>A long batch that was received into memory outside the heap is not copied: its memory is adopted, as a region of its own.
 *
 * <p>A place is the number of a region, then a position in it; places ascend with the log.
 */
final class TailCache {
    private static final int REGION_LENGTH_MIN = 16 * 1024;
    /** Some entries of 1 MiB, a size of bodies that people like, fit into one: a longer entry has a region made for it. */
    private static final int REGION_LENGTH_MAX = 4 << 20;

    private static final int REGIONS = 8;

    /** Of a region that begins behind an adopted one: the next adopted one may end it soon. */
    private static final int BETWEEN_ADOPTED_LENGTH = 64 * 1024;

    private final long capacity;
    private final int regionLength;
    private final List<TailRegion> regions = new ArrayList<>();
    private final List<ByteBuffer> spare = new ArrayList<>();
    private final List<ByteBuffer> spareBetween = new ArrayList<>();
    private final Map<Integer, TailRecords> byPartition = new HashMap<>();
    private TailRecords recent;
    private int recentPartition;
    private long heldBytes;
    private long nextRegion;

    TailCache(long capacity) {
        this.capacity = capacity;
        this.regionLength = (int) Math.max(REGION_LENGTH_MIN, Math.min(REGION_LENGTH_MAX, capacity / REGIONS));
    }

    /**
     * Puts an entry behind the last one.
     *
     * @param tail follows the head; may be empty
     * @param memory in which the tail stands, for good, as {@link EntryBuffer#takeTailMemory} tells; or null
     * @return the entry in the cache, yet to be sealed
     */
    ByteBuffer append(ByteBuffer head, ByteBuffer tail, ByteBuffer memory) {
        if (memory != null && memory.isDirect() && isWorthKeeping(head, memory)) {
            return adopt(head, memory);
        }
        int length = head.limit() + tail.remaining();
        TailRegion region = regions.isEmpty() ? null : regions.get(regions.size() - 1);
        if (region == null || region.free() < length) {
            region = addRegion(EntryHeader.index(head, 0), length);
        }
        int at = region.add(head, tail);
        addRecords(region, at, length);
        if (memory != null) {
            SpareBuffers.SHARED.give(memory);
        }
        return region.memory().slice(at, length);
    }

    /** Whether there is room for the head before what stands there, and half of it is used at least. */
    private static boolean isWorthKeeping(ByteBuffer head, ByteBuffer memory) {
        return memory.position() >= head.limit() && memory.remaining() >= memory.capacity() / 2;
    }

    /** Makes memory that ends with the tail a region, without copying that. */
    private ByteBuffer adopt(ByteBuffer head, ByteBuffer memory) {
        int from = memory.position() - head.limit();
        ByteBuffer entry = memory.slice(from, memory.limit() - from);
        entry.put(0, head, 0, head.limit());
        TailRegion region = new TailRegion(nextRegion++, EntryHeader.index(head, 0), entry, memory);
        region.addWhole();
        SpareBuffers.SHARED.hold(memory);
        regions.add(region);
        heldBytes += region.heldBytes();
        addRecords(region, 0, entry.capacity());
        return entry.duplicate();
    }

    private TailRegion addRegion(long firstIndex, int length) {
        boolean isShort = length <= BETWEEN_ADOPTED_LENGTH && BETWEEN_ADOPTED_LENGTH < regionLength;
        boolean between =
                isShort && !regions.isEmpty() && regions.get(regions.size() - 1).isAdopted();
        int usual = between ? BETWEEN_ADOPTED_LENGTH : regionLength;
        List<ByteBuffer> spares = between ? spareBetween : spare;
        ByteBuffer memory = length <= usual && !spares.isEmpty()
                ? spares.remove(spares.size() - 1)
                : ByteBuffer.allocateDirect(Math.max(usual, length));
        TailRegion region = new TailRegion(nextRegion++, firstIndex, memory, null);
        regions.add(region);
        heldBytes += region.heldBytes();
        return region;
    }

    private void addRecords(TailRegion region, int at, int length) {
        ByteBuffer memory = region.memory();
        int from = at + EntryHeader.LENGTH;
        for (int i = EntryHeader.count(memory, at); i > 0; i--) {
            int recordLength = LogRecord.totalLength(memory, from, at + length);
            if (LogRecord.holdsMessages(memory, from)) {
                int partition = LogRecord.partition(memory, from);
                region.note(partition);
                of(partition)
                        .add(
                                LogRecord.offset(memory, from),
                                region.place(from + LogRecord.HEADER_LENGTH),
                                LogRecord.count(memory, from),
                                recordLength - LogRecord.HEADER_LENGTH);
            }
            from += recordLength;
        }
    }

    private TailRecords of(int partition) {
        if (recent == null || recentPartition != partition) {
            recent = byPartition.computeIfAbsent(partition, p -> new TailRecords());
            recentPartition = partition;
        }
        return recent;
    }

    /** Lets go of the oldest entries up to this index as far as the cache is too large. */
    void evict(long index) {
        while (heldBytes > capacity && regions.size() > 1 && regions.get(0).lastIndex() <= index) {
            drop(regions.remove(0), regions.get(0).place(0));
        }
    }

    private void drop(TailRegion region, long nextPlace) {
        ByteBuffer memory = region.memory();
        heldBytes -= region.heldBytes();
        for (int i = 0; i < region.partitionCount(); i++) {
            int partition = region.partition(i);
            TailRecords records = byPartition.get(partition);
            if (records != null) {
                records.removeBefore(nextPlace);
                if (records.isEmpty()) {
                    byPartition.remove(partition);
                    recent = null;
                }
            }
        }
        if (region.isAdopted()) {
            region.giveBack();
        } else if (memory.capacity() == regionLength && heldBytes <= capacity) {
            spare.add(memory.clear());
        } else if (memory.capacity() == BETWEEN_ADOPTED_LENGTH && spareBetween.size() < REGIONS) {
            spareBetween.add(memory.clear());
        }
    }

    /** Forgets everything; nothing of it is being written. */
    void clear() {
        for (TailRegion region : regions) {
            if (region.isAdopted()) {
                region.giveBack();
            }
        }
        regions.clear();
        byPartition.clear();
        recent = null;
        heldBytes = 0;
    }

    boolean isEmpty() {
        return regions.isEmpty();
    }

    /** Index of the oldest entry held; the cache must not be empty. */
    long firstIndex() {
        return regions.get(0).firstIndex();
    }

    boolean holds(long index) {
        return !regions.isEmpty()
                && firstIndex() <= index
                && index <= regions.get(regions.size() - 1).lastIndex();
    }

    /** The region that holds the entry. */
    TailRegion region(long index) {
        int low = 0;
        int high = regions.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (regions.get(middle).firstIndex() <= index) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        TailRegion region = regions.get(low);
        Invariant.hold(region.firstIndex() <= index && index <= region.lastIndex(), "entry %d is not cached", index, 0);
        return region;
    }

    /** Offset of the oldest message held of a partition; {@link Long#MAX_VALUE} for none. */
    long firstOffset(int partition) {
        TailRecords records = byPartition.get(partition);
        return records == null ? Long.MAX_VALUE : records.offset(0);
    }

    /**
     * Copies batches out.
     *
     * @param committed nothing behind this index is given
     * @return empty where the offset is not held
     */
    Optional<PartitionChunk> read(int partition, long offset, int maxBytes, long committed) {
        TailRecords records = byPartition.get(partition);
        int first = records == null ? -1 : records.find(offset);
        long placeLimit = first < 0 ? 0 : placeBehind(committed);
        if (first < 0 || records.place(first) >= placeLimit) {
            return Optional.empty();
        }
        int bytes = records.length(first);
        int to = first + 1;
        while (to < records.size()
                && records.place(to) < placeLimit
                && records.offset(to) == records.offset(to - 1) + records.count(to - 1)
                && bytes + (long) records.length(to) <= maxBytes) {
            bytes += records.length(to);
            to++;
        }
        return Optional.of(copy(records, first, to, bytes));
    }

    private PartitionChunk copy(TailRecords records, int from, int to, int bytes) {
        // One message goes to a consumer as it is, most likely, and several are put together first.
        boolean alone = to == from + 1 && records.count(from) == 1;
        ByteBuffer copy = alone ? SpareBuffers.SHARED.takeDirect(bytes) : SpareBuffers.SHARED.take(bytes);
        List<PartitionChunk.StoredBatch> batches = new ArrayList<>(to - from);
        int at = 0;
        for (int i = from; i < to; i++) {
            long place = records.place(i);
            int length = records.length(i);
            copy.put(
                    at,
                    regions.get((int) (TailRegion.number(place) - regions.get(0).number()))
                            .memory(),
                    TailRegion.position(place),
                    length);
            ByteBuffer batch = alone ? copy : copy.slice(at, length);
            batches.add(new PartitionChunk.StoredBatch(records.offset(i), records.count(i), batch));
            at += length;
        }
        return new PartitionChunk(batches, true);
    }

    private long placeBehind(long index) {
        TailRegion last = regions.get(regions.size() - 1);
        if (index >= last.lastIndex()) {
            return Long.MAX_VALUE;
        }
        if (index < firstIndex()) {
            return Long.MIN_VALUE;
        }
        TailRegion region = region(index + 1);
        return region.place(region.startOf(index + 1));
    }
}
