package io.duramen.acceptance.storm;

import io.duramen.log.LogConfig;
import io.duramen.replication.CommittedEntry;
import io.duramen.replication.LocalLog;
import io.duramen.replication.ReplicatedLog;
import io.duramen.runtime.SystemClock;
import io.duramen.runtime.disk.FileDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/** What stands in the log of a replica that does not run, whether it was committed or not. */
final class ReplicaEntries {
    /** @param checksum over its records, and where they stand */
    record Entry(long index, long epoch, long timestampMillis, long baseOffset, int count, long checksum) {}

    private ReplicaEntries() {}

    static List<Entry> of(Path directory) throws IOException {
        List<Entry> entries = new ArrayList<>();
        Reading reading = new Reading(entries);
        LocalLog log = new LocalLog(new FileDisk(directory), new SystemClock(), LogConfig.defaults(), 1);
        try {
            log.start(0, reading);
            while (!reading.ended) {
                log.poll();
            }
        } finally {
            log.close();
        }
        if (reading.failure != null) {
            throw reading.failure;
        }
        return entries;
    }

    private static final class Reading implements ReplicatedLog.Listener {
        private final List<Entry> entries;
        private boolean ended;
        private IOException failure;

        Reading(List<Entry> entries) {
            this.entries = entries;
        }

        @Override
        public void onCommitted(CommittedEntry entry) {
            CRC32C checksum = new CRC32C();
            ByteBuffer records = entry.records().duplicate();
            checksum.update(records);
            entries.add(new Entry(
                    entry.index(),
                    entry.epoch(),
                    entry.timestampMillis(),
                    entry.baseOffset(),
                    entry.count(),
                    checksum.getValue()));
        }

        @Override
        public void onDurable(long index) {}

        @Override
        public void onLeading(long epoch) {
            ended = true;
        }

        @Override
        public void onStopped(IOException cause) {
            failure = cause;
            ended = true;
        }
    }
}
