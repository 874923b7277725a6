package io.duramen.simulation.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.simulation.Seeds;
import org.junit.jupiter.api.Test;

/** As {@link BrokerSimulationTest}, with each shard led by a node of its own, which changes while the others lead on. */
class FarSimulationTest {
    private static final int SEEDS = 120;

    @Test
    void shouldKeepItsPromisesWhenShardsGetOtherLeadersOneByOne() {
        long[] successions = {0};
        Seeds.run(
                SEEDS, seed -> successions[0] += BrokerRun.overNodes(seed).run().successions());
        if (Long.getLong("simulation.seed") == null) {
            assertThat(successions[0])
                    .as("leaders that went on while others led")
                    .isPositive();
        }
    }
}
