package io.duramen.log;

import java.io.IOException;
import java.util.OptionalInt;

/**
 * Reads a segment without an index entry by entry, blocking, and judges its end. Confined to the agent.
 *
 * <p>The first position without an intact entry of the next index is the hole. Then:
 * <ul>
 *   <li>only zeros behind it: the log ends there;
 *   <li>the segment is not the last one with content: damage, since a segment is synced before the next gets content;
 *   <li>an intact entry behind it, appended when the entry of the hole was on disk already (see
 *       {@link EntryHeader#syncedBefore}): damage;
 *   <li>else a torn tail: nothing from the hole on was ever known to be on disk, whatever is readable there, so
 *       nobody was told that it was; it is cut. Damage within what was synced last cannot be told from this.
 * </ul>
 */
final class SegmentScan {
    private static final int CHECKED_FACTOR_MAX = 16;

    private final FileWindow window;
    private final Segment segment;

    /** @param segment empty; gets the entries found */
    SegmentScan(FileWindow window, Segment segment) {
        this.window = window;
        this.segment = segment;
    }

    /** Takes up all entries up to the hole, which is then at {@link Segment#end}. */
    void run() throws IOException {
        run(Long.MAX_VALUE);
    }

    /** As {@link #run()}, but not beyond that entry. */
    void run(long lastIndex) throws IOException {
        while (segment.lastIndex() < lastIndex) {
            int position = segment.end();
            int length = intactLength(position, segment.lastIndex() + 1);
            if (length < 0) {
                return;
            }
            int at = window.show(position, length);
            try {
                segment.add(window.bytes(), at, length);
            } catch (DamagedLogException e) {
                throw damaged(segment.name(), position, "the checksum of the entry is right, but " + e.getMessage());
            }
        }
    }

    private int intactLength(long position, long index) throws IOException {
        long remaining = window.limit() - position;
        if (remaining < EntryHeader.LENGTH) {
            return -1;
        }
        int at = window.show(position, EntryHeader.LENGTH);
        long length = EntryHeader.totalLength(window.bytes(), at);
        if (length < EntryHeader.LENGTH
                || length > remaining
                || EntryHeader.index(window.bytes(), at) != index
                || EntryHeader.epoch(window.bytes(), at) < segment.lastEpoch()
                || !EntryHeader.isKnownType(window.bytes(), at)) {
            return -1;
        }
        at = window.show(position, (int) length);
        return EntryHeader.isIntact(window.bytes(), at, (int) length, segment.salt()) ? (int) length : -1;
    }

    /** Whether the log ends at the hole; else there is something behind it. */
    static boolean isClean(FileWindow window, long hole) throws IOException {
        return window.isZeroFrom(hole);
    }

    /**
     * Lets pass what may be a torn tail.
     *
     * @param index of the entry that should stand at the hole
     * @param indexMax the highest that may stand behind it
     * @param salt of the log's entries; where it is not known, what looks like an entry counts as one
     * @throws DamagedLogException where the hole was on disk once
     */
    static void requireTorn(FileWindow window, String name, long hole, long index, long indexMax, OptionalInt salt)
            throws IOException {
        long checked = 0;
        for (long position = hole; position <= window.limit() - EntryHeader.LENGTH; ) {
            int at = window.show(position, EntryHeader.LENGTH);
            if (window.bytes().getLong(at) == 0) {
                position += 5;
                continue;
            }
            long length = EntryHeader.totalLength(window.bytes(), at);
            if (EntryHeader.index(window.bytes(), at) <= indexMax
                    && EntryHeader.syncedBefore(window.bytes(), at) >= index
                    && length >= EntryHeader.LENGTH
                    && length <= window.limit() - position
                    && EntryHeader.isKnownType(window.bytes(), at)) {
                long later = EntryHeader.index(window.bytes(), at);
                checked += length;
                at = window.show(position, (int) length);
                if (salt.isEmpty() || EntryHeader.isIntact(window.bytes(), at, (int) length, salt.getAsInt())) {
                    throw damaged(
                            name,
                            hole,
                            "entry " + index + " is not intact, but was on disk when entry " + later
                                    + ", found at position " + position + ", was appended");
                }
                if (checked > window.limit() * CHECKED_FACTOR_MAX) {
                    throw damaged(name, hole, "entry " + index + " is not intact, and what follows cannot be judged");
                }
            }
            position++;
        }
    }

    static DamagedLogException damaged(String name, long position, String what) {
        return new DamagedLogException(name + " is damaged at position " + position + ": " + what
                + ". Nothing was changed. Put an intact copy of this file in its place (a backup, another replica), or"
                + " move the data directory aside to start empty");
    }
}
