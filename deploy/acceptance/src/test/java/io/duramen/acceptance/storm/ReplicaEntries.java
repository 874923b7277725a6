package io.duramen.acceptance.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.log.EntryReader;
import io.duramen.log.LogConfig;
import io.duramen.log.LogEntry;
import io.duramen.log.ShardLog;
import io.duramen.metadata.ShardImage;
import io.duramen.metadata.snapshot.SnapshotMetadataStore;
import io.duramen.runtime.SystemClock;
import io.duramen.runtime.disk.FileDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;

/** What stands in the log of a replica that does not run, whether it was committed or not, from where no entry is missing. */
public final class ReplicaEntries {
    /** @param checksum over its records, and where they stand */
    private record Entry(long index, long epoch, long timestampMillis, long baseOffset, int count, long checksum) {}

    private ReplicaEntries() {}

    /**
     * Up to the last entry that all have, by its epoch, all logs are the same, from the first that all have; behind it there may be
     * what elections at the end have left, and no record.
     *
     * @param logs directories of the logs, beside each the image of the state
     * @return how many entries are the same
     */
    public static int requireSame(List<Path> logs, String name) throws IOException {
        List<TreeMap<Long, Entry>> all = new ArrayList<>();
        for (Path log : logs) {
            TreeMap<Long, Entry> entries = new TreeMap<>();
            of(log).forEach(entry -> entries.put(entry.index(), entry));
            all.add(entries);
        }
        long first = all.stream().mapToLong(TreeMap::firstKey).max().orElseThrow();
        long last = all.stream().mapToLong(TreeMap::lastKey).min().orElseThrow();
        while (last >= first && hasSeveralEpochs(all, last)) {
            last--;
        }
        long common = last;
        assertThat(common).as(name + ": the last entry that all have").isGreaterThanOrEqualTo(first);
        for (TreeMap<Long, Entry> entries : all) {
            assertThat(entries.subMap(first, true, common, true).keySet())
                    .as(name + ": without a gap")
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(first, common).boxed().toList());
            assertThat(entries.subMap(first, true, common, true))
                    .as(name)
                    .isEqualTo(all.get(0).subMap(first, true, common, true));
            assertThat(entries.tailMap(common, false).values())
                    .as(name + ": behind what all have")
                    .allMatch(entry -> entry.count() == 0);
        }
        return Math.toIntExact(common - first + 1);
    }

    private static boolean hasSeveralEpochs(List<TreeMap<Long, Entry>> all, long at) {
        return all.stream().map(entries -> entries.get(at).epoch()).distinct().count() > 1;
    }

    private static List<Entry> of(Path directory) throws IOException {
        List<Entry> entries = new ArrayList<>();
        FileDisk disk = new FileDisk(directory);
        ShardLog log = new ShardLog(disk, new SystemClock(), LogConfig.defaults(), 1);
        try {
            log.open(appliedOf(directory.resolveSibling("image")));
            EntryReader reader = log.reader(log.firstWholeIndex());
            while (!reader.isDone() && reader.failure().isEmpty()) {
                if (reader.poll(entry -> entries.add(entryOf(entry))) == 0) {
                    disk.awaitDue();
                    disk.poll();
                }
            }
            if (reader.failure().isPresent()) {
                throw reader.failure().get();
            }
        } finally {
            log.close();
        }
        return entries;
    }

    private static long appliedOf(Path image) throws IOException {
        String directory = image.getParent().getFileName().toString();
        int shard = Integer.parseInt(directory.substring("shard-".length()));
        try (FileDisk disk = new FileDisk(image)) {
            return new SnapshotMetadataStore(disk)
                    .load(shard)
                    .map(ShardImage::appliedIndex)
                    .orElse(0L);
        }
    }

    private static Entry entryOf(LogEntry entry) {
        CRC32C checksum = new CRC32C();
        ByteBuffer body = entry.body().duplicate();
        checksum.update(body);
        return new Entry(
                entry.index(),
                entry.epoch(),
                entry.timestampMillis(),
                entry.baseOffset(),
                entry.configuration() ? 0 : entry.count(),
                checksum.getValue());
    }
}
