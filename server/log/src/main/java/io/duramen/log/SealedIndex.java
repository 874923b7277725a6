package io.duramen.log;

/** Whole index of a sealed segment. Immutable. */
record SealedIndex(PartitionDirectory directory, IndexItems items) {
    /** @param at where the partition stands in the directory */
    IndexItems.Run run(int at) {
        return new IndexItems.Run(items, directory.itemsFrom(at), directory.itemsTo(at));
    }

    long heapBytes() {
        return (long) items.size() * IndexItems.ITEM_BYTES;
    }
}
