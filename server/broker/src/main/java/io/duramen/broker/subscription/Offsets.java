package io.duramen.broker.subscription;

import io.duramen.protocol.frame.OffsetRange;
import java.util.ArrayList;
import java.util.List;

/** Gathers offsets, put in any order but mostly ascending, into ranges. Not thread-safe. */
public final class Offsets {
    private final List<OffsetRange> ranges = new ArrayList<>();
    private long first = -1;
    private long last = -1;

    public void add(long offset) {
        if (first >= 0 && offset == last + 1) {
            last = offset;
            return;
        }
        close();
        first = offset;
        last = offset;
    }

    private void close() {
        if (first >= 0) {
            ranges.add(new OffsetRange(first, last));
            first = -1;
        }
    }

    public boolean isEmpty() {
        return first < 0 && ranges.isEmpty();
    }

    /** The ranges, of which this forgets. */
    List<OffsetRange> take() {
        if (isEmpty()) {
            return List.of();
        }
        List<OffsetRange> taken = List.copyOf(toRanges());
        ranges.clear();
        return taken;
    }

    public List<OffsetRange> toRanges() {
        close();
        return ranges;
    }

    /** How many offsets the ranges hold, overlaps counted twice; {@link Long#MAX_VALUE} where it is that or more. */
    public static long count(List<OffsetRange> ranges) {
        long count = 0;
        for (OffsetRange range : ranges) {
            if (range.count() > Long.MAX_VALUE - count) {
                return Long.MAX_VALUE;
            }
            count += range.count();
        }
        return count;
    }
}
