package io.duramen.acceptance.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.acceptance.history.Report;
import io.duramen.acceptance.process.ClusterProcess;
import io.duramen.acceptance.process.Victim;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The storm over three nodes of a cluster: the one that leads is killed, or halted, again and again. A few times in every build,
 * {@code -Dcluster.kills=20} for more.
 */
class ClusterStormIT {
    @TempDir
    private Path directory;

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void shouldKeepEveryPromiseWhenTheLeaderIsKilledUnderLoad() throws Exception {
        try (ClusterProcess cluster = cluster("killed")) {
            storm(cluster, cluster);
        }
    }

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void shouldKeepEveryPromiseWhenTheLeaderIsHaltedUnderLoadAndGoesOn() throws Exception {
        try (ClusterProcess cluster = cluster("halted")) {
            storm(cluster, cluster.halted());
        }
    }

    /** What is rolled back comes again at once and in its place, however often: the checker knows no other order. */
    private ClusterProcess cluster(String name) {
        return ClusterProcess.in(directory.resolve(name))
                .with("broker.deliveries-max", "0")
                .with("broker.redelivery-delay", "0s");
    }

    private static void storm(ClusterProcess cluster, Victim victim) throws Exception {
        int rounds = Integer.getInteger("cluster.kills", 3);
        long given = Long.getLong("storm.seed", 0);
        long seed = given != 0 ? given : System.nanoTime();
        String name = "cluster storm of " + rounds + " rounds, seed " + seed;
        Report report;
        try {
            report = new Storm(victim, seed).run(rounds);
        } catch (Exception | AssertionError e) {
            throw new AssertionError(name + ": " + e.getMessage() + "\n" + cluster.output(), e);
        }
        System.out.println(name + "\n" + report + "\nuntil another node served, ms: " + cluster.changeMillis());
        assertThat(cluster.terminate())
                .as(name + ": exit codes\n" + cluster.output())
                .containsOnly(0);
        System.out.printf("%,d entries are the same in all logs%n", ReplicaEntries.requireSame(cluster.logs(), name));
        assertThat(report.isClean()).as(name + "\n" + report).isTrue();
    }
}
