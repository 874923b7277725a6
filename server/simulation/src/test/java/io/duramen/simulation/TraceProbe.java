package io.duramen.simulation;

import io.duramen.simulation.log.LogTraces;
import io.duramen.simulation.run.BrokerTraces;

/** Prints the trace hashes of some runs; started as a process of its own to compare JVMs. */
public final class TraceProbe {
    private static final int LOG_RUNS = 20;
    private static final int BROKER_RUNS = 5;

    private TraceProbe() {}

    public static void main(String[] arguments) {
        System.out.println(hashes());
    }

    static String hashes() {
        StringBuilder line = new StringBuilder("hashes");
        for (long seed = 1; seed <= LOG_RUNS; seed++) {
            line.append(' ').append(Long.toHexString(LogTraces.hash(seed)));
        }
        for (long seed = 1; seed <= BROKER_RUNS; seed++) {
            line.append(' ').append(Long.toHexString(BrokerTraces.hash(seed)));
        }
        return line.toString();
    }
}
