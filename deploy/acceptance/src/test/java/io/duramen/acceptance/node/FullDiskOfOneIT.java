package io.duramen.acceptance.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.duramen.acceptance.process.ClusterProcess;
import io.duramen.acceptance.process.ServerProcess;
import io.duramen.jms.DuramenConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import jakarta.jms.Queue;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes, each with a small disk of its own, of which one is full. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class FullDiskOfOneIT {
    private static final int DISK_MEBIBYTES = 128;
    private static final int BODY_BYTES = 16 * 1024;
    private static final int SEGMENTS_FULL = 300;
    private static final long RECEIVE_MILLIS = 20_000;

    @TempDir
    private Path directory;

    private ClusterProcess cluster;
    private int sent;

    @BeforeEach
    void begin() throws Exception {
        cluster = ClusterProcess.in(directory)
                .with("log.segment-size", "1MiB")
                .with("log.reserve", "64KiB")
                .with("log.spare-segments", "0");
        assumeTrue(
                cluster.withDisks(DISK_MEBIBYTES) || Boolean.getBoolean("storm.complete"),
                "this process is not allowed to mount a disk");
        cluster.begin();
        cluster.awaitInSync();
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    /** Goal: producers are told of no error; the full node votes, and is one of three again once it has room. */
    @Test
    void shouldHaveAnotherServeWhenTheLeadersDiskIsFullAndNeedTheFullOneOnceThereIsRoom() throws Exception {
        ServerProcess full = cluster.awaitLeader();
        try (JMSContext context = new DuramenConnectionFactory(cluster.url()).createContext()) {
            send(context, 10);
            cluster.fillDisk(full);
            while (cluster.awaitLeader() == full) {
                send(context, 10);
            }
            send(context, SEGMENTS_FULL);
            assertThat(full.isRunning()).isTrue();

            cluster.freeDisks();
            cluster.awaitInSync();
            cluster.killAndReturn();
            cluster.awaitInSync();
            send(context, 10);
            requireAll(context);
        }
        assertThat(cluster.terminate()).as(cluster.output()).containsOnly(0);
    }

    @Test
    void shouldEndInOrderWhenItHasNoRoomForWhatTheLeaderSendsAndCatchUpAfterwards() throws Exception {
        ServerProcess leader = cluster.awaitLeader();
        ServerProcess full = cluster.nodes().stream()
                .filter(node -> node != leader)
                .findFirst()
                .orElseThrow();
        try (JMSContext context = new DuramenConnectionFactory(cluster.url()).createContext()) {
            cluster.fillDisk(full);
            send(context, SEGMENTS_FULL);
            assertThat(full.terminate()).as(full.output()).isZero();
            send(context, 10);

            cluster.freeDisks();
            full.start();
            cluster.awaitInSync();
            requireAll(context);
        }
        assertThat(cluster.terminate()).as(cluster.output()).containsOnly(0);
    }

    private void send(JMSContext context, int count) {
        Queue queue = context.createQueue("orders");
        JMSProducer producer = context.createProducer();
        for (int i = 0; i < count; i++) {
            producer.setProperty("number", ++sent).send(queue, new byte[BODY_BYTES]);
        }
    }

    private void requireAll(JMSContext context) throws Exception {
        try (JMSConsumer consumer = context.createConsumer(context.createQueue("orders"))) {
            for (int number = 1; number <= sent; number++) {
                assertThat(consumer.receive(RECEIVE_MILLIS).getIntProperty("number"))
                        .isEqualTo(number);
            }
            assertThat(consumer.receiveNoWait()).isNull();
        }
    }
}
