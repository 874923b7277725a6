package io.duramen.replication;

import io.duramen.log.LogEntry;
import java.nio.ByteBuffer;

/**
 * An entry as it comes back from the log.
 *
 * @param index ascending by one from 1
 * @param epoch of the leadership that appended it
 * @param timestampMillis the leader's clock when it appended it; the shard's notion of now
 * @param baseOffset offset in the shard log of the first record
 * @param records to be walked with {@link io.duramen.log.LogRecord#forEach}
 */
public record CommittedEntry(
        long index, long epoch, long timestampMillis, long baseOffset, int count, ByteBuffer records) {
    /** The entry as the log had it; its records are the same bytes. */
    public static CommittedEntry of(LogEntry entry) {
        return new CommittedEntry(
                entry.index(),
                entry.epoch(),
                entry.timestampMillis(),
                entry.baseOffset(),
                entry.count(),
                entry.records());
    }
}
