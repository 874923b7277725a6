package io.duramen.acceptance.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.acceptance.history.Report;
import io.duramen.acceptance.process.ClusterProcess;
import io.duramen.acceptance.process.OperatorCommand;
import io.duramen.acceptance.process.ServerProcess;
import io.duramen.acceptance.process.Victim;
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
        long given = Long.getLong("storm.seed", 0);
        long seed = given != 0 ? given : System.nanoTime();
        String name = restarts + " restarts of all nodes, seed " + seed;
        try (ClusterProcess cluster =
                ClusterProcess.in(directory).with("broker.deliveries-max", "0").with("broker.redelivery-delay", "0s")) {
            Report report;
            try {
                report = new Storm(new InTurn(cluster), seed).run(restarts);
            } catch (Exception | AssertionError e) {
                throw new AssertionError(name + ": " + e.getMessage() + "\n" + cluster.output(), e);
            }
            System.out.println(name + "\n" + report);
            assertThat(cluster.terminate())
                    .as(name + ": exit codes\n" + cluster.output())
                    .containsOnly(0);
            assertThat(report.isClean()).as(name + "\n" + report).isTrue();
            assertThat(report.disturbances())
                    .as(name)
                    .noneMatch(call -> call.startsWith("blocking-producer") || call.startsWith("automatic"));
        }
    }

    /** Drained, stopped and started again, node by node. */
    private final class InTurn implements Victim {
        private final ClusterProcess cluster;

        InTurn(ClusterProcess cluster) {
            this.cluster = cluster;
        }

        @Override
        public void begin() throws IOException, InterruptedException {
            cluster.begin();
            cluster.awaitInSync();
        }

        @Override
        public void killAndReturn() throws IOException, InterruptedException {
            for (ServerProcess node : cluster.nodes()) {
                OperatorCommand.runsOn(node.data(), directory, "cluster", "drain");
                assertThat(node.terminate()).as(node.output()).isZero();
                node.start();
                cluster.awaitInSync();
            }
        }

        @Override
        public String url() {
            return cluster.url();
        }

        @Override
        public String output() {
            return cluster.output();
        }
    }
}
