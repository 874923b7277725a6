package io.duramen.acceptance.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.acceptance.history.Report;
import io.duramen.acceptance.process.ClusterProcess;
import io.duramen.acceptance.process.PeerLinks;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The storm over three nodes of a cluster: the one that leads is killed, halted or cut off, and the network between them breaks in each way
 * in which it can, one after the other. Each once in every build; with the profile {@code storm}, or {@code -Dcluster.rounds=150}, for longer.
 */
class ClusterStormIT {
    @TempDir
    private Path directory;

    @Test
    @Timeout(value = 90, unit = TimeUnit.MINUTES)
    void shouldKeepEveryPromiseWhateverHappensToTheLeaderAndTheNetwork() throws Exception {
        int rounds = Integer.getInteger("cluster.rounds", 9);
        long given = Long.getLong("storm.seed", 0);
        long seed = given != 0 ? given : System.nanoTime();
        String name = "cluster storm of " + rounds + " rounds, seed " + seed;
        try (PeerLinks links = new PeerLinks();
                ClusterProcess cluster = cluster(links)) {
            Report report;
            try {
                report = new Storm(new Trouble(cluster, links, seed), seed).run(rounds);
            } catch (Exception | AssertionError e) {
                throw new AssertionError(name + ": " + e.getMessage() + "\n" + cluster.output(), e);
            }
            System.out.println(name + "\n" + report + "\nuntil another node served, ms: " + cluster.changeMillis());
            links.heal();
            assertThat(cluster.terminate())
                    .as(name + ": exit codes\n" + cluster.output())
                    .containsOnly(0);
            System.out.printf(
                    "%,d entries are the same in all logs%n", ReplicaEntries.requireSame(cluster.logs(), name));
            assertThat(report.isClean()).as(name + "\n" + report).isTrue();
        }
    }

    /** What is rolled back comes again at once and in its place, however often: the checker knows no other order. */
    private ClusterProcess cluster(PeerLinks links) {
        return ClusterProcess.over(links, directory)
                .with("broker.deliveries-max", "0")
                .with("broker.redelivery-delay", "0s");
    }
}
