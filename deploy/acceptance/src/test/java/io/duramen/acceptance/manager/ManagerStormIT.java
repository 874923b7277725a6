package io.duramen.acceptance.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.acceptance.branch.Ring;
import io.duramen.acceptance.process.NodeStep;
import io.duramen.acceptance.process.ServerProcess;
import io.duramen.acceptance.process.StormSeed;
import jakarta.jms.XAConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import javax.transaction.xa.XAResource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tokens move round a ring of queues and through a database, in transactions of both under Narayana, while the node and the
 * process that has manager and database are killed, at random moments and at each step of either's two phases; in the end all
 * tokens are there, once, nothing is left prepared, and nothing was ended against the manager's word. Settings:
 * {@code storm.kills}, {@code storm.seed}.
 */
class ManagerStormIT {
    private static final int KILLS = Integer.getInteger("storm.kills", 5);
    private static final long SEED = StormSeed.next();
    private static final int TOKENS = 40;
    private static final String SHARDS = "4";
    private static final int MOVES_BETWEEN_KILLS_MAX = 60;
    private static final int TIMES_MAX = 10;
    private static final String OPTIONS = "?prefetch=0&reconnectDelayMillis=20&reconnectDelayMaxMillis=200";

    /** How long a call of the manager waits for the node: not for a restart, maybe, surely, as long as by default. */
    private static final int[] CALL_TIMEOUTS_MILLIS = {500, 3_000, 30_000};

    @TempDir
    private Path directory;

    private enum Kill {
        APPLICATION_AT_STEP,
        NODE_AT_STEP,
        APPLICATION,
        NODE,
        BOTH_AT_STEPS
    }

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final TreeMap<String, Integer> counts = new TreeMap<>();
    private ServerProcess server;
    private ApplicationProcess application;
    private int step = random.nextInt(Step.values().length * NodeStep.values().length);
    private long slowestNodeNanos;
    private long slowestApplicationNanos;

    @Test
    void shouldKeepEveryTokenOnceWhenManagerAndNodeAreKilled() throws Exception {
        String what = "storm of " + KILLS + " kills of manager and node, seed " + SEED;
        Path own = Files.createDirectory(directory.resolve("application"));
        try (ServerProcess node = ServerProcess.on(directory.resolve("data"))
                .with("log.shards", SHARDS)
                .with("broker.deliveries-max", "0")
                .with("broker.redelivery-delay-max", "1s")
                .withSteps()) {
            server = node.start();
            Ring ring = new Ring(server.url());
            List<String> tokens = ring.fill(TOKENS);
            int timeout = CALL_TIMEOUTS_MILLIS[random.nextInt(CALL_TIMEOUTS_MILLIS.length)];
            try (ApplicationProcess process =
                    new ApplicationProcess(own, server.url() + OPTIONS + "&xaCallTimeoutMillis=" + timeout)) {
                application = process;
                application.launch(random.nextLong());
                application.awaitReady();
                for (int kill = 0; kill < KILLS; kill++) {
                    application.awaitMoves(application.moves() + random.nextInt(1, MOVES_BETWEEN_KILLS_MAX));
                    kill(Kill.values()[kill % Kill.values().length]);
                }
                application.awaitMoves(application.moves() + MOVES_BETWEEN_KILLS_MAX);
                application.finish();
                System.out.printf(
                        "%s: calls of %d ms, %,d transactions, %s; slowest restart %,d ms of the node, %,d ms of the manager%n",
                        what,
                        timeout,
                        application.moves(),
                        counts,
                        TimeUnit.NANOSECONDS.toMillis(slowestNodeNanos),
                        TimeUnit.NANOSECONDS.toMillis(slowestApplicationNanos));
                requireWhole(what, ring, tokens);
            }
        }
    }

    // ---- kills -----------------------------------------------------------------------------------------------------

    private void kill(Kill kind) throws Exception {
        Step ofApplication = Step.values()[step % Step.values().length];
        NodeStep ofNode = NodeStep.values()[step % NodeStep.values().length];
        int times = random.nextInt(1, TIMES_MAX);
        switch (kind) {
            case APPLICATION -> application.kill();
            case NODE -> server.kill();
            case APPLICATION_AT_STEP -> {
                application.haltAt(ofApplication);
                application.kill();
            }
            case NODE_AT_STEP -> server.killAt(ofNode, times);
            case BOTH_AT_STEPS -> {
                application.haltAt(ofApplication);
                server.killAt(ofNode, times);
                application.kill();
                step += 1;
            }
        }
        count(kind, ofApplication, ofNode);
        restart();
    }

    private void count(Kill kind, Step ofApplication, NodeStep ofNode) {
        counts.merge(kind.toString(), 1, Integer::sum);
        if (kind == Kill.APPLICATION_AT_STEP || kind == Kill.BOTH_AT_STEPS) {
            counts.merge("manager " + ofApplication, 1, Integer::sum);
        }
        if (kind == Kill.NODE_AT_STEP || kind == Kill.BOTH_AT_STEPS) {
            counts.merge("node " + ofNode, 1, Integer::sum);
        }
    }

    /** Starts what was killed, in either order. */
    private void restart() throws Exception {
        boolean hasApplication = application.isRunning();
        long began = System.nanoTime();
        if (!hasApplication && random.nextBoolean()) {
            application.launch(random.nextLong());
        }
        if (!server.isRunning()) {
            server.start();
            slowestNodeNanos = Math.max(slowestNodeNanos, System.nanoTime() - began);
        }
        if (!application.isRunning()) {
            application.launch(random.nextLong());
        }
        if (!hasApplication) {
            application.awaitReady();
            slowestApplicationNanos = Math.max(slowestApplicationNanos, System.nanoTime() - began);
        }
    }

    // ---- invariants ------------------------------------------------------------------------------------------------

    private void requireWhole(String what, Ring ring, List<String> tokens) throws Exception {
        try (XAConnection connection = ring.connect()) {
            XAResource branches = connection.createXASession().getXAResource();
            assertThat(branches.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN))
                    .as("%s: branches left over", what)
                    .isEmpty();
        }
        List<Token> found = new ArrayList<>();
        application.said("#parked").forEach(token -> found.add(Token.of(token)));
        ring.drain(tokens.size() - found.size()).forEach(token -> found.add(Token.of(token)));
        assertThat(found.stream().map(Token::name).sorted().toList())
                .as("%s: tokens in queues and database", what)
                .isEqualTo(tokens);
        List<String> moved = found.stream()
                .filter(token -> token.moves() > 0)
                .map(token -> token.name() + " " + token.moves() + " " + token.moves())
                .sorted()
                .toList();
        assertThat(application.said("#trail"))
                .as("%s: moves that the database knows, and those that the tokens have made", what)
                .isEqualTo(moved);
    }
}
