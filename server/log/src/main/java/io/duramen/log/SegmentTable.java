package io.duramen.log;

import java.util.ArrayList;
import java.util.List;

/** The segments that hold entries, oldest first; the last may be the one being filled. Confined to the agent. */
final class SegmentTable {
    private final List<Segment> segments = new ArrayList<>();
    private long lengthBytes;

    void add(Segment segment) {
        segments.add(segment);
        if (segment.isSealed()) {
            lengthBytes += segment.end();
        }
    }

    /** The segment being filled, which must be the last, was sealed. */
    void sealed(Segment segment) {
        lengthBytes += segment.end();
    }

    void remove(Segment segment) {
        segments.remove(segment);
        lengthBytes -= segment.end();
    }

    List<Segment> all() {
        return segments;
    }

    void replaceAll(List<Segment> others) {
        segments.clear();
        lengthBytes = 0;
        others.forEach(this::add);
    }

    /** @return null where there is none */
    Segment last() {
        return segments.isEmpty() ? null : segments.get(segments.size() - 1);
    }

    int size() {
        return segments.size();
    }

    long lengthBytes() {
        Segment last = last();
        return lengthBytes + (last == null || last.isSealed() ? 0 : last.end());
    }

    /** Index of the oldest entry; {@code ifNone} where there is none. */
    long firstIndex(long ifNone) {
        return segments.isEmpty() ? ifNone : segments.get(0).baseIndex();
    }

    /** Index of the oldest entry behind which none is missing; {@code ifNone} where there is none. */
    long firstWholeIndex(long ifNone) {
        int at = segments.size() - 1;
        while (at > 0
                && segments.get(at - 1).lastIndex() + 1 == segments.get(at).baseIndex()) {
            at--;
        }
        return at < 0 ? ifNone : segments.get(at).baseIndex();
    }

    /** The segment that holds the message; null where there is none. */
    Segment find(int partition, long offset) {
        for (int i = segments.size() - 1; i >= 0; i--) {
            if (segments.get(i).holds(partition, offset)) {
                return segments.get(i);
            }
        }
        return null;
    }

    /** The first segment with an entry at or behind the index; null where there is none. */
    Segment ceiling(long index) {
        for (Segment segment : segments) {
            if (segment.lastIndex() >= index) {
                return segment;
            }
        }
        return null;
    }

    /** Bytes of the entries behind the index; interpolated within a segment. */
    long bytesBehind(long index) {
        long bytes = 0;
        for (int i = segments.size() - 1; i >= 0; i--) {
            Segment segment = segments.get(i);
            if (segment.lastIndex() <= index) {
                break;
            }
            long entries = segment.lastIndex() - segment.baseIndex() + 1;
            long behind = Math.min(entries, segment.lastIndex() - index);
            bytes += (long) ((double) segment.end() * behind / entries);
        }
        return bytes;
    }
}
