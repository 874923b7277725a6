package io.duramen.log;

import io.duramen.runtime.settings.Bytes;
import io.duramen.runtime.settings.Setting;
import java.time.Duration;

/** How a shard log keeps its files; bound with the prefix {@code log}. Immutable. */
public record LogConfig(
        @Setting(
                value = "64MiB",
                min = "4KiB",
                max = "1GiB",
                doc = "Length of a segment file; one is always prepared ahead.")
        Bytes segmentSize,

        @Setting(
                value = "4",
                min = "0",
                max = "64",
                doc =
                        "Files of segments that nobody needs any more, kept to be filled anew: a new file is first written"
                                + " with zeros.")
        int spareSegments,

        @Setting(
                value = "4MiB",
                max = "512MiB",
                doc = "Room in the last segment that is kept for settlements and other small records when the"
                        + " disk is full; messages are refused once only this is left.")
        Bytes reserve,

        @Setting(
                value = "always",
                doc = "When what must not be lost counts as stored: always = once it is on disk (fsync, shared by"
                        + " all that waits); interval = once it is written, synced every log.sync-interval, so"
                        + " that a crash of the machine, though not of the process, loses the last interval.")
        Sync sync,

        @Setting(
                value = "1s",
                min = "1ms",
                max = "1h",
                doc = "With log.sync = interval: longest time that written records stay unsynced.")
        Duration syncInterval,

        @Setting(
                value = "20ms",
                min = "1ms",
                max = "1m",
                doc = "With log.sync = always: longest time that records which need no sync of their own stay"
                        + " unsynced.")
        Duration lazySyncInterval,

        @Setting(
                value = "32MiB",
                min = "64KiB",
                max = "4GiB",
                doc = "Memory, outside the heap, for the newest records of a shard, which are then read without"
                        + " touching the disk.")
        Bytes cacheSize,

        @Setting(
                value = "16KiB",
                min = "256",
                max = "1MiB",
                doc = "A partition has an index item for at most one record in so many bytes of log.")
        Bytes indexInterval,

        @Setting(
                value = "1MiB",
                min = "4KiB",
                max = "64MiB",
                doc = "Bytes fetched at once for a reader that goes through old records one after the other.")
        Bytes readChunk,

        @Setting(
                value = "16MiB",
                min = "64KiB",
                max = "4GiB",
                doc = "Memory for fetched old records of a shard, and as much again for indexes of old segments.")
        Bytes readCacheSize,

        @Setting(
                value = "1",
                min = "1",
                max = "64",
                doc =
                        "Shards of the node: logs with a thread each. Fixed by the data directory, but may grow at a restart."
                                + " In a cluster 32 at most, the same number on each node, and fixed when it begins.")
        int shards,

        @Setting(
                value = "7d",
                doc = "Full segments are read through in the background, at 8 MiB a second, and checked for damage so"
                        + " long after that was done last, the first time an hour after the start at the latest; 0s ="
                        + " never.")
        Duration scrubInterval) {
    private static final Duration SCRUB_INTERVAL_DEFAULT = Duration.ofDays(7);

    /** Of a log by itself. */
    public LogConfig(
            Bytes segmentSize,
            int spareSegments,
            Bytes reserve,
            Sync sync,
            Duration syncInterval,
            Duration lazySyncInterval,
            Bytes cacheSize,
            Bytes indexInterval,
            Bytes readChunk,
            Bytes readCacheSize) {
        this(
                segmentSize,
                spareSegments,
                reserve,
                sync,
                syncInterval,
                lazySyncInterval,
                cacheSize,
                indexInterval,
                readChunk,
                readCacheSize,
                1,
                SCRUB_INTERVAL_DEFAULT);
    }

    /** When a record that asks to be synced is. */
    public enum Sync {
        /** Before it is committed. */
        ALWAYS,
        /** Every so often. */
        INTERVAL
    }

    /** The defaults of the declarations above. */
    public static LogConfig defaults() {
        return new LogConfig(
                Bytes.ofMebi(64),
                4,
                Bytes.ofMebi(4),
                Sync.ALWAYS,
                Duration.ofSeconds(1),
                Duration.ofMillis(20),
                Bytes.ofMebi(32),
                new Bytes(16 * 1024),
                Bytes.ofMebi(1),
                Bytes.ofMebi(16));
    }

    public LogConfig withSegmentSize(Bytes size) {
        return new LogConfig(
                size,
                spareSegments,
                reserve,
                sync,
                syncInterval,
                lazySyncInterval,
                cacheSize,
                indexInterval,
                readChunk,
                readCacheSize,
                shards,
                scrubInterval);
    }

    public LogConfig withReserve(Bytes bytes) {
        return new LogConfig(
                segmentSize,
                spareSegments,
                bytes,
                sync,
                syncInterval,
                lazySyncInterval,
                cacheSize,
                indexInterval,
                readChunk,
                readCacheSize,
                shards,
                scrubInterval);
    }

    public LogConfig withSync(Sync mode) {
        return new LogConfig(
                segmentSize,
                spareSegments,
                reserve,
                mode,
                syncInterval,
                lazySyncInterval,
                cacheSize,
                indexInterval,
                readChunk,
                readCacheSize,
                shards,
                scrubInterval);
    }

    public LogConfig withCacheSize(Bytes size) {
        return new LogConfig(
                segmentSize,
                spareSegments,
                reserve,
                sync,
                syncInterval,
                lazySyncInterval,
                size,
                indexInterval,
                readChunk,
                readCacheSize,
                shards,
                scrubInterval);
    }

    public LogConfig withIndexInterval(Bytes bytes) {
        return new LogConfig(
                segmentSize,
                spareSegments,
                reserve,
                sync,
                syncInterval,
                lazySyncInterval,
                cacheSize,
                bytes,
                readChunk,
                readCacheSize,
                shards,
                scrubInterval);
    }

    public LogConfig withSpareSegments(int count) {
        return new LogConfig(
                segmentSize,
                count,
                reserve,
                sync,
                syncInterval,
                lazySyncInterval,
                cacheSize,
                indexInterval,
                readChunk,
                readCacheSize,
                shards,
                scrubInterval);
    }

    public LogConfig withScrubInterval(Duration interval) {
        return new LogConfig(
                segmentSize,
                spareSegments,
                reserve,
                sync,
                syncInterval,
                lazySyncInterval,
                cacheSize,
                indexInterval,
                readChunk,
                readCacheSize,
                shards,
                interval);
    }
}
