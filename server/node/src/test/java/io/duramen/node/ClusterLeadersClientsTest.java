package io.duramen.node;

import static io.duramen.node.TestCluster.bean;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.duramen.management.DestinationsMXBean;
import io.duramen.management.ManagementNames;
import jakarta.jms.InvalidClientIDRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.management.JMX;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients and operators of one cluster for all tests, whose nodes stay as they are: each of three leads one of three shards, and destinations whose
 * names begin with "wide" are in all. Each test has destinations of its own.
 */
@Timeout(240)
class ClusterLeadersClientsTest {
    @TempDir
    private static Path data;

    private static TestCluster cluster;
    private static TokenTraffic traffic;

    @BeforeAll
    static void start() throws IOException {
        cluster = new TestCluster(data)
                .with("cluster.leaders", "several")
                .with("log.shards", "3")
                .with("broker.partitions-of", "wide*=5");
        traffic = new TokenTraffic(cluster);
        cluster.startAll();
        cluster.awaitSpread();
    }

    @AfterAll
    static void close() {
        cluster.close();
    }

    @Test
    void shouldMoveMessagesOverShardsWhenEachNodeLeadsOne() {
        traffic.send("wide.moved", 0, 60);
        traffic.move("wide.moved", "wide.moved.too", 30);
        traffic.move("wide.moved", "wide.moved.too", 30);

        traffic.requireExactly("wide.moved.too", 0, 60);
    }

    @Test
    void shouldHandOutEachMessageOnceWhenConsumersAreAtAllNodes() {
        traffic.send("wide.handed", 0, 90);

        List<String> received = new ArrayList<>();
        for (String node : TestCluster.NAMES) {
            try (JMSContext context = cluster.factory(node).createContext();
                    JMSConsumer consumer = context.createConsumer(context.createQueue("wide.handed"))) {
                for (int i = 0; i < 30; i++) {
                    received.add(consumer.receiveBody(String.class, TokenTraffic.RECEIVE_MILLIS));
                }
            }
        }

        assertThat(received).doesNotContainNull().doesNotHaveDuplicates();
        traffic.requireExactly("wide.handed", 0, 0);
    }

    @Test
    void shouldAnswerOperatorsAtEachNodeForAllShards() {
        traffic.send("wide.listed", 0, 60);

        for (String node : TestCluster.NAMES) {
            assertThat(destinations(node).list("wide.listed", "", 10).rows())
                    .singleElement()
                    .satisfies(row -> assertThat(row.messages()).isEqualTo(60));
        }
        assertThat(destinations("n2").purge("wide.listed", "", 100).getDone()).isEqualTo(60);
        traffic.requireExactly("wide.listed", 0, 0);
    }

    @Test
    void shouldRefuseAClientIdThatAClientOfAnotherNodeHas() {
        try (JMSContext one = cluster.factory("n1").createContext();
                JMSContext two = cluster.factory("n2").createContext()) {
            one.setClientID("me");
            assertThatThrownBy(() -> two.setClientID("me")).isInstanceOf(InvalidClientIDRuntimeException.class);
        }

        await().atMost(TestCluster.PATIENCE).until(() -> {
            try (JMSContext three = cluster.factory("n3").createContext()) {
                three.setClientID("me");
                return true;
            } catch (InvalidClientIDRuntimeException e) {
                return false; // Its shard has not heard yet.
            }
        });
    }

    @Test
    void shouldRefuseChangesOfNodesThatCannotBeAndSayWhy() {
        assertThatThrownBy(() -> bean("n1").remove("n1")).hasMessageContaining("ask another one to remove it");
        assertThatThrownBy(() -> bean("n2").remove("n9")).hasMessageContaining("'n9' is none of the cluster's nodes");
        assertThatThrownBy(() -> bean("n3").add("n1@127.0.0.1:1")).hasMessageContaining("n1 belongs to the cluster");
        assertThatThrownBy(() -> bean("n3").stepDown("n9")).hasMessageContaining("'n9' cannot take over");
    }

    private static DestinationsMXBean destinations(String node) {
        return JMX.newMXBeanProxy(
                ManagementFactory.getPlatformMBeanServer(),
                ManagementNames.of("Destinations", node),
                DestinationsMXBean.class);
    }
}
