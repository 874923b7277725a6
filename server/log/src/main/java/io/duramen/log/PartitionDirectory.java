package io.duramen.log;

import java.util.Arrays;

/**
 * Which partitions have records in a sealed segment, and from which offset to which; partition 0 stands for the entries,
 * by their index. Immutable, 24 bytes of heap a partition: those of all segments stay in memory.
 */
final class PartitionDirectory {
    /** The entries themselves, whose offset is their index. */
    static final int ENTRIES = 0;

    private final int[] partitions;
    private final long[] firstOffsets;
    private final long[] nextOffsets;
    private final int[] itemsFrom;

    /** @param itemsFrom first index item of each partition, then the number of all items */
    PartitionDirectory(int[] partitions, long[] firstOffsets, long[] nextOffsets, int[] itemsFrom) {
        this.partitions = partitions;
        this.firstOffsets = firstOffsets;
        this.nextOffsets = nextOffsets;
        this.itemsFrom = itemsFrom;
    }

    int size() {
        return partitions.length;
    }

    int items() {
        return itemsFrom[partitions.length];
    }

    /** Where the partition stands; negative where it has no records here. */
    int find(int partition) {
        return Arrays.binarySearch(partitions, partition);
    }

    int partition(int at) {
        return partitions[at];
    }

    long firstOffset(int at) {
        return firstOffsets[at];
    }

    /** Offset behind the last record's last message. */
    long nextOffset(int at) {
        return nextOffsets[at];
    }

    int itemsFrom(int at) {
        return itemsFrom[at];
    }

    int itemsTo(int at) {
        return itemsFrom[at + 1];
    }
}
