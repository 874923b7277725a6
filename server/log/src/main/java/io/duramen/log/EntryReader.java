package io.duramen.log;

import io.duramen.runtime.disk.IoCompletion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads entries one after the other in the background; for replay. Confined to the agent. */
public final class EntryReader {
    private final SegmentTable segments;
    private final SegmentLoader loader;
    private final Damages damages;
    private final long lastIndex;
    private long nextIndex;
    private Segment segment;
    private long position;
    private ByteBuffer bytes;
    private boolean reading;
    private IOException failure;

    /** What it reads, and where it tells what it finds damaged. */
    record Place(SegmentTable segments, SegmentLoader loader, Damages damages) {}

    EntryReader(Place place, int chunk, long from, long to) throws IOException {
        this.segments = place.segments;
        this.loader = place.loader;
        this.damages = place.damages;
        this.nextIndex = from;
        this.lastIndex = to;
        this.bytes = ByteBuffer.allocateDirect(chunk).limit(0);
        if (!isDone()) {
            segment = segments.ceiling(from);
            segment.readerCame();
            position = positionOf(from);
        }
    }

    private long positionOf(long index) throws IOException {
        if (!segment.isIndexLoaded()) {
            try {
                loader.loadNow(segment);
            } catch (IOException e) {
                segment.readerWent();
                damaged("its index cannot be read: " + e.getMessage());
                throw e;
            }
        }
        IndexItems.Run run = segment.run(PartitionDirectory.ENTRIES);
        return run.items().position(run.items().floor(run.from(), run.to(), index));
    }

    /** Index of the entry that is handed over next. */
    public long nextIndex() {
        return nextIndex;
    }

    /** Lets go of what is being read, before its end. */
    public void close() {
        if (!isDone()) {
            segment.readerWent();
            nextIndex = lastIndex + 1;
            bytes = ByteBuffer.allocate(0);
        }
    }

    /** Whether every entry has been handed over. */
    public boolean isDone() {
        return nextIndex > lastIndex;
    }

    public Optional<IOException> failure() {
        return Optional.ofNullable(failure);
    }

    /** Hands over what has been read, and goes on reading; returns how many entries were handed over. */
    public int poll(Consumer<LogEntry> to) {
        int handedOver = 0;
        while (!reading && failure == null && !isDone()) {
            int length = nextLength();
            if (length < 0) {
                break;
            }
            int at = bytes.position();
            bytes.position(at + length);
            position += length;
            if (EntryHeader.index(bytes, at) >= nextIndex) {
                nextIndex++;
                handedOver++;
                to.accept(LogEntry.at(bytes, at, length));
            }
            if (isDone()) {
                segment.readerWent();
                bytes = ByteBuffer.allocate(0);
            }
        }
        return handedOver;
    }

    /** Bytes of the next entry in the buffer; negative where it has to be read first, which is then under way. */
    private int nextLength() {
        if (position >= segment.end()) {
            segment.readerWent();
            segment = segments.ceiling(nextIndex);
            segment.readerCame();
            position = SegmentHeader.LENGTH;
            bytes.limit(0);
        }
        if (bytes.remaining() < EntryHeader.LENGTH) {
            return read(EntryHeader.LENGTH);
        }
        int at = bytes.position();
        long length = EntryHeader.totalLength(bytes, at);
        if (length < EntryHeader.LENGTH
                || position + length > segment.end()
                || EntryHeader.index(bytes, at) > nextIndex) {
            return damaged();
        }
        if (bytes.remaining() < length) {
            return read((int) length);
        }
        return EntryHeader.isIntact(bytes, at, (int) length, segment.salt()) ? (int) length : damaged();
    }

    private int damaged() {
        damaged("entry " + nextIndex + " is not intact");
        failure = new IOException(SegmentScan.damaged(segment.name(), position, "entry " + nextIndex + " is not intact")
                .getMessage());
        return -1;
    }

    private void damaged(String what) {
        damages.found(segment, new Damage(segment.name(), position, nextIndex, what));
    }

    private int read(int length) {
        if (position + length > segment.end()) {
            return damaged();
        }
        int wanted = (int) Math.min(Math.max(length, bytes.capacity()), segment.end() - position);
        if (bytes.capacity() < wanted) {
            bytes = ByteBuffer.allocateDirect(wanted);
        }
        bytes.clear().limit(wanted);
        reading = true;
        try {
            loader.file(segment).read(position, bytes, new IoCompletion<>() {
                @Override
                public void succeeded(Integer read) {
                    reading = false;
                    bytes.flip();
                    if (read < wanted) {
                        damaged("the file ends before position " + (position + wanted));
                        failure = new IOException(segment.name() + " ends before position " + (position + wanted));
                    }
                }

                @Override
                public void failed(IOException cause) {
                    reading = false;
                    damaged("it cannot be read: " + cause.getMessage());
                    failure = new IOException(
                            "Reading " + segment.name() + " at position " + position + " failed: " + cause.getMessage(),
                            cause);
                }
            });
        } catch (IOException e) {
            reading = false;
            failure = e;
            if (e instanceof NoSuchFileException) {
                damaged("the file is missing");
            }
        }
        return -1;
    }
}
