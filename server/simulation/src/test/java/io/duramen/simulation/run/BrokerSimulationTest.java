package io.duramen.simulation.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.simulation.Seeds;
import io.duramen.simulation.broker.Step;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BrokerSimulationTest {
    private static final int SEEDS = 300;

    @Test
    void shouldKeepItsPromisesWhenEverythingBreaks() {
        Set<Step> steps = EnumSet.noneOf(Step.class);
        long[] grown = {0};
        long[] again = {0};
        long[] successions = {0};
        long[] full = {0};
        long[] waited = {0};
        Seeds.run(SEEDS, seed -> {
            BrokerRun run = new BrokerRun(seed, BrokerFloors::of).run();
            steps.addAll(run.steps());
            grown[0] += run.hasGrown() ? 1 : 0;
            again[0] += run.cameAgain();
            successions[0] += run.successions();
            full[0] += run.full();
            waited[0] += run.waited();
        });
        long seeds = Long.getLong("simulation.seeds", SEEDS);
        if (Long.getLong("simulation.seed") == null && seeds >= SEEDS) {
            assertThat(steps)
                    .as("steps of transactions over shards at which the server died")
                    .containsExactlyInAnyOrder(Step.values());
            assertThat(grown[0])
                    .as("runs in which destinations got further partitions")
                    .isBetween(seeds / 4, seeds - 1);
            assertThat(successions[0])
                    .as("leaders that went on while others led")
                    .isGreaterThan(seeds / 4);
            assertThat(again[0]).as("messages that came again by seeks").isGreaterThan(seeds);
            assertThat(full[0]).as("full destinations that were seen").isGreaterThan(seeds / 3);
            assertThat(waited[0]).as("batches that waited for room").isGreaterThan(seeds);
        }
    }
}
