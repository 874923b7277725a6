package io.duramen.acceptance.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.acceptance.history.Report;
import io.duramen.acceptance.process.ClusterProcess;
import io.duramen.acceptance.process.ClusterVictim;
import io.duramen.acceptance.process.OperatorCommand;
import io.duramen.acceptance.process.ServerProcess;
import io.duramen.acceptance.process.StormSeed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * All nodes of a cluster are restarted, one after the other, as the manual says, under the storm's load: once in every build, ten times with
 * the profile {@code storm}, or {@code -Dcluster.restarts=10}.
 */
class RollingRestartIT {
    @TempDir
    private Path directory;

    /** Goal: who sends and waits, and who listens, is told of no error, and nothing comes again but what was in hand. */
    @Test
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void shouldDisturbNoProducerAndNoListenerWhenAllNodesAreRestartedInTurn() throws Exception {
        int restarts = Integer.getInteger("cluster.restarts", 1);
        long seed = StormSeed.next();
        String name = restarts + " restarts of all nodes, seed " + seed;
        try (ClusterProcess cluster =
                ClusterProcess.in(directory).with("broker.deliveries-max", "0").with("broker.redelivery-delay", "0s")) {
            Report report = Storm.overCluster(new InTurn(cluster), name, seed, Rounds.times(restarts));
            assertThat(report.disturbances())
                    .as(name)
                    .noneMatch(call -> call.startsWith("blocking-producer") || call.startsWith("automatic"));
        }
    }

    /** Drained, stopped and started again, node by node. */
    private final class InTurn extends ClusterVictim {
        InTurn(ClusterProcess cluster) {
            super(cluster);
        }

        @Override
        public void killAndReturn() throws IOException, InterruptedException {
            for (ServerProcess node : cluster().nodes()) {
                OperatorCommand.runsOn(node.data(), directory, "cluster", "drain");
                assertThat(node.terminate()).as(node.output()).isZero();
                node.start();
                cluster().awaitInSync();
            }
        }
    }
}
