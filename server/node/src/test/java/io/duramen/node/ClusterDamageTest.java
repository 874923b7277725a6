package io.duramen.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes of a cluster in this JVM, of two shards, where a log cannot be opened when its node starts. */
@Timeout(180)
class ClusterDamageTest {
    private static final int MESSAGES = 300;
    private static final String BODY = "x".repeat(1000);
    private static final long RECEIVE_MILLIS = 20_000;

    @TempDir
    private Path data;

    private TestCluster cluster;

    @BeforeEach
    void fill() throws Exception {
        cluster = new TestCluster(data)
                .with("log.shards", "2")
                .with("log.segment-size", "64KiB")
                .with("log.reserve", "16KiB");
        cluster.startAll();
        cluster.awaitInSync(3);
        try (JMSContext context = cluster.factory().createContext(JMSContext.SESSION_TRANSACTED)) {
            for (int i = 0; i < MESSAGES; i++) {
                context.createProducer().send(context.createQueue("orders"), i + BODY);
                if (i % 20 == 19) {
                    context.commit();
                }
            }
        }
        cluster.awaitInSync(3);
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void shouldStartAndHaveTheOthersLogWhenItsOwnCannotBeOpened() throws Exception {
        String serving = cluster.awaitServing();
        String damaged = TestCluster.NAMES.stream()
                .filter(name -> !name.equals(serving))
                .findFirst()
                .orElseThrow();
        cluster.stop(damaged);
        damage(damaged);

        cluster.start(damaged);
        cluster.awaitInSync(3);
        assertThat(TestCluster.bean(damaged).getRole()).isEqualTo("FOLLOWING");
        cluster.stop(cluster.awaitServing());
        cluster.awaitServing();
        requireAll();
    }

    @Test
    void shouldEndSoonWhenNobodyLeadsWhomItCouldCopy() throws Exception {
        cluster.stopAll();
        damage("n1");
        cluster.start("n1");
        await().until(() -> TestCluster.bean("n1").getRole().equals("BEGINS_ANEW"));

        long beganNanos = System.nanoTime();
        cluster.stop("n1");
        assertThat(Duration.ofNanos(System.nanoTime() - beganNanos)).isLessThan(Duration.ofSeconds(30));
    }

    private void requireAll() {
        try (JMSContext context = cluster.factory().createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue("orders"))) {
            for (int i = 0; i < MESSAGES; i++) {
                assertThat(consumer.receiveBody(String.class, RECEIVE_MILLIS)).isEqualTo(i + BODY);
            }
        }
    }

    /** Another bit in the oldest segment of its fuller log, of which no index tells any more what stands there. */
    private void damage(String name) throws IOException {
        List<Path> segments = Stream.of("shard-0", "shard-1")
                .map(shard -> segments(cluster.data(name).resolve(shard).resolve("log")))
                .max(Comparator.comparingInt(List::size))
                .orElseThrow();
        Path oldest = segments.get(0);
        byte[] bytes = Files.readAllBytes(oldest);
        bytes[bytes.length / 2] ^= 1;
        Files.write(oldest, bytes);
        Files.delete(oldest.resolveSibling(oldest.getFileName().toString().replace(".log", ".index")));
    }

    private static List<Path> segments(Path log) {
        try (Stream<Path> files = Files.list(log)) {
            return files.filter(file -> file.getFileName().toString().endsWith(".log"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
