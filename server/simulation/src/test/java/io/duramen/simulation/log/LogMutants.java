package io.duramen.simulation.log;

import io.duramen.runtime.disk.Disk;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;

/** Runs of the log alone on a disk that does something wrong. */
public final class LogMutants {
    private LogMutants() {}

    public static LongConsumer on(UnaryOperator<Disk> mutant) {
        return seed -> new LogCrashRun(seed, random -> {
                    LogCrashRun.Opener opener = LogFloors.opener(random);
                    return (disk, clock) -> opener.open(mutant.apply(disk), clock);
                })
                .run();
    }
}
