package io.duramen.log;

import io.duramen.runtime.disk.Disk;
import io.duramen.runtime.disk.DiskFile;
import io.duramen.runtime.disk.IoCompletion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens sealed segments for reading and loads their indexes, and lets go of those longest unused. Also stores the indexes
 * of newly sealed ones. Confined to the agent.
 */
final class SegmentLoader {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentLoader.class);
    private static final int OPEN_MAX = 256;

    private final Disk disk;
    private final long heapBytesMax;
    private final LinkedHashSet<Segment> open = new LinkedHashSet<>();
    private final Map<Segment, List<Consumer<Optional<IOException>>>> loading = new HashMap<>();
    private final List<Segment> notStored = new ArrayList<>();
    private long heapBytes;
    private int storing;

    SegmentLoader(Disk disk, long heapBytesMax) {
        this.disk = disk;
        this.heapBytesMax = heapBytesMax;
    }

    /** The segment's file, opened where it was not. */
    DiskFile file(Segment segment) throws IOException {
        if (segment.file() == null) {
            segment.opened(disk.open(segment.name()));
        }
        touch(segment);
        return segment.file();
    }

    /** Makes the index of a sealed segment present. {@code done} runs in a later poll; with empty on success. */
    void load(Segment segment, Consumer<Optional<IOException>> done) {
        List<Consumer<Optional<IOException>>> waiting = loading.get(segment);
        if (waiting != null) {
            waiting.add(done);
            return;
        }
        loading.put(segment, new ArrayList<>(List.of(done)));
        try {
            DiskFile file = disk.open(SegmentName.index(segment.number()));
            ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(file.length()));
            file.read(0, bytes, new IoCompletion<>() {
                @Override
                public void succeeded(Integer read) {
                    file.close();
                    finish(segment, take(segment, bytes.flip()));
                }

                @Override
                public void failed(IOException cause) {
                    file.close();
                    finish(segment, Optional.of(cause));
                }
            });
        } catch (IOException e) {
            loading.remove(segment).forEach(waits -> waits.accept(Optional.of(e)));
        }
    }

    /** As {@link #load}, blocking; for start-up. */
    void loadNow(Segment segment) throws IOException {
        DiskFile file = disk.open(SegmentName.index(segment.number()));
        try {
            ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(file.length()));
            file.read(0, bytes);
            Optional<IOException> failure = take(segment, bytes.flip());
            if (failure.isPresent()) {
                throw failure.get();
            }
        } finally {
            file.close();
        }
    }

    private Optional<IOException> take(Segment segment, ByteBuffer bytes) {
        Optional<SealedIndex> index = IndexFile.head(bytes, bytes.limit())
                .flatMap(head ->
                        IndexFile.directory(head, bytes).flatMap(directory -> IndexFile.items(head, directory, bytes)));
        if (index.isEmpty()) {
            return Optional.of(new IOException(SegmentName.index(segment.number())
                    + " is damaged: stop the node and delete this file, it is made anew from " + segment.name()
                    + " at the next start"));
        }
        segment.loaded(index.get());
        heapBytes += index.get().heapBytes();
        touch(segment);
        return Optional.empty();
    }

    private void finish(Segment segment, Optional<IOException> failure) {
        loading.remove(segment).forEach(waiting -> waiting.accept(failure));
    }

    private void touch(Segment segment) {
        if (!segment.isSealed()) {
            return;
        }
        open.remove(segment);
        open.add(segment);
        if (heapBytes > heapBytesMax || open.size() > OPEN_MAX) {
            unloadOldest(segment);
        }
    }

    private void unloadOldest(Segment except) {
        for (Segment segment : List.copyOf(open)) {
            if (heapBytes <= heapBytesMax && open.size() <= OPEN_MAX) {
                return;
            }
            if (segment != except && segment.readers() == 0 && segment.isIndexOnDisk()) {
                forget(segment);
            }
        }
    }

    /** Closes and unloads a segment that nobody reads. */
    void forget(Segment segment) {
        if (open.remove(segment) && segment.loaded() != null) {
            heapBytes -= segment.loaded().heapBytes();
        }
        notStored.remove(segment);
        segment.unload();
    }

    /** Stores the index of a segment just sealed, in the background; until that is done it stays in memory. */
    void store(Segment segment) {
        heapBytes += segment.loaded().heapBytes();
        touch(segment);
        replace(segment);
    }

    /** Whether an index is on its way to the disk. */
    boolean isStoring() {
        return storing > 0;
    }

    /** Tries again what failed before. */
    void storeAgain() {
        List<Segment> again = List.copyOf(notStored);
        notStored.clear();
        again.forEach(this::replace);
    }

    private void replace(Segment segment) {
        storing++;
        ByteBuffer content = IndexFile.write(segment, segment.loaded());
        disk.replace(SegmentName.index(segment.number()), content, new IoCompletion<>() {
            @Override
            public void succeeded(Void result) {
                storing--;
                segment.indexStored();
            }

            @Override
            public void failed(IOException cause) {
                storing--;
                LOG.warn("The index of {} could not be stored; it stays in memory", segment.name(), cause);
                if (segment.loaded() != null) {
                    notStored.add(segment);
                }
            }
        });
    }
}
