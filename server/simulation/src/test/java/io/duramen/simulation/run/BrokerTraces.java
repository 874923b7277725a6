package io.duramen.simulation.run;

/** Trace hashes of runs of the whole broker. */
public final class BrokerTraces {
    private BrokerTraces() {}

    public static long hash(long seed) {
        return new BrokerRun(seed, BrokerFloors::of).run().simulation().trace().hash();
    }
}
