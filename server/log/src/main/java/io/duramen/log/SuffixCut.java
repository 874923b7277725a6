package io.duramen.log;

import io.duramen.runtime.disk.Disk;
import io.duramen.runtime.disk.DiskFile;
import io.duramen.runtime.disk.NoSpaceException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes back the last entries, blocking. Confined to the agent. Goes from the newest segment to the oldest, and makes an
 * index unreadable before it cuts its segment: so a crash in between leaves a log that is only not cut as far.
 */
final class SuffixCut {
    private final Disk disk;
    private final LogConfig config;
    private final SegmentTable segments;
    private final SegmentLoader loader;
    private final SegmentRelease release;

    SuffixCut(Disk disk, LogConfig config, SegmentTable segments, SegmentLoader loader, SegmentRelease release) {
        this.disk = disk;
        this.config = config;
        this.segments = segments;
        this.loader = loader;
        this.release = release;
    }

    /** Entries behind the index are no more; the segment that holds it is filled further. */
    void run(long index) throws IOException {
        List<Segment> kept = new ArrayList<>(segments.all());
        while (!kept.isEmpty() && kept.get(kept.size() - 1).baseIndex() > index) {
            remove(kept.remove(kept.size() - 1));
        }
        if (!kept.isEmpty() && kept.get(kept.size() - 1).lastIndex() > index) {
            kept.add(cut(kept.remove(kept.size() - 1), index));
        }
        segments.replaceAll(kept);
    }

    private void remove(Segment segment) throws IOException {
        makeUnreadable(segment);
        DiskFile file = disk.open(segment.name());
        file.truncate(0);
        loader.forget(segment);
        release.deleteLeftOver(segment.name());
    }

    private void makeUnreadable(Segment segment) throws IOException {
        String index = SegmentName.index(segment.number());
        if (disk.list().contains(index)) {
            DiskFile file = disk.open(index);
            file.truncate(0);
            file.close();
            release.deleteLeftOver(index);
        }
    }

    private Segment cut(Segment segment, long index) throws IOException {
        makeUnreadable(segment);
        loader.forget(segment);
        DiskFile file = disk.open(segment.name());
        ByteBuffer head = ByteBuffer.allocate(SegmentHeader.LENGTH);
        file.read(0, head);
        SegmentHeader header = SegmentHeader.read(head.flip())
                .orElseThrow(() -> SegmentScan.damaged(segment.name(), 0, "its header is not intact"));
        Segment shorter =
                new Segment(header, file, new ActiveIndex(config.indexInterval().toIntExact()));
        new SegmentScan(new FileWindow(file, segment.end()), shorter).run(index);
        if (shorter.lastIndex() != index) {
            throw SegmentScan.damaged(
                    segment.name(), shorter.end(), "entry " + (shorter.lastIndex() + 1) + " is not intact");
        }
        file.truncate(shorter.end());
        try {
            file.truncate(header.capacity());
        } catch (NoSpaceException e) {
            shorter.seal();
            loader.store(shorter);
        }
        return shorter;
    }
}
