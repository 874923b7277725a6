package io.duramen.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.OptionalInt;

/**
 * Reads a segment without an index entry by entry, blocking, and judges its end. Confined to the agent.
 *
 * <p>The first position without an intact entry of the next index is the hole. Then:
 * <ul>
 *   <li>only zeros behind it: the log ends there;
 *   <li>the segment is not the last one with content: nothing may be missing, since a segment is synced before the next gets
 *       content. What it was filled over may stand behind it, but none of its own entries;
 *   <li>an intact entry behind it, appended when the entry of the hole was on disk already (see
 *       {@link EntryHeader#syncedBefore}): damage;
 *   <li>else a torn tail: nothing from the hole on was ever known to be on disk, whatever is readable there, so
 *       nobody was told that it was; it is cut. Damage within what was synced last cannot be told from this.
 * </ul>
 *
 * <p>What a file held before it was filled anew does not pass for its entries: their salt was another. But it is what clients
 * sent, and one of them may send what looks like a very large number of entries, so that the checksums of all of them take
 * too long. Then the hole's own bytes decide: where they claim to be the entry that is due, it is damage.
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
     * Lets pass what may be a torn tail, or was there before.
     *
     * @param hole where an entry is due that is not there; 0 where the header is lost, and with it the first one
     * @param index of the entry that should stand at the hole
     * @param indexMax the highest that may stand behind it
     * @param salt of the segment's entries; where it is not known, what looks like an entry counts as one
     * @throws DamagedLogException where the hole was on disk once
     */
    static void requireTorn(FileWindow window, String name, long hole, long index, long indexMax, OptionalInt salt)
            throws IOException {
        Search search = new Search(window, index, indexMax, salt);
        long found = search.run(hole, EntryHeader::syncedBefore);
        if (found >= 0) {
            long later = EntryHeader.index(window.bytes(), window.show(found, EntryHeader.LENGTH));
            throw damaged(
                    name,
                    hole,
                    "entry " + index + " is not intact, but was on disk when entry " + later + ", found at position "
                            + found + ", was appended");
        }
        if (search.gaveUp && claims(window, hole == 0 ? SegmentHeader.LENGTH : hole, index)) {
            throw damaged(name, hole, "entry " + index + " is not intact, and what follows cannot be judged");
        }
    }

    /**
     * Lets pass what was there before a segment was filled that later ones followed.
     *
     * @throws DamagedLogException where entries of its own are behind the hole, or what stands there claims to be one
     */
    static void requireEnd(FileWindow window, Segment segment) throws IOException {
        long hole = segment.end();
        long index = segment.lastIndex() + 1;
        long indexMax = index + (window.limit() - hole) / EntryHeader.LENGTH;
        Search search = new Search(window, index, indexMax, OptionalInt.of(segment.salt()));
        if (claims(window, hole, index) || search.run(hole, EntryHeader::index) >= 0) {
            throw damaged(segment.name(), hole, "entry " + index + " is not intact, and later segments have content");
        }
    }

    private static boolean claims(FileWindow window, long position, long index) throws IOException {
        return window.limit() - position >= EntryHeader.LENGTH
                && EntryHeader.index(window.bytes(), window.show(position, EntryHeader.LENGTH)) == index;
    }

    /** A look for intact entries at any position. */
    private static final class Search {
        private final FileWindow window;
        private final long index;
        private final long indexMax;
        private final OptionalInt salt;
        private boolean gaveUp;

        Search(FileWindow window, long index, long indexMax, OptionalInt salt) {
            this.window = window;
            this.index = index;
            this.indexMax = indexMax;
            this.salt = salt;
        }

        /** An index that an entry tells of. */
        private interface Told {
            long by(ByteBuffer in, int at);
        }

        /** Where the first one stands that tells of the index looked for or a later one; negative for nowhere. */
        long run(long from, Told told) throws IOException {
            long checked = 0;
            for (long position = from; position <= window.limit() - EntryHeader.LENGTH; ) {
                int at = window.show(position, EntryHeader.LENGTH);
                ByteBuffer bytes = window.bytes();
                if (bytes.getLong(at) == 0) {
                    position += 5;
                    continue;
                }
                long length = EntryHeader.totalLength(bytes, at);
                if (EntryHeader.index(bytes, at) <= indexMax
                        && told.by(bytes, at) >= index
                        && length >= EntryHeader.LENGTH
                        && length <= window.limit() - position
                        && EntryHeader.isKnownType(bytes, at)) {
                    checked += length;
                    at = window.show(position, (int) length);
                    if (salt.isEmpty() || EntryHeader.isIntact(window.bytes(), at, (int) length, salt.getAsInt())) {
                        return position;
                    }
                    if (checked > window.limit() * CHECKED_FACTOR_MAX) {
                        gaveUp = true;
                        return -1;
                    }
                }
                position++;
            }
            return -1;
        }
    }

    static DamagedLogException damaged(String name, long position, String what) {
        return new DamagedLogException(name + " is damaged at position " + position + ": " + what
                + ". Nothing was changed. Put an intact copy of this file in its place (a backup, another replica), or"
                + " move the data directory aside to start empty");
    }
}
