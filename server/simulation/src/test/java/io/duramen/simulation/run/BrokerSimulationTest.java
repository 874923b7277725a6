package io.duramen.simulation.run;

import io.duramen.simulation.Seeds;
import org.junit.jupiter.api.Test;

class BrokerSimulationTest {
    private static final int SEEDS = 100;

    @Test
    void shouldKeepItsPromisesWhenEverythingBreaks() {
        Seeds.run(SEEDS, seed -> new BrokerRun(seed, BrokerFloors::of).run());
    }
}
