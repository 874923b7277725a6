package io.duramen.log;

import io.duramen.runtime.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Finds the epoch of an entry on the disk, blocking. Confined to the agent. */
final class EpochLookup {
    private final SegmentTable segments;
    private final SegmentLoader loader;

    EpochLookup(SegmentTable segments, SegmentLoader loader) {
        this.segments = segments;
        this.loader = loader;
    }

    /**
     * @param index of an entry that is written, or of the one before the first
     * @return 0 where there is none
     */
    long epochOf(long index) throws IOException {
        Segment segment = segments.ceiling(index);
        if (segment == null || index == 0) {
            return 0;
        }
        DiskFile file = loader.file(segment);
        if (index < segment.baseIndex()) {
            return index == segment.baseIndex() - 1 ? epochBefore(segment, file) : 0;
        }
        if (index == segment.lastIndex()) {
            return segment.lastEpoch();
        }
        if (!segment.isIndexLoaded()) {
            loader.loadNow(segment);
        }
        IndexItems.Run run = segment.run(PartitionDirectory.ENTRIES);
        FileWindow window = new FileWindow(file, segment.end());
        long position = run.items().position(run.items().floor(run.from(), run.to(), index));
        int at = window.show(position, EntryHeader.LENGTH);
        while (EntryHeader.index(window.bytes(), at) < index) {
            long length = EntryHeader.totalLength(window.bytes(), at);
            if (length < EntryHeader.LENGTH || position + length + EntryHeader.LENGTH > segment.end()) {
                throw new IOException(SegmentScan.damaged(
                                segment.name(), position, "an entry before entry " + index + " is not intact")
                        .getMessage());
            }
            position += length;
            at = window.show(position, EntryHeader.LENGTH);
        }
        return EntryHeader.epoch(window.bytes(), at);
    }

    private static long epochBefore(Segment segment, DiskFile file) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(SegmentHeader.LENGTH);
        file.read(0, head);
        return SegmentHeader.read(head.flip())
                .orElseThrow(() -> SegmentScan.damaged(segment.name(), 0, "its header is not intact"))
                .previousEpoch();
    }
}
