package io.duramen.simulation.log;

/** Trace hashes of runs of the log alone. */
public final class LogTraces {
    private LogTraces() {}

    public static long hash(long seed) {
        return new LogCrashRun(seed, LogFloors::opener)
                .run()
                .simulation()
                .trace()
                .hash();
    }
}
