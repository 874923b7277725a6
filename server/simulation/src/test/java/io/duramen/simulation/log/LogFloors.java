package io.duramen.simulation.log;

import io.duramen.log.LogConfig;
import io.duramen.replication.LocalLog;
import io.duramen.runtime.settings.Bytes;
import io.duramen.simulation.SeededRandom;
import java.time.Duration;

/** Settings of a log that make its rare paths common: small segments, small caches, short intervals. */
public final class LogFloors {
    /** Of the checksums; the same in all runs. */
    public static final int SALT = 0x0DD_5EED;

    private LogFloors() {}

    static LogCrashRun.Opener opener(SeededRandom random) {
        LogConfig config = config(random);
        return (disk, clock) -> new LocalLog(disk, clock, config, SALT);
    }

    public static LogConfig config(SeededRandom random) {
        int segment = random.between(4096, 20_000);
        return new LogConfig(
                new Bytes(segment),
                random.below(4),
                new Bytes(random.between(1024, 2048)),
                LogConfig.Sync.ALWAYS,
                Duration.ofSeconds(1),
                Duration.ofMillis(random.between(1, 20)),
                new Bytes(random.between(2_000, 40_000)),
                new Bytes(random.between(256, 2_000)),
                new Bytes(random.between(4096, 16_384)),
                new Bytes(random.between(64 * 1024, 128 * 1024)));
    }
}
