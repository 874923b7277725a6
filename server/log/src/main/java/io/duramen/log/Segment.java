package io.duramen.log;

import io.duramen.runtime.Invariant;
import io.duramen.runtime.disk.DiskFile;
import java.nio.ByteBuffer;

/** One file of the log, being filled or sealed, and what is in it. Confined to the agent. */
final class Segment {
    private final long number;
    private final long baseIndex;
    private final long baseOffset;
    private final int capacity;
    private final int salt;
    private long lastIndex;
    private long nextOffset;
    private long lastEpoch;
    private int end;
    private ActiveIndex active;
    private PartitionDirectory directory;
    private DiskFile file;

    // Soft: how it is being read at present.
    private SealedIndex loaded;
    private boolean indexOnDisk;
    private int readers;
    private int releaseHint;

    /** One that will be filled; its header and first entry are not written yet. */
    Segment(SegmentHeader header, DiskFile file, ActiveIndex active) {
        this.number = header.number();
        this.baseIndex = header.baseIndex();
        this.baseOffset = header.baseOffset();
        this.capacity = Math.toIntExact(header.capacity());
        this.salt = header.salt();
        this.lastIndex = baseIndex - 1;
        this.nextOffset = baseOffset;
        this.lastEpoch = header.previousEpoch();
        this.end = SegmentHeader.LENGTH;
        this.file = file;
        this.active = active;
    }

    /** A sealed one, known from its index file. */
    Segment(IndexFile.Head head, PartitionDirectory directory) {
        this.number = head.number();
        this.baseIndex = head.baseIndex();
        this.baseOffset = head.baseOffset();
        this.capacity = Math.toIntExact(head.capacity());
        this.salt = head.salt();
        this.lastIndex = head.lastIndex();
        this.nextOffset = head.nextOffset();
        this.lastEpoch = head.lastEpoch();
        this.end = head.end();
        this.directory = directory;
        this.indexOnDisk = true;
    }

    long number() {
        return number;
    }

    String name() {
        return SegmentName.log(number);
    }

    long baseIndex() {
        return baseIndex;
    }

    /** One less than {@link #baseIndex} where it is empty. */
    long lastIndex() {
        return lastIndex;
    }

    boolean isEmpty() {
        return lastIndex < baseIndex;
    }

    long baseOffset() {
        return baseOffset;
    }

    long nextOffset() {
        return nextOffset;
    }

    long lastEpoch() {
        return lastEpoch;
    }

    /** Position behind the last entry. */
    int end() {
        return end;
    }

    int capacity() {
        return capacity;
    }

    /** What the checksums of its entries are xored with. */
    int salt() {
        return salt;
    }

    int free() {
        return capacity - end;
    }

    boolean isSealed() {
        return active == null;
    }

    /** Takes up an entry that stands, or will stand, at {@link #end}. */
    void add(ByteBuffer in, int at, int length) {
        Invariant.hold(length <= free(), "an entry of %d bytes in a segment with %d left", length, free());
        active.add(in, at, length, end);
        lastIndex = EntryHeader.index(in, at);
        lastEpoch = EntryHeader.epoch(in, at);
        nextOffset = EntryHeader.baseOffset(in, at) + EntryHeader.count(in, at);
        end += length;
    }

    /** No more entries; the index stays in memory until it is {@link #indexStored}. */
    SealedIndex seal() {
        loaded = active.seal();
        directory = loaded.directory();
        active = null;
        return loaded;
    }

    void indexStored() {
        indexOnDisk = true;
    }

    boolean isIndexOnDisk() {
        return indexOnDisk;
    }

    /** Whether the message stands in this segment. */
    boolean holds(int partition, long offset) {
        if (active != null) {
            ActiveIndex.Partition found = active.partition(partition);
            return found != null && found.firstOffset() <= offset && offset < found.nextOffset();
        }
        int at = directory.find(partition);
        return at >= 0 && directory.firstOffset(at) <= offset && offset < directory.nextOffset(at);
    }

    /** Whether the index items are in memory. */
    boolean isIndexLoaded() {
        return active != null || loaded != null;
    }

    /** Index items of a partition that this segment holds records of; the index has to be loaded. */
    IndexItems.Run run(int partition) {
        return active != null ? active.partition(partition).run() : loaded.run(directory.find(partition));
    }

    PartitionDirectory directory() {
        return directory;
    }

    SealedIndex loaded() {
        return loaded;
    }

    void loaded(SealedIndex index) {
        loaded = index;
    }

    /** @return null where it is not open */
    DiskFile file() {
        return file;
    }

    void opened(DiskFile opened) {
        file = opened;
    }

    /** Lets go of what can be had again from the disk. */
    void unload() {
        if (indexOnDisk) {
            loaded = null;
        }
        if (file != null) {
            file.close();
            file = null;
        }
    }

    int readers() {
        return readers;
    }

    void readerCame() {
        readers++;
    }

    void readerWent() {
        readers--;
    }

    /** Directory place of the partition that kept the segment last time. */
    int releaseHint() {
        return releaseHint;
    }

    void releaseHint(int at) {
        releaseHint = at;
    }
}
