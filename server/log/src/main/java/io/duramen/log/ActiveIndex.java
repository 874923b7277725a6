package io.duramen.log;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Index of the segment that is being filled. Confined to the agent. */
final class ActiveIndex {
    private final int interval;
    private final Map<Integer, Partition> byPartition = new HashMap<>();
    private final Partition entries = new Partition();
    private Partition recent;
    private int recentPartition;

    /** @param interval a partition gets an item for at most one record in so many bytes of log */
    ActiveIndex(int interval) {
        this.interval = interval;
        byPartition.put(PartitionDirectory.ENTRIES, entries);
    }

    /** Records of one partition, or the entries. */
    static final class Partition {
        private final IndexItems items = new IndexItems(4);
        private long nextOffset;

        long firstOffset() {
            return items.offset(0);
        }

        long nextOffset() {
            return nextOffset;
        }

        IndexItems.Run run() {
            return new IndexItems.Run(items, 0, items.size());
        }

        private void add(int interval, long offset, int count, int position, int end, int entryEnd) {
            int last = items.size() - 1;
            if (last < 0 || position - items.position(last) >= interval) {
                items.add(offset, position, end, entryEnd);
            } else {
                items.extendLast(end);
            }
            nextOffset = offset + count;
        }
    }

    /** @return null where the partition has no records here */
    Partition partition(int partition) {
        Partition found = byPartition.get(partition);
        return found == null || found.items.size() == 0 ? null : found;
    }

    /**
     * Takes up a whole entry.
     *
     * @param at where it starts in the buffer
     * @param position where it starts in the file
     * @throws DamagedLogException where its records do not fit
     */
    void add(ByteBuffer in, int at, int length, int position) {
        int end = position + length;
        entries.add(interval, EntryHeader.index(in, at), 1, position, end, end);
        int count = EntryHeader.count(in, at);
        int from = at + EntryHeader.LENGTH;
        for (int i = 0; i < count; i++) {
            int recordLength = LogRecord.totalLength(in, from, at + length);
            if (LogRecord.holdsMessages(in, from)) {
                int recordPosition = position + from - at;
                of(LogRecord.partition(in, from))
                        .add(
                                interval,
                                LogRecord.offset(in, from),
                                LogRecord.count(in, from),
                                recordPosition,
                                recordPosition + recordLength,
                                end);
            }
            from += recordLength;
        }
        if (from != at + length && !EntryHeader.isConfiguration(in, at)) {
            throw new DamagedLogException((at + length - from) + " bytes behind the last record of an entry");
        }
    }

    private Partition of(int partition) {
        if (recent == null || recentPartition != partition) {
            recent = byPartition.computeIfAbsent(partition, p -> new Partition());
            recentPartition = partition;
        }
        return recent;
    }

    /** The same as it will stand in the file. */
    SealedIndex seal() {
        TreeMap<Integer, Partition> sorted = new TreeMap<>(byPartition);
        int size = sorted.size();
        int[] partitions = new int[size];
        long[] firstOffsets = new long[size];
        long[] nextOffsets = new long[size];
        int[] itemsFrom = new int[size + 1];
        IndexItems all = new IndexItems(
                sorted.values().stream().mapToInt(p -> p.items.size()).sum());
        int at = 0;
        for (Map.Entry<Integer, Partition> entry : sorted.entrySet()) {
            partitions[at] = entry.getKey();
            firstOffsets[at] = entry.getValue().firstOffset();
            nextOffsets[at] = entry.getValue().nextOffset();
            itemsFrom[at] = all.size();
            all.addAll(entry.getValue().items);
            at++;
        }
        itemsFrom[size] = all.size();
        return new SealedIndex(new PartitionDirectory(partitions, firstOffsets, nextOffsets, itemsFrom), all);
    }
}
