package io.duramen.log;

import java.nio.ByteBuffer;

/**
 * An entry as it stands in the log.
 *
 * @param index ascending by one from 1
 * @param epoch of the leadership that appended it
 * @param timestampMillis the clock when it was appended
 * @param baseOffset offset in the shard log of the first record
 * @param synced whether it is committed only when it is on disk
 * @param configuration whether it is the replication engine's own and holds no records
 * @param body the records, see {@link LogRecord#forEach}, or what the engine wrote; valid during the call only
 */
public record LogEntry(
        long index,
        long epoch,
        long timestampMillis,
        long baseOffset,
        int count,
        boolean synced,
        boolean configuration,
        ByteBuffer body) {
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    /** The records; none where it is the engine's own. */
    public ByteBuffer records() {
        return configuration ? NONE : body;
    }

    static LogEntry at(ByteBuffer in, int at, int length) {
        return new LogEntry(
                EntryHeader.index(in, at),
                EntryHeader.epoch(in, at),
                EntryHeader.timestampMillis(in, at),
                EntryHeader.baseOffset(in, at),
                EntryHeader.count(in, at),
                EntryHeader.isSynced(in, at),
                EntryHeader.isConfiguration(in, at),
                in.slice(at + EntryHeader.LENGTH, length - EntryHeader.LENGTH));
    }
}
