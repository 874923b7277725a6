package io.duramen.simulation.log;

import static io.duramen.runtime.Invariant.hold;

import io.duramen.log.LogRecord;
import io.duramen.log.PartitionChunk;
import io.duramen.replication.CommittedEntry;
import io.duramen.replication.ReplicatedLog.Durability;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * What a log must hold: every entry appended, how much of it was reported committed or durable, and the batches of each
 * partition. Obvious and sequential. Not thread-safe.
 */
final class LogModel {
    private static final class Entry {
        private final Durability durability;
        private final long digest;
        private final List<Batch> batches;

        Entry(Durability durability, long digest, List<Batch> batches) {
            this.durability = durability;
            this.digest = digest;
            this.batches = batches;
        }
    }

    /** @param digest over the bytes of the batch */
    record Batch(int partition, long baseOffset, int count, long digest) {}

    private final List<Entry> entries = new ArrayList<>();
    private final Map<Integer, List<Batch>> partitions = new TreeMap<>();
    private long committed;
    /** What no kill may take: all that was reported committed. */
    private long writtenFloor;
    /** What no power cut may take: all that was reported durable, or committed after it asked to be synced. */
    private long durableFloor;

    long lastIndex() {
        return entries.size();
    }

    long committed() {
        return committed;
    }

    long durableFloor() {
        return durableFloor;
    }

    /** Committed offset behind the last of a partition; 0 for none. */
    long committedEnd(int partition) {
        return end(partition, committed);
    }

    /** Offset that the next message of a partition gets. */
    long appendedEnd(int partition) {
        return end(partition, entries.size());
    }

    private long end(int partition, long index) {
        for (int i = (int) index - 1; i >= 0; i--) {
            List<Batch> batches = entries.get(i).batches;
            for (int b = batches.size() - 1; b >= 0; b--) {
                if (batches.get(b).partition == partition) {
                    return batches.get(b).baseOffset + batches.get(b).count;
                }
            }
        }
        return 0;
    }

    void appended(long index, Durability durability, long digest, List<Batch> batches) {
        hold(index == entries.size() + 1, "appended as %d, expected %d", index, entries.size() + 1);
        entries.add(new Entry(durability, digest, batches));
        batches.forEach(batch -> partitions
                .computeIfAbsent(batch.partition, p -> new ArrayList<>())
                .add(batch));
    }

    /** A log was started that had applied that much before. */
    void restarted(long appliedIndex) {
        committed = appliedIndex;
    }

    void committed(CommittedEntry entry) {
        hold(entry.index() == committed + 1, "committed %d after %d", entry.index(), committed);
        hold(entry.index() <= entries.size(), "entry %d of %d was invented", entry.index(), (long) entries.size());
        Entry expected = entries.get((int) entry.index() - 1);
        hold(
                digest(entry.records(), entry.count()) == expected.digest,
                "entry %d came back with other bytes",
                entry.index());
        committed = entry.index();
        writtenFloor = Math.max(writtenFloor, committed);
        if (expected.durability == Durability.SYNCED) {
            durableFloor = Math.max(durableFloor, committed);
        }
    }

    void durable(long index) {
        hold(index <= entries.size(), "%d of %d entries are durable", index, entries.size());
        durableFloor = Math.max(durableFloor, index);
    }

    /** The log was closed: all that was committed is on disk. */
    void closed() {
        durableFloor = committed;
    }

    /** Recovery has handed over everything it found. */
    void recovered(boolean afterPowerCut) {
        long floor = afterPowerCut ? durableFloor : writtenFloor;
        hold(committed >= floor, "recovered %d entries where %d were promised", committed, floor);
        writtenFloor = committed;
        while (entries.size() > committed) {
            entries.remove(entries.size() - 1).batches.forEach(batch -> {
                List<Batch> of = partitions.get(batch.partition);
                of.remove(of.size() - 1);
            });
        }
    }

    void read(int partition, long offset, PartitionChunk chunk) {
        List<Batch> expected = partitions.get(partition);
        int at = firstHolding(expected, offset);
        for (PartitionChunk.StoredBatch batch : chunk.batches()) {
            hold(at < expected.size(), "partition %d has a batch at %d too many", partition, batch.baseOffset());
            Batch should = expected.get(at++);
            hold(
                    should.equals(new Batch(partition, batch.baseOffset(), batch.count(), crc(batch.batch()))),
                    "read of partition %d at %d gave another batch at %d, expected %s",
                    partition,
                    offset,
                    batch.baseOffset(),
                    should);
            hold(
                    batch.baseOffset() + batch.count() <= committedEnd(partition),
                    "read of partition %d showed what is not committed: %d",
                    partition,
                    batch.baseOffset());
        }
    }

    private static int firstHolding(List<Batch> batches, long offset) {
        for (int i = 0; i < batches.size(); i++) {
            if (offset < batches.get(i).baseOffset + batches.get(i).count) {
                return i;
            }
        }
        throw new IllegalArgumentException("no batch holds " + offset);
    }

    static long digest(ByteBuffer records, int count) {
        long[] digest = {count};
        LogRecord.forEach(
                records,
                count,
                (type, partition, offset, messages, body) -> digest[0] = ((digest[0] * 31 + type) * 31 + partition) * 31
                        + offset * 7
                        + messages
                        + crc(body) * 1_000_003);
        return digest[0];
    }

    static long crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate());
        return crc.getValue();
    }
}
