package io.duramen.acceptance.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.acceptance.process.ClusterProcess;
import io.duramen.acceptance.process.ServerProcess;
import io.duramen.jms.DuramenConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import jakarta.jms.Queue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * How long producers stand still when the leader of a cluster is killed. A few times in every build, which shows that they go on; with
 * the profile {@code storm}, or {@code -Dcluster.kills=20}, so often that a median says something.
 */
class LeaderKillsIT {
    private static final int PRODUCERS = 8;
    private static final int BODY_BYTES = 1024;
    private static final int KILLS_FOR_A_MEDIAN = 20;
    private static final long MEDIAN_MILLIS_MAX = 3_000;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    @TempDir
    private Path directory;

    /** When the send was begun that was confirmed last, of those that were begun last. */
    private final AtomicLong confirmedBegunNanos = new AtomicLong(System.nanoTime());

    private final CountDownLatch begun = new CountDownLatch(PRODUCERS);
    private volatile boolean stopped;

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void shouldConfirmSendsAgainSoonWhenTheLeaderIsKilled() throws Exception {
        int kills = Integer.getInteger("cluster.kills", 3);
        List<Long> millis = new ArrayList<>();
        try (ClusterProcess cluster = ClusterProcess.in(directory)) {
            cluster.begin();
            List<Thread> producers = startProducers(cluster.url());
            assertThat(begun.await(PATIENCE_NANOS, TimeUnit.NANOSECONDS))
                    .as("every producer sends")
                    .isTrue();
            for (int kill = 0; kill < kills; kill++) {
                ServerProcess leader = cluster.awaitLeader();
                long killedNanos = System.nanoTime();
                leader.kill();
                millis.add(
                        TimeUnit.NANOSECONDS.toMillis(awaitSendBegunAfter(System.nanoTime(), cluster) - killedNanos));
                leader.start();
                cluster.awaitInSync();
            }
            stopped = true;
            for (Thread producer : producers) {
                producer.join(TimeUnit.NANOSECONDS.toMillis(PATIENCE_NANOS));
            }
        }
        List<Long> sorted = millis.stream().sorted().toList();
        long median = sorted.get(kills / 2);
        System.out.println("until a send was confirmed again, ms: " + millis + ", median " + median);
        if (kills >= KILLS_FOR_A_MEDIAN) {
            assertThat(median).as("median of " + millis).isLessThanOrEqualTo(MEDIAN_MILLIS_MAX);
        }
    }

    private List<Thread> startProducers(String url) {
        List<Thread> producers = new ArrayList<>();
        for (int i = 0; i < PRODUCERS; i++) {
            int number = i;
            Thread producer = new Thread(() -> produce(url, number), "producer-" + number);
            producer.setDaemon(true);
            producer.start();
            producers.add(producer);
        }
        return producers;
    }

    private void produce(String url, int number) {
        try (JMSContext receiving = new DuramenConnectionFactory(url).createContext();
                JMSContext sending = new DuramenConnectionFactory(url).createContext()) {
            Queue queue = sending.createQueue("kills-" + number % 2);
            receiving.createConsumer(queue).setMessageListener(message -> {});
            JMSProducer producer = sending.createProducer();
            byte[] body = new byte[BODY_BYTES];
            producer.send(queue, body);
            begun.countDown();
            while (!stopped) {
                long begunNanos = System.nanoTime();
                producer.send(queue, body);
                confirmedBegunNanos.accumulateAndGet(begunNanos, Math::max);
            }
        }
    }

    /** @return when it was seen that one was confirmed */
    private long awaitSendBegunAfter(long nanos, ClusterProcess cluster) {
        long endNanos = System.nanoTime() + PATIENCE_NANOS;
        while (confirmedBegunNanos.get() - nanos < 0) {
            if (System.nanoTime() - endNanos > 0) {
                throw new AssertionError("no send was confirmed in time; the nodes said:\n" + cluster.output());
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        return System.nanoTime();
    }
}
