package io.duramen.log;

import io.duramen.runtime.Clock;
import io.duramen.runtime.disk.Disk;
import io.duramen.runtime.disk.DiskFile;
import io.duramen.runtime.disk.IoCompletion;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes segments that nobody needs out of the log, once nobody reads them: their files become spare, or are deleted. Confined
 * to the agent.
 */
final class SegmentRelease {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentRelease.class);

    private final Disk disk;
    private final SegmentTable segments;
    private final SegmentLoader loader;
    private final Spares spares;
    private final PacedDeletion deletion;
    private final Runnable roomCame;
    private final Set<Segment> stillRead = new LinkedHashSet<>();

    /** @param stock asked whether the disk is full, and told when space has become free, or a file spare */
    SegmentRelease(
            Disk disk, Clock clock, SegmentTable segments, SegmentLoader loader, Spares spares, SegmentStock stock) {
        this.disk = disk;
        this.deletion = new PacedDeletion(disk, clock, stock::isRefused);
        this.segments = segments;
        this.loader = loader;
        this.spares = spares;
        this.roomCame = stock::retry;
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
                    letGo(segment);
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
            letGo(segment);
        }
    }

    /** The index goes last: an index without its segment is deleted at the next start. */
    private void letGo(Segment segment) {
        loader.forget(segment);
        Runnable deleteIndex = () -> {
            String index = SegmentName.index(segment.number());
            disk.delete(index, new Deletion(index, () -> {}));
        };
        if (spares.expect(segment.capacity())) {
            makeSpare(segment.number(), deleteIndex);
        } else {
            deletion.delete(segment.name(), segment.capacity(), () -> {
                roomCame.run();
                deleteIndex.run();
            });
        }
    }

    int poll() {
        return deletion.poll();
    }

    /** When time alone makes work for {@link #poll}; {@link Long#MAX_VALUE} for never. */
    long deadlineNanos() {
        return deletion.deadlineNanos();
    }

    /** Deletes what is to be deleted without waiting any more. */
    void hurry() {
        deletion.hurry();
    }

    /** A file that was found under the name of a segment and holds none of its entries. */
    void makeSpare(DiskFile file) throws IOException {
        if (spares.expect(file.length())) {
            makeSpare(SegmentName.number(file.name()), () -> {});
        } else {
            deleteLeftOver(file.name());
        }
    }

    private void makeSpare(long number, Runnable then) {
        String from = SegmentName.log(number);
        String to = SegmentName.spare(number);
        disk.rename(from, to, new IoCompletion<>() {
            @Override
            public void succeeded(Void result) {
                LOG.debug("{} is spare", from);
                spares.add(to);
                roomCame.run();
                then.run();
            }

            @Override
            public void failed(IOException cause) {
                LOG.warn("{} could not be kept to be filled anew; it is deleted", from, cause);
                spares.lost();
                deleteLeftOver(to);
                deleteFile(from, then);
            }
        });
    }

    /** A spare file that was found. */
    void keepSpare(DiskFile file) throws IOException {
        if (spares.expect(file.length())) {
            spares.add(file.name());
        } else {
            deleteLeftOver(file.name());
        }
    }

    void deleteLeftOver(String name) {
        deleteFile(name, () -> {});
    }

    private void deleteFile(String name, Runnable then) {
        disk.delete(name, new Deletion(name, () -> {
            roomCame.run();
            then.run();
        }));
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
