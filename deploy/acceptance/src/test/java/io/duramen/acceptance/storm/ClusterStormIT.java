package io.duramen.acceptance.storm;

import io.duramen.acceptance.process.ClusterProcess;
import io.duramen.acceptance.process.PeerLinks;
import io.duramen.acceptance.process.StormSeed;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The storm over three nodes of a cluster: the one that leads is killed, halted or cut off, and the network between them breaks in each way
 * in which it can, one after the other. Each once in every build, and a few over several shards, which the same node has to lead; with the
 * profile {@code storm}, or {@code -Dcluster.rounds=150} and {@code -Dcluster.shard-rounds=50}, for longer.
 */
class ClusterStormIT {
    private static final int SHARDS = 3;

    @TempDir
    private Path directory;

    @Test
    @Timeout(value = 90, unit = TimeUnit.MINUTES)
    void shouldKeepEveryPromiseWhateverHappensToTheLeaderAndTheNetwork() throws Exception {
        storm(Integer.getInteger("cluster.rounds", 9), 1);
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void shouldKeepEveryPromiseOverSeveralShardsWhateverHappensToTheLeaderAndTheNetwork() throws Exception {
        storm(Integer.getInteger("cluster.shard-rounds", 3), SHARDS);
    }

    private void storm(int rounds, int shards) throws Exception {
        long seed = StormSeed.next();
        try (PeerLinks links = new PeerLinks();
                ClusterProcess cluster = cluster(links).withShards(shards)) {
            Storm.overCluster(
                    new Trouble(cluster, links, seed),
                    "cluster storm of " + rounds + " rounds, " + shards + " shards, seed " + seed,
                    seed,
                    rounds);
        }
    }

    /** What is rolled back comes again at once and in its place, however often: the checker knows no other order. */
    private ClusterProcess cluster(PeerLinks links) {
        return ClusterProcess.over(links, directory)
                .with("broker.deliveries-max", "0")
                .with("broker.redelivery-delay", "0s");
    }
}
