package io.duramen.acceptance.branch;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.acceptance.process.ClusterProcess;
import io.duramen.acceptance.process.OperatorCommand;
import io.duramen.acceptance.process.StormSeed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tokens move round a ring of queues over the shards of a cluster, each of whose nodes leads some, in local transactions and in branches of
 * distributed ones, while one node after the other is killed; in the end all tokens are there, once. Settings:
 * {@code cluster.ring-rounds}, {@code storm.seed}.
 */
class ClusterLeadersIT {
    private static final int ROUNDS = Integer.getInteger("cluster.ring-rounds", 3);
    private static final long SEED = StormSeed.next();
    private static final String WHAT = "ring over several leaders, " + ROUNDS + " kills, seed " + SEED;
    private static final int TOKENS = 40;
    private static final int MOVERS_EACH = 2;
    private static final int SHARDS = 4;
    private static final int MOVES_BETWEEN_KILLS_MAX = 100;

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    @TempDir
    private Path directory;

    @Test
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void shouldKeepEveryTokenOnceWhenNodesThatLeadAreKilledInTurn() throws Exception {
        SplittableRandom random = new SplittableRandom(SEED);
        try (ClusterProcess cluster = cluster()) {
            cluster.begin();
            cluster.awaitAllLetIn();
            try (TokenRing ring = new TokenRing(WHAT, cluster.url(), TOKENS)) {
                ring.start(MOVERS_EACH, random);
                for (int kill = 0; kill < ROUNDS; kill++) {
                    ring.awaitMoves(random.nextInt(1, MOVES_BETWEEN_KILLS_MAX), cluster.output());
                    cluster.killAndReturn(
                            cluster.nodes().get(kill % cluster.nodes().size()));
                }
                ring.awaitMoves(MOVES_BETWEEN_KILLS_MAX, cluster.output());
                ring.stop();
                List<String> drained = ring.drain();
                assertThat(drained)
                        .as(() -> WHAT + "; the nodes said:\n" + cluster.output())
                        .isEqualTo(ring.tokens());
                System.out.printf("%s: %s%n", WHAT, ring);
            }
        }
    }

    /** Goal: the shard with the last queues is on two nodes for a while, and no client notices; nor when it is on three again. */
    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void shouldKeepEveryTokenOnceWhileAReplicaGoesAndComesAndNodesAreKilled() throws Exception {
        SplittableRandom random = new SplittableRandom(SEED);
        try (ClusterProcess cluster = cluster()) {
            cluster.begin();
            cluster.awaitAllLetIn();
            try (TokenRing ring = new TokenRing(WHAT, cluster.url(), TOKENS)) {
                ring.start(MOVERS_EACH, random);
                ring.awaitMoves(MOVES_BETWEEN_KILLS_MAX, cluster.output());

                assertThat(says(cluster, 1, "remove-replica")).contains("removing n1 is done");
                awaitFiles(cluster, names -> names.equals(List.of("raft.vote")));
                ring.awaitMoves(MOVES_BETWEEN_KILLS_MAX, cluster.output());
                cluster.killAndReturn(cluster.nodes().get(1));

                assertThat(says(cluster, 2, "add-replica")).contains("adding n1@");
                awaitFiles(cluster, names -> names.stream().anyMatch(name -> name.endsWith(".log")));
                ring.awaitMoves(MOVES_BETWEEN_KILLS_MAX, cluster.output());
                cluster.killAndReturn(cluster.nodes().get(2));

                ring.awaitMoves(MOVES_BETWEEN_KILLS_MAX, cluster.output());
                ring.stop();
                assertThat(ring.drain()).as(WHAT).isEqualTo(ring.tokens());
            }
        }
    }

    private ClusterProcess cluster() {
        return ClusterProcess.in(directory)
                .withShards(SHARDS)
                .with("cluster.leaders", "several")
                .with("broker.deliveries-max", "0")
                .with("broker.redelivery-delay-max", "1s");
    }

    /** Of the last shard, for the first node. */
    private String says(ClusterProcess cluster, int asked, String command) throws Exception {
        return OperatorCommand.runsOn(
                cluster.nodes().get(asked).data(),
                directory,
                "cluster",
                command,
                Integer.toString(SHARDS - 1),
                cluster.name(cluster.nodes().get(0)));
    }

    /** Until the files of the first node's replica of the last shard are as asked for. */
    private static void awaitFiles(ClusterProcess cluster, Predicate<List<String>> asked) {
        Path log =
                cluster.nodes().get(0).data().resolve("shard-" + (SHARDS - 1)).resolve("log");
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!asked.test(names(log))) {
            assertThat(System.nanoTime() - endNanos)
                    .as("%s has %s", log, names(log))
                    .isNegative();
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** None where it is just being replaced. */
    private static List<String> names(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList();
        } catch (IOException e) {
            return List.of();
        }
    }
}
