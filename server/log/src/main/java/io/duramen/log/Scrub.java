package io.duramen.log;

import io.duramen.runtime.Clock;
import io.duramen.runtime.disk.IoCompletion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads sealed segments through, again and again, and checks every entry by its checksum, which covers all its batches: what nobody
 * reads for long is found damaged while another replica, or a backup, still has it. In small slices with pauses between, whatever else
 * the agent does; a slice is all the memory it takes, however long an entry is. Confined to the agent.
 */
final class Scrub {
    /** Read at a time. */
    static final int SLICE_BYTES = 128 * 1024;

    static final long BYTES_PER_SECOND = 8L << 20;
    private static final Logger LOG = LoggerFactory.getLogger(Scrub.class);

    /** A node that is started anew more often than it scrubs is scrubbed, too. */
    private static final long FIRST_NANOS_MAX = TimeUnit.HOURS.toNanos(1);

    private final SegmentTable segments;
    private final SegmentLoader loader;
    private final Damages damages;
    private final Clock clock;
    private final long intervalNanos;
    private final Consumer<Segment> left;
    private final CRC32C crc = new CRC32C();

    /** Whether there is something to do at {@link #nextNanos}. */
    private boolean due;

    private boolean hurried;
    private long bytesPerSecond = BYTES_PER_SECOND;
    private boolean reading;
    private boolean ended;
    private long nextNanos;

    /** Null while no segment is being read through. */
    private ByteBuffer slice;

    private Segment segment;

    /** Number of the segment that was read through last in this round. */
    private long lastNumber;

    private long scrubbedBytes;

    // Where in the segment it is.
    private long position;
    private long entryPosition;
    private long entryEnd;
    private long nextIndex;
    private int wantedCrc;

    /** @param left called when a segment is no longer read */
    Scrub(
            SegmentTable segments,
            SegmentLoader loader,
            Damages damages,
            Clock clock,
            Duration interval,
            Consumer<Segment> left) {
        this.segments = segments;
        this.loader = loader;
        this.damages = damages;
        this.clock = clock;
        this.intervalNanos = interval.toNanos();
        this.left = left;
        this.due = intervalNanos > 0;
        this.nextNanos = clock.nanos() + Math.min(intervalNanos, FIRST_NANOS_MAX);
    }

    /**
     * Begins a round now, where none is under way.
     *
     * @param bytesPerSecondMax of this round
     */
    void hurry(long bytesPerSecondMax) {
        if (segment == null && !ended) {
            due = true;
            hurried = true;
            bytesPerSecond = bytesPerSecondMax;
            nextNanos = clock.nanos();
        }
    }

    /** Whether a round that was hurried is not over. */
    boolean isHurried() {
        return hurried;
    }

    /** Reads nothing any more. */
    void end() {
        abandon();
        ended = true;
        hurried = false;
        due = false;
    }

    /** Segments are about to be cut or removed: what is on its way of one is no more looked at. */
    void abandon() {
        if (segment != null) {
            Segment abandoned = segment;
            segment = null;
            reading = false;
            slice = null;
            abandoned.readerWent();
            left.accept(abandoned);
        }
    }

    int poll() {
        if (!due || reading || clock.nanos() - nextNanos < 0) {
            return 0;
        }
        if (segment == null && !begin()) {
            return 1;
        }
        read();
        return 1;
    }

    /** When time alone makes work for {@link #poll}; {@link Long#MAX_VALUE} for never. */
    long deadlineNanos() {
        return due && !reading ? nextNanos : Long.MAX_VALUE;
    }

    /** @return false where the round is over */
    private boolean begin() {
        for (Segment next : segments.all()) {
            if (next.isSealed() && next.number() > lastNumber) {
                segment = next;
                segment.readerCame();
                lastNumber = next.number();
                position = 0;
                entryEnd = SegmentHeader.LENGTH;
                nextIndex = next.baseIndex();
                return true;
            }
        }
        if (lastNumber > 0) {
            LOG.debug("Full segments were read through: {} bytes", scrubbedBytes);
        }
        lastNumber = 0;
        scrubbedBytes = 0;
        slice = null;
        hurried = false;
        bytesPerSecond = BYTES_PER_SECOND;
        due = intervalNanos > 0;
        nextNanos = clock.nanos() + intervalNanos;
        return false;
    }

    private void read() {
        int wanted = (int) Math.min(SLICE_BYTES, segment.end() - position);
        if (slice == null) {
            slice = ByteBuffer.allocateDirect(SLICE_BYTES);
        }
        slice.clear().limit(wanted);
        reading = true;
        try {
            loader.file(segment).read(position, slice, new Arrived(segment, slice, wanted));
        } catch (NoSuchFileException e) {
            damaged(position, "the file is missing");
        } catch (IOException e) {
            LOG.warn("{} could not be opened to be checked: {}", segment.name(), e.toString());
            finish();
        }
    }

    private final class Arrived implements IoCompletion<Integer> {
        private final Segment of;
        private final ByteBuffer bytes;
        private final int wanted;

        Arrived(Segment of, ByteBuffer bytes, int wanted) {
            this.of = of;
            this.bytes = bytes;
            this.wanted = wanted;
        }

        private boolean isAbandoned() {
            return segment != of || slice != bytes;
        }

        @Override
        public void succeeded(Integer read) {
            if (isAbandoned()) {
                return;
            }
            reading = false;
            scrubbedBytes += read;
            nextNanos = clock.nanos() + wanted * TimeUnit.SECONDS.toNanos(1) / bytesPerSecond;
            if (read < wanted) {
                damaged(position + read, "the file ends here, its entries go on to " + segment.end());
            } else if (check(bytes.flip()) && position >= segment.end()) {
                damages.intact(segment);
                finish();
            }
        }

        @Override
        public void failed(IOException cause) {
            if (!isAbandoned()) {
                reading = false;
                damaged(position, "it cannot be read: " + cause.getMessage());
            }
        }
    }

    /** @return false where damage was found */
    private boolean check(ByteBuffer in) {
        int at = 0;
        if (position == 0) {
            if (!isHeader(in)) {
                return damaged(0, "its header is not intact");
            }
            at = SegmentHeader.LENGTH;
        }
        while (at < in.limit()) {
            if (position + at < entryEnd) {
                int to = (int) Math.min(in.limit(), entryEnd - position);
                crc.update(in.duplicate().limit(to).position(at));
                at = to;
                if (position + at == entryEnd && !isEntryIntact()) {
                    return false;
                }
            } else if (in.limit() - at >= EntryHeader.LENGTH) {
                if (!beginEntry(in, at)) {
                    return false;
                }
                at += EntryHeader.CHECKED_FROM;
            } else if (position + in.limit() < segment.end()) {
                break; // its header is read as a whole, with the next slice
            } else {
                return damaged(position + at, "entry " + nextIndex + " is cut off");
            }
        }
        position += at;
        return true;
    }

    private boolean isHeader(ByteBuffer in) {
        return SegmentHeader.read(in.duplicate().limit(Math.min(in.limit(), SegmentHeader.LENGTH)))
                .filter(header -> header.number() == segment.number() && header.salt() == segment.salt())
                .isPresent();
    }

    private boolean beginEntry(ByteBuffer in, int at) {
        long length = EntryHeader.totalLength(in, at);
        entryPosition = position + at;
        if (length < EntryHeader.LENGTH
                || length > segment.end() - entryPosition
                || EntryHeader.index(in, at) != nextIndex) {
            return damaged(entryPosition, "entry " + nextIndex + " is not intact");
        }
        entryEnd = entryPosition + length;
        wantedCrc = EntryHeader.checksum(in, at) ^ segment.salt();
        crc.reset();
        return true;
    }

    private boolean isEntryIntact() {
        if ((int) crc.getValue() != wantedCrc) {
            return damaged(entryPosition, "entry " + nextIndex + " is not intact");
        }
        nextIndex++;
        return true;
    }

    private boolean damaged(long where, String what) {
        damages.found(segment, new Damage(segment.name(), where, nextIndex, what));
        finish();
        return false;
    }

    private void finish() {
        Segment finished = segment;
        segment = null;
        reading = false;
        finished.readerWent();
        left.accept(finished);
    }
}
