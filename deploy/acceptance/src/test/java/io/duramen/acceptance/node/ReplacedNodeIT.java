package io.duramen.acceptance.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.acceptance.process.ClusterProcess;
import io.duramen.acceptance.process.OperatorCommand;
import io.duramen.acceptance.process.ServerProcess;
import io.duramen.jms.DuramenConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import jakarta.jms.Queue;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of processes whose nodes an operator changes while a producer sends. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class ReplacedNodeIT {
    private static final long RECEIVE_MILLIS = 20_000;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    @TempDir
    private Path directory;

    /** Goal: three serve again, the new one is needed for a majority and is one, and the dead one is nobody when it comes back. */
    @Test
    void shouldServeOnWhileADeadNodeIsReplacedAndTheLeaderIsLostAfterwards() throws Exception {
        try (ClusterProcess cluster = ClusterProcess.in(directory)) {
            cluster.begin();
            cluster.awaitInSync();
            ServerProcess leader = cluster.awaitLeader();
            List<ServerProcess> others =
                    cluster.nodes().stream().filter(node -> node != leader).toList();
            ServerProcess dead = others.get(0);
            ServerProcess left = others.get(1);
            ServerProcess fresh = cluster.another();
            AtomicBoolean stopped = new AtomicBoolean();
            AtomicInteger confirmed = new AtomicInteger();
            CompletableFuture<Void> sending = sendUntil(stopped, confirmed, "duramen://" + at(leader) + "," + at(left));
            dead.kill();

            replace(cluster, leader, dead, fresh);

            int before = confirmed.get();
            leader.kill();
            dead.start();
            cluster.awaitLeader();
            await("sends through another leader", () -> confirmed.get() > before + 50);
            stopped.set(true);
            sending.get(60, TimeUnit.SECONDS);
            leader.start();

            requireInOrder(confirmed.get(), "duramen://" + at(dead) + "," + at(left) + "," + at(leader));
            assertThat(fresh.terminate()).isZero();
        }
    }

    private void replace(ClusterProcess cluster, ServerProcess leader, ServerProcess dead, ServerProcess fresh)
            throws Exception {
        String begun = says(leader, "cluster", "replace", cluster.name(dead), cluster.member(fresh));
        assertThat(begun).contains("adding " + cluster.member(fresh) + " in place of " + cluster.name(dead));
        fresh.start();
        awaitDone(leader);
        assertThat(says(leader, "cluster", "list"))
                .contains(cluster.name(fresh))
                .doesNotContain(cluster.name(dead))
                .doesNotContain("JOINING");
    }

    private static void requireInOrder(int sent, String url) {
        try (JMSContext context = new DuramenConnectionFactory(url).createContext();
                var consumer = context.createConsumer(context.createQueue("orders"))) {
            for (int i = 0; i < sent; i++) {
                assertThat(consumer.receiveBody(String.class, RECEIVE_MILLIS)).isEqualTo("m" + i);
            }
        }
    }

    private static String at(ServerProcess node) {
        return "127.0.0.1:" + node.port();
    }

    private String says(ServerProcess node, String... words) throws Exception {
        return OperatorCommand.runsOn(node.data(), directory, words);
    }

    private void awaitDone(ServerProcess leader) throws Exception {
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
        String said = "";
        while (System.nanoTime() - endNanos < 0) {
            said = says(leader, "cluster");
            if (said.contains("is done")) {
                return;
            }
        }
        throw new AssertionError("the change has not ended: " + said);
    }

    private static void await(String what, BooleanSupplier holds) {
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
        while (!holds.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(endNanos);
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private static CompletableFuture<Void> sendUntil(AtomicBoolean stopped, AtomicInteger confirmed, String url) {
        return CompletableFuture.runAsync(() -> {
            try (JMSContext context = new DuramenConnectionFactory(url).createContext()) {
                Queue queue = context.createQueue("orders");
                JMSProducer producer = context.createProducer();
                while (!stopped.get()) {
                    producer.send(queue, "m" + confirmed.get());
                    confirmed.incrementAndGet();
                }
            }
        });
    }
}
