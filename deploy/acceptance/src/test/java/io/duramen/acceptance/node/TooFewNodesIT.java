package io.duramen.acceptance.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.acceptance.process.ClusterProcess;
import io.duramen.acceptance.process.ServerProcess;
import io.duramen.jms.DuramenConnectionFactory;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Queue;
import jakarta.jms.ResourceAllocationRuntimeException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What producers of a cluster are told while nodes of it are away: soon, and why. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class TooFewNodesIT {
    private static final long RECEIVE_MILLIS = 20_000;
    private static final String TWO_OF_THREE =
            "shard 0 is in sync on 2 of 3 nodes, and what is persistent has to be on 3 (cluster.min-in-sync)";

    @TempDir
    private Path directory;

    /** One that was halted answers nothing, though its connections stand. */
    @Test
    void shouldRefuseAtOnceWhatIsPersistentWhileANodeThatHasToHaveItIsHalted() throws Exception {
        try (ClusterProcess cluster = ClusterProcess.in(directory).with("cluster.min-in-sync", "3")) {
            cluster.begin();
            ServerProcess leader = cluster.awaitLeader();
            ServerProcess other = others(cluster, leader).get(0);
            try (JMSContext context = new DuramenConnectionFactory(cluster.url()).createContext()) {
                Queue queue = context.createQueue("orders");
                JMSProducer producer = context.createProducer();
                producer.send(queue, "before");

                other.halt();
                assertThatThrownBy(() -> producer.send(queue, "stored"))
                        .isInstanceOf(JMSRuntimeException.class)
                        .hasMessageContaining("the message is stored; but " + TWO_OF_THREE);
                long beganNanos = System.nanoTime();
                assertThatThrownBy(() -> producer.send(queue, "refused"))
                        .isInstanceOf(ResourceAllocationRuntimeException.class)
                        .hasMessageContaining(TWO_OF_THREE);
                assertThat(Duration.ofNanos(System.nanoTime() - beganNanos)).isLessThan(Duration.ofSeconds(1));
                producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT).send(queue, "not persistent");

                other.goOn();
                awaitTaken(producer.setDeliveryMode(DeliveryMode.PERSISTENT), queue);
                assertThat(received(context, queue)).containsExactly("before", "stored", "not persistent", "after");
            }
        }
    }

    /** Goal: nobody waits for a leader that cannot be, nor is told that what was sent is lost when it may be there. */
    @Test
    void shouldSayWhyNobodyServesWhileTwoOfThreeNodesAreStopped() throws Exception {
        try (ClusterProcess cluster = ClusterProcess.in(directory)) {
            cluster.begin();
            ServerProcess leader = cluster.awaitLeader();
            List<ServerProcess> others = others(cluster, leader);
            try (JMSContext context = new DuramenConnectionFactory(
                            cluster.url() + "?requestTimeoutMillis=5000&connectTimeoutMillis=2000")
                    .createContext()) {
                Queue queue = context.createQueue("orders");
                JMSProducer producer = context.createProducer();
                producer.send(queue, "before");
                others.get(0).kill();
                others.get(1).halt();

                long beganNanos = System.nanoTime();
                assertThatThrownBy(() -> producer.send(queue, "sent while nobody leads"))
                        .isInstanceOf(JMSRuntimeException.class)
                        .hasMessageContaining("shard 0 has no leader: 1 of 3 nodes answer, and it takes 2")
                        .hasMessageContaining("outcome unknown");
                assertThat(Duration.ofNanos(System.nanoTime() - beganNanos)).isLessThan(Duration.ofSeconds(30));
                assertThatThrownBy(() -> new DuramenConnectionFactory(cluster.url() + "?connectTimeoutMillis=1000")
                                .createContext())
                        .isInstanceOf(ResourceAllocationRuntimeException.class)
                        .hasMessageContaining("shard 0 has no leader: 1 of 3 nodes answer");

                others.get(1).goOn();
                cluster.awaitLeader();
                producer.send(queue, "after");
                assertThat(received(context, queue))
                        .startsWith("before")
                        .endsWith("after")
                        .hasSizeBetween(2, 3);
            }
        }
    }

    private static List<ServerProcess> others(ClusterProcess cluster, ServerProcess than) {
        return cluster.nodes().stream().filter(node -> node != than).toList();
    }

    private static void awaitTaken(JMSProducer producer, Queue queue) {
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (System.nanoTime() - endNanos < 0) {
            try {
                producer.send(queue, "after");
                return;
            } catch (ResourceAllocationRuntimeException e) {
                assertThat(e.getMessage()).contains("shard 0 is in sync on");
            }
        }
        throw new AssertionError("nothing was taken");
    }

    private static List<String> received(JMSContext context, Queue queue) {
        List<String> received = new ArrayList<>();
        try (var consumer = context.createConsumer(queue)) {
            while (received.isEmpty() || !received.get(received.size() - 1).equals("after")) {
                String text = consumer.receiveBody(String.class, RECEIVE_MILLIS);
                assertThat(text).as("after " + received).isNotNull();
                received.add(text);
            }
        }
        return received;
    }
}
