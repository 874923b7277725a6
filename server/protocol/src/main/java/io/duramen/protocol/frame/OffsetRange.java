package io.duramen.protocol.frame;

import io.duramen.protocol.MalformedFrameException;

/** Offsets of one partition, both ends included. */
public record OffsetRange(long first, long last) {
    public OffsetRange {
        if (first < 0 || last < first) {
            throw new MalformedFrameException("offset range " + first + ".." + last + " is not ascending from 0");
        }
    }

    public static OffsetRange of(long offset) {
        return new OffsetRange(offset, offset);
    }

    /** How many offsets the range holds; at least 1. */
    public long count() {
        return last - first + 1;
    }

    public boolean contains(long offset) {
        return offset >= first && offset <= last;
    }
}
