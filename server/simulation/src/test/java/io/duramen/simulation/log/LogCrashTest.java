package io.duramen.simulation.log;

import io.duramen.simulation.Seeds;
import org.junit.jupiter.api.Test;

class LogCrashTest {
    private static final int SEEDS = 1000;

    @Test
    void shouldKeepItsPromisesWhenItCrashesAtAnyTime() {
        Seeds.run(SEEDS, seed -> new LogCrashRun(seed, LogFloors::opener).run());
    }
}
