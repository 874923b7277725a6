package io.duramen.broker.kit;

import io.duramen.log.DamagedLogException;
import io.duramen.log.LogRecord;
import io.duramen.log.PartitionChunk;
import io.duramen.log.PartitionChunk.StoredBatch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What outlives a {@link ManualLog}: its entries, and how far they are written and synced. Not thread-safe. */
public final class LogMedium {
    /** @param synced whether it must be on disk before it is committed */
    record Entry(
            long index,
            long epoch,
            long timestampMillis,
            long baseOffset,
            int count,
            byte[] records,
            long endBytes,
            boolean synced) {}

    private final List<Entry> entries = new ArrayList<>();
    private final Map<Integer, TreeMap<Long, StoredBatch>> partitions = new HashMap<>();
    private long epoch;
    private int forgotten;

    long writtenIndex;
    long syncedIndex;

    long nextEpoch() {
        return ++epoch;
    }

    public long lastIndex() {
        return entries.size();
    }

    Entry entry(long index) {
        return entries.get((int) index - 1);
    }

    long add(long appendEpoch, long timestampMillis, int count, byte[] records, int bytes, boolean synced) {
        Entry last = entries.isEmpty() ? null : entries.get(entries.size() - 1);
        long baseOffset = last == null ? 0 : last.baseOffset + last.count;
        long endBytes = bytes + (last == null ? 0 : last.endBytes);
        long index = lastIndex() + 1;
        entries.add(new Entry(index, appendEpoch, timestampMillis, baseOffset, count, records, endBytes, synced));
        return index;
    }

    void commit(Entry entry) {
        ByteBuffer records = ByteBuffer.wrap(entry.records).asReadOnlyBuffer();
        LogRecord.forEach(records, entry.count, (type, partition, offset, count, body) -> {
            if (type == LogRecord.TYPE_MESSAGES) {
                partitions
                        .computeIfAbsent(partition, none -> new TreeMap<>())
                        .put(offset, new StoredBatch(offset, count, body));
            }
        });
    }

    PartitionChunk read(int partition, long offset, int maxBytes) {
        TreeMap<Long, StoredBatch> batches = partitions.getOrDefault(partition, new TreeMap<>());
        Long first = batches.floorKey(offset);
        if (first == null || offset >= first + batches.get(first).count()) {
            throw new DamagedLogException("nothing at offset " + offset + " of partition " + partition);
        }
        List<StoredBatch> chunk = new ArrayList<>();
        int bytes = 0;
        for (StoredBatch batch : batches.tailMap(first).values()) {
            chunk.add(batch);
            bytes += batch.batch().remaining();
            if (bytes >= maxBytes) {
                break;
            }
        }
        return new PartitionChunk(chunk);
    }

    long bytesSince(long index) {
        long before = index < 1 ? 0 : entry(index).endBytes;
        return entries.isEmpty() ? 0 : entries.get(entries.size() - 1).endBytes - before;
    }

    /** The process is killed: what was not written is gone. */
    public void loseUnwritten() {
        cut(writtenIndex);
    }

    /** The machine loses power: what was not synced is gone. */
    public void loseUnsynced() {
        cut(syncedIndex);
    }

    /** Another node leads, which has no more of it than this. */
    public void keepUpTo(long index) {
        cut(Math.min(index, lastIndex()));
        writtenIndex = lastIndex();
        syncedIndex = lastIndex();
    }

    /** What stands behind an index is taken back, and what stands there in another takes its place. */
    void takeFrom(LogMedium other, long lastKept) {
        cut(lastKept);
        entries.addAll(other.entries.subList((int) lastKept, other.entries.size()));
        writtenIndex = lastIndex();
        syncedIndex = lastIndex();
    }

    private void cut(long lastKept) {
        entries.subList((int) lastKept, entries.size()).clear();
        writtenIndex = Math.min(writtenIndex, lastKept);
        syncedIndex = Math.min(syncedIndex, lastKept);
        partitions.clear();
        entries.forEach(this::commit);
    }

    /** The messages of a partition from here on are no longer there, as after damage. */
    public void destroy(int partition, long fromOffset) {
        partitions.get(partition).tailMap(fromOffset).clear();
    }

    /** Forgets messages below an offset, and what of entries is no longer needed, so that a long run fits into memory. */
    public void forget(int partition, long belowOffset) {
        for (int i = forgotten; i < entries.size() - 1; i++) {
            Entry entry = entries.get(i);
            entries.set(
                    i,
                    new Entry(
                            entry.index,
                            entry.epoch,
                            entry.timestampMillis,
                            entry.baseOffset,
                            entry.count,
                            new byte[0],
                            entry.endBytes,
                            entry.synced));
        }
        forgotten = Math.max(0, entries.size() - 1);
        TreeMap<Long, StoredBatch> batches = partitions.get(partition);
        if (batches != null) {
            batches.headMap(belowOffset).clear();
        }
    }
}
