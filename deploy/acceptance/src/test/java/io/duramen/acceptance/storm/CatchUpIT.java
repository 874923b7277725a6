package io.duramen.acceptance.storm;

import io.duramen.acceptance.process.ClusterProcess;
import io.duramen.acceptance.process.LeftBehind;
import io.duramen.acceptance.process.StormSeed;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The storm over three nodes, one of which is away until the others have deleted what it lacks: it copies the leader's log while that
 * goes on serving, and the cluster relies on it right after.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class CatchUpIT {
    @TempDir
    private Path directory;

    @Test
    void shouldLoseNothingWhenANodeThatWasAwayForLongHasCopiedTheLogAndTheLeaderIsKilled() throws Exception {
        storm(false);
    }

    @Test
    void shouldLoseNothingWhenANodeWithAnEmptyDirectoryHasCopiedTheLogAndTheLeaderIsKilled() throws Exception {
        storm(true);
    }

    /** Small segments, images often: so that much is deleted soon. What is rolled back comes again at once and in its place. */
    private ClusterProcess cluster() {
        return ClusterProcess.in(directory)
                .with("log.segment-size", "256KiB")
                .with("metadata.flush-every", "100ms")
                .with("metadata.snapshot-every", "2s")
                .with("cluster.catch-up-rate", "8MiB")
                .with("broker.deliveries-max", "0")
                .with("broker.redelivery-delay", "0s");
    }

    private void storm(boolean emptied) throws Exception {
        long seed = StormSeed.next();
        String name = "storm with a node left behind" + (emptied ? ", and emptied" : "") + ", seed " + seed;
        try (ClusterProcess cluster = cluster()) {
            LeftBehind behind = new LeftBehind(cluster, emptied);
            Storm.overCluster(behind, name, seed, Rounds.times(1));
            System.out.println(behind.told());
        }
    }
}
