package io.duramen.acceptance.branch;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.acceptance.process.ClusterProcess;
import io.duramen.acceptance.process.StormSeed;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tokens move round a ring of queues over the shards of a cluster, in local transactions and in branches of distributed ones, while the node
 * that serves is killed; what one node has decided the next carries out, and in the end all tokens are there, once. Settings:
 * {@code cluster.ring-rounds}, {@code storm.seed}.
 */
class ClusterRingIT {
    private static final int ROUNDS = Integer.getInteger("cluster.ring-rounds", 2);
    private static final long SEED = StormSeed.next();
    private static final String WHAT = "ring over a cluster, " + ROUNDS + " kills, seed " + SEED;
    private static final int TOKENS = 40;
    private static final int MOVERS_EACH = 2;
    private static final int SHARDS = 4;
    private static final int MOVES_BETWEEN_KILLS_MAX = 100;

    @TempDir
    private Path directory;

    @Test
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void shouldKeepEveryTokenOnceWhenTheNodeThatServesIsKilled() throws Exception {
        SplittableRandom random = new SplittableRandom(SEED);
        try (ClusterProcess cluster = ClusterProcess.in(directory)
                .withShards(SHARDS)
                .with("broker.deliveries-max", "0")
                .with("broker.redelivery-delay-max", "1s")) {
            cluster.begin();
            cluster.awaitInSync();
            try (TokenRing ring = new TokenRing(WHAT, cluster.url(), TOKENS)) {
                ring.start(MOVERS_EACH, random);
                for (int kill = 0; kill < ROUNDS; kill++) {
                    ring.awaitMoves(random.nextInt(1, MOVES_BETWEEN_KILLS_MAX), cluster.output());
                    cluster.killAndReturn();
                    cluster.awaitInSync();
                }
                ring.awaitMoves(MOVES_BETWEEN_KILLS_MAX, cluster.output());
                ring.stop();
                assertThat(ring.drain()).as(WHAT).isEqualTo(ring.tokens());
                System.out.printf("%s: %s, served again after %s ms%n", WHAT, ring, cluster.changeMillis());
            }
        }
    }
}
