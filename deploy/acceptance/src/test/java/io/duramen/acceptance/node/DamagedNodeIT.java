package io.duramen.acceptance.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.acceptance.process.ClusterProcess;
import io.duramen.acceptance.process.ServerProcess;
import io.duramen.jms.DuramenConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import jakarta.jms.Queue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of processes, each of whose logs is damaged on its disk, one after the other. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class DamagedNodeIT {
    private static final int MESSAGES = 1_000;
    private static final int BODY = 500;
    private static final long RECEIVE_MILLIS = 20_000;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final String MENDED = "This replica has the leader's log in place of its own";

    @TempDir
    private Path directory;

    /** Goal: in the end no replica has a file that it had in the beginning, and all that was confirmed is there, in order. */
    @Test
    void shouldMendEachNodeAndLoseNothingWhenTheLeaderIsKilledAfterwards() throws Exception {
        try (ClusterProcess cluster = ClusterProcess.in(directory)
                .withShards(2)
                .with("log.segment-size", "64KiB")
                .with("log.reserve", "16KiB")
                .with("log.scrub-interval", "1s")) {
            cluster.begin();
            cluster.awaitInSync();
            send(urlOf(cluster.nodes()));

            for (ServerProcess node : cluster.nodes()) {
                Path damaged = damage(fullest(cluster, node));
                await(node, MENDED);
                assertThat(node.output()).contains("The log is damaged: " + damaged.getFileName() + " at position ");
                cluster.awaitInSync();
            }

            ServerProcess leader = cluster.awaitLeader();
            leader.kill();
            cluster.awaitOtherThan(leader, System.nanoTime());
            requireInOrder(urlOf(
                    cluster.nodes().stream().filter(node -> node != leader).toList()));
            leader.start();
            assertThat(cluster.terminate()).containsOnly(0);
        }
    }

    private static String urlOf(List<ServerProcess> nodes) {
        return nodes.stream()
                .map(node -> "127.0.0.1:" + node.port())
                .collect(Collectors.joining(",", "duramen://", ""));
    }

    private static String body(int number) {
        return number + " " + "x".repeat(BODY);
    }

    private static void send(String url) {
        try (JMSContext context = new DuramenConnectionFactory(url).createContext(JMSContext.SESSION_TRANSACTED)) {
            Queue queue = context.createQueue("orders");
            JMSProducer producer = context.createProducer();
            for (int i = 0; i < MESSAGES; i++) {
                producer.send(queue, body(i));
                if (i % 20 == 19) {
                    context.commit();
                }
            }
        }
    }

    private static void requireInOrder(String url) {
        try (JMSContext context = new DuramenConnectionFactory(url).createContext();
                var consumer = context.createConsumer(context.createQueue("orders"))) {
            for (int i = 0; i < MESSAGES; i++) {
                assertThat(consumer.receiveBody(String.class, RECEIVE_MILLIS)).isEqualTo(body(i));
            }
        }
    }

    /** The log of the shard that has the messages. */
    private static Path fullest(ClusterProcess cluster, ServerProcess node) {
        int number = cluster.nodes().indexOf(node);
        return cluster.logs().stream()
                .map(shard -> shard.get(number))
                .max(Comparator.comparingInt(log -> segments(log).size()))
                .orElseThrow();
    }

    private static List<Path> segments(Path log) {
        try (Stream<Path> files = Files.list(log)) {
            return files.filter(one -> one.getFileName().toString().endsWith(".log"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Another bit in the middle of the oldest full segment; returns its file. */
    private static Path damage(Path log) throws IOException {
        Path file = segments(log).get(0);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            long position = channel.size() / 2;
            channel.read(one, position);
            channel.write(one.put(0, (byte) (one.get(0) ^ 1)).flip(), position);
        }
        return file;
    }

    private static void await(ServerProcess node, String said) {
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
        while (!node.output().contains(said)) {
            assertThat(System.nanoTime())
                    .as(() -> "'" + said + "' in time; it said:\n" + node.output())
                    .isLessThan(endNanos);
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
