package io.duramen.log;

import io.duramen.runtime.disk.Disk;
import io.duramen.runtime.disk.DiskFile;
import io.duramen.runtime.disk.IoCompletion;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Brings to the disk, blocking, what stands in the last segment and was not known to be on disk. Confined to the agent;
 * for start-up.
 *
 * <p>Syncing alone is not enough: after a failed sync the operating system may hold pages for clean that never reached the
 * disk. A process that starts then reads them and can sync them with success, and the next loss of power takes them. So they
 * are written again, and then synced.
 */
final class TailRewrite implements IoCompletion<Void> {
    private static final int CHUNK_LENGTH = 1 << 20;

    private final Disk disk;
    private final Segment segment;
    private final FileWindow window;
    private int inFlight;
    private IOException failure;

    TailRewrite(Disk disk, Segment segment, FileWindow window) {
        this.disk = disk;
        this.segment = segment;
        this.window = window;
    }

    void run() throws IOException {
        DiskFile file = segment.file();
        for (long at = start(); at < segment.end(); ) {
            ByteBuffer chunk = ByteBuffer.allocateDirect((int) Math.min(CHUNK_LENGTH, segment.end() - at));
            file.read(at, chunk);
            chunk.flip();
            inFlight++;
            long position = at;
            at += chunk.remaining();
            file.write(position, new ByteBuffer[] {chunk}, this);
            await();
        }
        inFlight++;
        file.sync(this);
        await();
    }

    /** Position of the first entry that was not known to be on disk when the last one was appended. */
    private long start() throws IOException {
        if (segment.lastIndex() < segment.baseIndex()) {
            return 0;
        }
        long last = positionOf(segment.lastIndex());
        int at = window.show(last, EntryHeader.LENGTH);
        long first = EntryHeader.syncedBefore(window.bytes(), at) + 1;
        return first <= segment.baseIndex() ? 0 : first >= segment.lastIndex() ? last : positionOf(first);
    }

    private long positionOf(long index) throws IOException {
        IndexItems.Run run = segment.run(PartitionDirectory.ENTRIES);
        long position = run.items().position(run.items().floor(run.from(), run.to(), index));
        int at = window.show(position, EntryHeader.LENGTH);
        while (EntryHeader.index(window.bytes(), at) < index) {
            position += EntryHeader.totalLength(window.bytes(), at);
            at = window.show(position, EntryHeader.LENGTH);
        }
        return position;
    }

    private void await() throws IOException {
        while (inFlight > 0) {
            disk.awaitDue();
            disk.poll();
        }
        if (failure != null) {
            throw new IOException(
                    "Writing the end of " + segment.name() + " again failed: " + failure.getMessage(), failure);
        }
    }

    @Override
    public void succeeded(Void result) {
        inFlight--;
    }

    @Override
    public void failed(IOException cause) {
        inFlight--;
        failure = cause;
    }
}
