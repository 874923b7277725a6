package io.duramen.log;

import io.duramen.log.PartitionChunk.StoredBatch;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.record.RecordBatch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Picks a partition's batches out of stretches of a segment, trusting none of the bytes, and copies them close together.
 * Confined to the agent.
 */
final class StretchParser {
    /** Copies are made in arrays of about this length, so that they are neither many nor large for the heap. */
    private static final int COPY_LENGTH = 128 * 1024;

    private final Fetch fetch;
    private final long limitOffset;
    private final List<StoredBatch> batches = new ArrayList<>();
    private long expected = -1;
    private long bytes;

    /** @param limitOffset batches from this offset on are left out */
    StretchParser(Fetch fetch, long limitOffset) {
        this.fetch = fetch;
        this.limitOffset = limitOffset;
    }

    /** What was picked, in the heap. */
    List<StoredBatch> copies() {
        List<StoredBatch> copies = new ArrayList<>(batches.size());
        ByteBuffer target = ByteBuffer.allocate(0);
        long left = bytes;
        for (StoredBatch found : batches) {
            int length = found.batch().remaining();
            if (target.remaining() < length) {
                target = ByteBuffer.allocate((int) Math.max(length, Math.min(COPY_LENGTH, left)));
            }
            ByteBuffer copy = target.slice(target.position(), length);
            copy.put(0, found.batch(), 0, length);
            target.position(target.position() + length);
            copies.add(new StoredBatch(found.baseOffset(), found.count(), copy));
            left -= length;
        }
        return copies;
    }

    /** Bytes of all batches picked. */
    long bytes() {
        return bytes;
    }

    /**
     * @param in what was read of it, from position 0 to the limit
     * @return false where the limit has been reached
     * @throws DamagedLogException where it is not what was written; the message tells the position
     */
    boolean parse(Fetch.Stretch stretch, ByteBuffer in) {
        int at = 0;
        int entryEnd = stretch.entryEnd() - stretch.position();
        while (at < in.limit() && (expected < limitOffset)) {
            try {
                if (at == entryEnd) {
                    entryEnd = entryEnd(in, at);
                    // A configuration of the engine's has no records.
                    at = EntryHeader.isConfiguration(in, at) ? entryEnd : at + EntryHeader.LENGTH;
                } else {
                    at += record(in, at, Math.min(entryEnd, in.limit()));
                }
            } catch (DamagedLogException | ProtocolException e) {
                throw new DamagedLogException("position " + (stretch.position() + at) + ": " + e.getMessage());
            }
        }
        return expected < limitOffset;
    }

    private static int entryEnd(ByteBuffer in, int at) {
        long length = in.limit() - at < EntryHeader.LENGTH ? 0 : EntryHeader.totalLength(in, at);
        if (length < EntryHeader.LENGTH || at + length > Integer.MAX_VALUE) {
            throw new DamagedLogException("no entry begins here");
        }
        return (int) (at + length);
    }

    private int record(ByteBuffer in, int at, int limit) {
        int length = LogRecord.totalLength(in, at, limit);
        if (LogRecord.holdsMessages(in, at) && LogRecord.partition(in, at) == fetch.partition) {
            message(in, at, length);
        }
        return length;
    }

    private void message(ByteBuffer in, int at, int length) {
        long offset = LogRecord.offset(in, at);
        int count = LogRecord.count(in, at);
        if (expected >= 0 && offset != expected || count < 1) {
            throw new DamagedLogException("messages from offset " + offset + " on where " + expected + " is due");
        }
        if (offset >= limitOffset) {
            expected = limitOffset;
            return;
        }
        expected = offset + count;
        if (expected <= fetch.from) {
            return;
        }
        ByteBuffer batch = in.slice(at + LogRecord.HEADER_LENGTH, length - LogRecord.HEADER_LENGTH);
        RecordBatch.checkLengthAndChecksum(batch);
        if (RecordBatch.count(batch) != count) {
            throw new DamagedLogException(RecordBatch.count(batch) + " messages where " + count + " are due");
        }
        batches.add(new StoredBatch(offset, count, batch));
        bytes += batch.remaining();
    }
}
