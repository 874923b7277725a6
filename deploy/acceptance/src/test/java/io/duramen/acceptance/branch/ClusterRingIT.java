package io.duramen.acceptance.branch;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.acceptance.process.ClusterProcess;
import io.duramen.acceptance.process.StormSeed;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
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
    private static final int SHARDS = 4;
    private static final int MOVES_BETWEEN_KILLS_MAX = 100;
    private static final long PROGRESS_MILLIS = TimeUnit.SECONDS.toMillis(120);

    @TempDir
    private Path directory;

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final CountDownLatch stop = new CountDownLatch(1);
    private final List<RingMover> movers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    @AfterEach
    void end() {
        stop.countDown();
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void shouldKeepEveryTokenOnceWhenTheNodeThatServesIsKilled() throws Exception {
        try (ClusterProcess cluster =
                ClusterProcess.in(directory).withShards(SHARDS).with("broker.deliveries-max", "0")) {
            cluster.begin();
            cluster.awaitInSync();
            Ring ring = new Ring(cluster.url());
            List<String> tokens = ring.fill(TOKENS);
            start(new Mover(ring, random.split(), stop));
            start(new Mover(ring, random.split(), stop));
            start(new LocalMover(ring, random.split(), stop));
            start(new LocalMover(ring, random.split(), stop));
            for (int kill = 0; kill < ROUNDS; kill++) {
                awaitMoves(ring, random.nextInt(1, MOVES_BETWEEN_KILLS_MAX), cluster);
                cluster.killAndReturn();
                cluster.awaitInSync();
            }
            awaitMoves(ring, MOVES_BETWEEN_KILLS_MAX, cluster);
            stopMoving();
            int undecided = ring.rollBackUndecided();
            System.out.printf(
                    "%s: %,d moves, %d branches left undecided, served again after %s ms%n",
                    WHAT, ring.moves(), undecided, cluster.changeMillis());
            assertThat(ring.drain(tokens.size())).as(WHAT).isEqualTo(tokens);
        }
    }

    private void start(RingMover mover) {
        movers.add(mover);
        Thread thread = new Thread(mover, "mover-" + threads.size());
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private void awaitMoves(Ring ring, long more, ClusterProcess cluster) throws InterruptedException {
        long moves = ring.moves() + more;
        boolean there = ring.awaitMoves(moves, PROGRESS_MILLIS);
        requireNoFailure();
        if (!there) {
            throw new AssertionError(
                    WHAT + ": " + ring.moves() + " of " + moves + " moves; the nodes said:\n" + cluster.output());
        }
    }

    private void stopMoving() throws InterruptedException {
        stop.countDown();
        for (Thread thread : threads) {
            thread.join(PROGRESS_MILLIS);
            assertThat(thread.isAlive())
                    .as("%s: %s ends", WHAT, thread.getName())
                    .isFalse();
        }
        requireNoFailure();
    }

    private void requireNoFailure() {
        for (RingMover mover : movers) {
            if (mover.failure() != null) {
                throw new AssertionError(WHAT, mover.failure());
            }
        }
    }
}
