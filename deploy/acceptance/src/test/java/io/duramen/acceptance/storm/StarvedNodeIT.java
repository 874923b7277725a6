package io.duramen.acceptance.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.acceptance.process.ClusterProcess;
import io.duramen.acceptance.process.ServerProcess;
import io.duramen.acceptance.process.Starvation;
import io.duramen.acceptance.process.StormSeed;
import io.duramen.jms.DuramenConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import jakarta.jms.Queue;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of which one node gets a fifth of a core's time, in turns shorter and longer than an election timeout. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class StarvedNodeIT {
    private static final Duration ELECTION_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration STARVES = Duration.ofSeconds(15);
    private static final Duration TURN_MAX = ELECTION_TIMEOUT.multipliedBy(3);
    private static final long RECEIVE_MILLIS = 20_000;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    @TempDir
    private Path directory;

    private final AtomicBoolean stopped = new AtomicBoolean();
    private final AtomicInteger confirmed = new AtomicInteger();

    @Test
    void shouldLoseNothingAndServeSoonAfterTheLeaderHasStarved() throws Exception {
        starves(true);
    }

    @Test
    void shouldLoseNothingAndServeSoonAfterAFollowerHasStarved() throws Exception {
        starves(false);
    }

    private void starves(boolean leads) throws Exception {
        long seed = StormSeed.next();
        String name = (leads ? "leader" : "follower") + " that starves, seed " + seed;
        try (ClusterProcess cluster =
                ClusterProcess.in(directory).with("cluster.election-timeout", ELECTION_TIMEOUT.toMillis() + "ms")) {
            cluster.begin();
            cluster.awaitInSync();
            ServerProcess leader = cluster.awaitLeader();
            ServerProcess starving = cluster.nodes().stream()
                    .filter(node -> (node == leader) == leads)
                    .findFirst()
                    .orElseThrow();
            CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> send(cluster.url()));
            awaitConfirmed(100, Duration.ofSeconds(30));
            try (Starvation starvation = Starvation.of(starving, TURN_MAX, seed)) {
                starvation.last(STARVES);
            }

            int before = confirmed.get();
            Duration served = awaitConfirmed(before + 2, Duration.ofSeconds(60)); // The second was sent afterwards.
            stopped.set(true);
            sending.get(60, TimeUnit.SECONDS);
            System.out.printf("%s: %,d confirmed, served after %d ms%n", name, confirmed.get(), served.toMillis());
            assertThat(served).as(name).isLessThan(ELECTION_TIMEOUT.multipliedBy(3));
            receiveAll(cluster.url(), confirmed.get());
            assertThat(cluster.terminate()).as(name + "\n" + cluster.output()).containsOnly(0);
            for (List<Path> ofShard : cluster.logs()) {
                ReplicaEntries.requireSame(ofShard, name);
            }
        }
    }

    private void send(String url) {
        try (JMSContext context = new DuramenConnectionFactory(url).createContext()) {
            Queue queue = context.createQueue("orders");
            JMSProducer producer = context.createProducer();
            while (!stopped.get()) {
                producer.send(queue, "m" + confirmed.get());
                confirmed.incrementAndGet();
            }
        }
    }

    private Duration awaitConfirmed(int count, Duration patience) {
        long beganNanos = System.nanoTime();
        while (confirmed.get() < count) {
            assertThat(System.nanoTime() - beganNanos)
                    .as("%d confirmed, waiting for %d", confirmed.get(), count)
                    .isLessThan(patience.toNanos());
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return Duration.ofNanos(System.nanoTime() - beganNanos);
    }

    private static void receiveAll(String url, int sent) {
        try (JMSContext context = new DuramenConnectionFactory(url).createContext();
                var consumer = context.createConsumer(context.createQueue("orders"))) {
            for (int i = 0; i < sent; i++) {
                assertThat(consumer.receiveBody(String.class, RECEIVE_MILLIS)).isEqualTo("m" + i);
            }
            assertThat(consumer.receiveBodyNoWait(String.class)).isNull();
        }
    }
}
