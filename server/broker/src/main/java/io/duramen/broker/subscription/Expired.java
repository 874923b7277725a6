package io.duramen.broker.subscription;

import io.duramen.protocol.frame.OffsetRange;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Messages of one partition that were found expired together. Not thread-safe. */
public final class Expired {
    private final int bytesMax;
    private final Offsets offsets = new Offsets();
    private final List<ByteBuffer> records = new ArrayList<>();
    private int bytes;

    /** @param bytesMax of the messages themselves, about; 0 where they are not wanted */
    Expired(int bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Whether so much was found that it has to be dealt with first. */
    boolean isFull() {
        return bytesMax > 0 && bytes >= bytesMax;
    }

    void add(long offset, RecordReader at) {
        offsets.add(offset);
        if (bytesMax > 0) {
            bytes += at.length();
            records.add(ByteBuffer.allocate(at.length()).put(0, at.buffer(), at.position(), at.length()));
        }
    }

    boolean isEmpty() {
        return offsets.isEmpty();
    }

    public List<OffsetRange> ranges() {
        return offsets.toRanges();
    }

    /** Copies, as their producers encoded them; empty where they are not wanted. */
    public List<ByteBuffer> records() {
        return records;
    }
}
