package io.duramen.protocol.frame;

/** Offsets of one partition, both ends included; the last is below {@link Long#MAX_VALUE}. */
public record OffsetRange(long first, long last) {
    /** @throws IllegalArgumentException where the offsets do not ascend from 0 */
    public OffsetRange {
        if (first < 0 || last < first || last == Long.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "offset range " + first + ".." + last + " is not ascending from 0, or ends beyond any offset");
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
