package io.duramen.broker.subscription;

import io.duramen.protocol.frame.OffsetRange;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Messages of one partition that were found expired together. Not thread-safe. */
public final class Expired {
    private final boolean keepsRecords;
    private final Offsets offsets = new Offsets();
    private final List<ByteBuffer> records = new ArrayList<>();

    /** @param keepsRecords whether the messages themselves are wanted */
    Expired(boolean keepsRecords) {
        this.keepsRecords = keepsRecords;
    }

    void add(long offset, RecordReader at) {
        offsets.add(offset);
        if (keepsRecords) {
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
