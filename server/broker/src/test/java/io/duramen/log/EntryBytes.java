package io.duramen.log;

import java.nio.ByteBuffer;

/** Lets a log that is not this package's see the records of an entry. */
public final class EntryBytes {
    private EntryBytes() {}

    /** A copy of the records gathered so far, without the entry's header. */
    public static byte[] recordsOf(EntryBuffer entry) {
        ByteBuffer bytes = entry.bytes();
        byte[] records = new byte[bytes.limit() - EntryBuffer.HEADER_LENGTH];
        bytes.get(EntryBuffer.HEADER_LENGTH, records);
        return records;
    }

    /** Empties an entry, to be filled anew. */
    public static EntryBuffer emptied(EntryBuffer entry) {
        entry.clear();
        return entry;
    }
}
