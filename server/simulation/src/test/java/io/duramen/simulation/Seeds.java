package io.duramen.simulation;

import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which seeds a test runs: {@code -Dsimulation.seed=N} that one alone, with a longer trace by
 * {@code -Dsimulation.trace-lines=N}; {@code -Dsimulation.seeds=N} that many from {@code -Dsimulation.first=N} on; else the
 * number that the test asks for. Not thread-safe.
 */
public final class Seeds {
    private static final Logger LOG = LoggerFactory.getLogger(Seeds.class);

    private Seeds() {}

    /** @param usually how many where nobody says otherwise */
    public static void run(int usually, LongConsumer run) {
        Long one = Long.getLong("simulation.seed");
        if (one != null) {
            run.accept(one);
            return;
        }
        long count = Long.getLong("simulation.seeds", usually);
        long first = Long.getLong("simulation.first", 1);
        for (long seed = first; seed < first + count; seed++) {
            run.accept(seed);
            if ((seed - first + 1) % 1000 == 0) {
                LOG.info("{} of {} seeds have passed", seed - first + 1, count);
            }
        }
    }
}
