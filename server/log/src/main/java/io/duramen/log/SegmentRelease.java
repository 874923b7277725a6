package io.duramen.log;

import io.duramen.runtime.disk.Disk;
import io.duramen.runtime.disk.IoCompletion;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes segments that nobody needs, once nobody reads them. Confined to the agent. */
final class SegmentRelease {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentRelease.class);

    private final Disk disk;
    private final SegmentTable segments;
    private final SegmentLoader loader;
    private final Runnable deleted;
    private final Set<Segment> stillRead = new LinkedHashSet<>();

    /** @param deleted called when space has become free */
    SegmentRelease(Disk disk, SegmentTable segments, SegmentLoader loader, Runnable deleted) {
        this.disk = disk;
        this.segments = segments;
        this.loader = loader;
        this.deleted = deleted;
    }

    /** See {@link ShardLog#release}. The last segment stays, and so does the one before while that has nothing durable. */
    void release(long imageIndex, long durableIndex, IntToLongFunction neededFrom) {
        Segment last = segments.last();
        if (last == null || last.isEmpty() || last.baseIndex() > durableIndex) {
            return;
        }
        for (Segment segment : List.copyOf(segments.all())) {
            if (segment != last && segment.lastIndex() <= imageIndex && isUnneeded(segment, neededFrom)) {
                segments.remove(segment);
                if (segment.readers() == 0) {
                    delete(segment);
                } else {
                    stillRead.add(segment);
                }
            }
        }
    }

    private static boolean isUnneeded(Segment segment, IntToLongFunction neededFrom) {
        PartitionDirectory directory = segment.directory();
        int size = directory.size();
        for (int i = 0; i < size; i++) {
            int at = (segment.releaseHint() + i) % size;
            int partition = directory.partition(at);
            if (partition != PartitionDirectory.ENTRIES
                    && neededFrom.applyAsLong(partition) < directory.nextOffset(at)) {
                segment.releaseHint(at);
                return false;
            }
        }
        return true;
    }

    /** A reader is done with the segment. */
    void left(Segment segment) {
        if (segment.readers() == 0 && stillRead.remove(segment)) {
            delete(segment);
        }
    }

    /** The index goes last: an index without its segment is deleted at the next start. */
    private void delete(Segment segment) {
        loader.forget(segment);
        disk.delete(segment.name(), new Deletion(segment.name(), () -> {
            deleted.run();
            String index = SegmentName.index(segment.number());
            disk.delete(index, new Deletion(index, () -> {}));
        }));
    }

    void deleteLeftOver(String name) {
        disk.delete(name, new Deletion(name, deleted));
    }

    private record Deletion(String name, Runnable then) implements IoCompletion<Void> {
        @Override
        public void succeeded(Void result) {
            LOG.debug("{} is deleted", name);
            then.run();
        }

        @Override
        public void failed(IOException cause) {
            LOG.warn("{} could not be deleted; it is tried again at the next start", name, cause);
        }
    }
}
