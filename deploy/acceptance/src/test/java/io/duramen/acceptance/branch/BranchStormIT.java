package io.duramen.acceptance.branch;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.acceptance.process.NodeStep;
import io.duramen.acceptance.process.ServerProcess;
import io.duramen.acceptance.process.StormSeed;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tokens move round a ring of queues, in branches of distributed transactions or in local ones, while the server is killed at random moments
 * and, over shards, at each step of the two phases; in the end all are there, once. Settings: {@code storm.kills}, {@code storm.seed}.
 */
class BranchStormIT {
    private static final int KILLS = Integer.getInteger("storm.kills", 5);
    private static final long SEED = StormSeed.next();
    private static final int TOKENS = 40;
    private static final int MOVERS = 4;
    private static final int SHARDS = 4;
    private static final int TIMES_MAX = 10;
    private static final int MOVES_BETWEEN_KILLS_MAX = 150;
    private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(90);

    @TempDir
    private Path directory;

    /** Makes what moves tokens. */
    private interface Moving {
        RingMover by(Ring ring, SplittableRandom random, CountDownLatch stop);
    }

    @Test
    void shouldKeepEveryTokenOnceWhenTheServerIsKilled() throws Exception {
        storm(Integer.getInteger("duramen.test.shards", 1), List.of(), Mover::new);
    }

    @Test
    void shouldKeepEveryTokenOnceWhenBranchesGoOverShards() throws Exception {
        storm(SHARDS, List.of(NodeStep.values()), Mover::new);
    }

    @Test
    void shouldKeepEveryTokenOnceWhenLocalTransactionsGoOverShards() throws Exception {
        List<NodeStep> steps = new ArrayList<>(List.of(NodeStep.values()));
        steps.remove(NodeStep.ENDING); // nobody ends what is no branch
        storm(SHARDS, steps, LocalMover::new);
    }

    /** @param steps at which every other kill is */
    private void storm(int shards, List<NodeStep> steps, Moving moving) throws Exception {
        String what = "storm of " + KILLS + " kills, " + shards + " shards, seed " + SEED;
        SplittableRandom random = new SplittableRandom(SEED);
        try (ServerProcess server = ServerProcess.on(directory.resolve("data"))
                .with("log.shards", Integer.toString(shards))
                .with("broker.deliveries-max", "0")
                .with("broker.redelivery-delay-max", "1s")
                .withSteps()) {
            server.start();
            Ring ring = new Ring(server.url());
            List<String> tokens = ring.fill(TOKENS);
            CountDownLatch stop = new CountDownLatch(1);
            int firstStep = random.nextInt(NodeStep.values().length);
            long slowest = 0;
            List<RingMover> movers = new ArrayList<>();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < MOVERS; i++) {
                RingMover mover = moving.by(ring, random.split(), stop);
                movers.add(mover);
                threads.add(new Thread(mover, "mover-" + i));
                threads.get(i).start();
            }
            for (int kill = 0; kill < KILLS; kill++) {
                awaitMoves(ring, movers, ring.moves() + random.nextInt(1, MOVES_BETWEEN_KILLS_MAX), what);
                if (steps.isEmpty() || kill % 2 == 0) {
                    server.kill();
                } else {
                    NodeStep step = steps.get((firstStep + kill / 2) % steps.size());
                    killAt(step, random.nextInt(1, TIMES_MAX), server, threads, what + ", kill " + kill);
                }
                long began = System.nanoTime();
                server.start();
                slowest = Math.max(slowest, System.nanoTime() - began);
            }
            awaitMoves(ring, movers, ring.moves() + MOVES_BETWEEN_KILLS_MAX, what);
            stop.countDown();
            for (Thread thread : threads) {
                thread.join(TimeUnit.NANOSECONDS.toMillis(PROGRESS_NANOS));
                assertThat(thread.isAlive())
                        .as("%s: %s ends", what, thread.getName())
                        .isFalse();
            }
            requireNoFailure(movers, what);
            int undecided = ring.rollBackUndecided();
            System.out.printf(
                    "%s: %,d moves, %d branches left undecided, slowest restart %,d ms%n",
                    what, ring.moves(), undecided, TimeUnit.NANOSECONDS.toMillis(slowest));
            assertThat(ring.drain(tokens.size())).as(what).isEqualTo(tokens);
        }
    }

    /** Where nobody comes to that step, what the movers wait for tells why. */
    private static void killAt(NodeStep step, int times, ServerProcess server, List<Thread> movers, String what)
            throws Exception {
        try {
            server.killAt(step, times);
        } catch (IllegalStateException e) {
            StringBuilder told = new StringBuilder(what + ": " + e.getMessage());
            for (Thread mover : movers) {
                told.append("\n").append(mover.getName()).append(' ').append(mover.getState());
                for (StackTraceElement frame : mover.getStackTrace()) {
                    told.append("\n    ").append(frame);
                }
            }
            throw new AssertionError(told.append("\n").append(server.output()).toString(), e);
        }
    }

    private static void awaitMoves(Ring ring, List<RingMover> movers, long moves, String what)
            throws InterruptedException {
        boolean there = ring.awaitMoves(moves, TimeUnit.NANOSECONDS.toMillis(PROGRESS_NANOS));
        requireNoFailure(movers, what);
        assertThat(there).as("%s: %d of %d moves", what, ring.moves(), moves).isTrue();
    }

    private static void requireNoFailure(List<RingMover> movers, String what) {
        for (RingMover mover : movers) {
            if (mover.failure() != null) {
                throw new AssertionError(what, mover.failure());
            }
        }
    }
}
