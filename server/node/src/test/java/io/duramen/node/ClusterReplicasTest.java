package io.duramen.node;

import static io.duramen.node.TestCluster.NAMES;
import static io.duramen.node.TestCluster.PATIENCE;
import static io.duramen.node.TestCluster.bean;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.management.ClusterShardRow;
import io.duramen.management.ManagementNames;
import io.duramen.management.ShardMXBean;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSRuntimeException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.management.JMX;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cluster in which not every shard is on all nodes, as operators say. Destinations whose names begin with "wide" are in all shards. */
@Timeout(240)
class ClusterReplicasTest {
    private static final int MOVED = 2;

    @TempDir
    private Path data;

    private TestCluster cluster;
    private TokenTraffic traffic;

    @BeforeEach
    void make() throws IOException {
        cluster = new TestCluster(data)
                .with("cluster.leaders", "several")
                .with("log.shards", "3")
                .with("broker.replicas-of", "scratch=1")
                .with("broker.partitions-of", "wide*=5");
        traffic = new TokenTraffic(cluster);
        cluster.startAll();
        cluster.awaitSpread();
        traffic.send("wide", 0, 60);
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void shouldServeClientsOfANodeThatHasNoReplica() throws Exception {
        remove("n3");
        traffic.move("wide", "wide.too", 30);

        try (JMSContext context = cluster.factory("n3").createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue("wide.too"))) {
            assertThat(consumer.receiveBody(String.class, TokenTraffic.RECEIVE_MILLIS))
                    .isNotNull();
        }
        cluster.stop("n3");
        cluster.start("n3");
        cluster.awaitLedBy(NAMES);
        traffic.move("wide", "wide.too", 30);
        assertThat(files("n3")).containsExactly("raft.vote");
        traffic.requireCount("wide.too", 59);
    }

    @Test
    void shouldCountOnANodeThatHadOneBefore() throws Exception {
        remove("n3");
        traffic.move("wide", "wide.too", 30);

        assertThat(bean("n1").addReplica(MOVED, "n3")).contains("adding n3@");
        awaitReplicas(NAMES);
        cluster.awaitInSync(3);
        cluster.stop("n1");
        cluster.awaitLedBy(List.of("n2", "n3"));
        traffic.move("wide", "wide.too", 30);
        traffic.requireExactly("wide.too", 0, 60);
    }

    @Test
    void shouldAddANodeToTheShardsThatAllHaveAndMoveAReplicaThere() throws Exception {
        remove("n3");
        bean("n2").add(cluster.address("n4"));
        cluster.join("n4");
        await().atMost(PATIENCE).until(() -> bean("n1").getInSync().contains("n4"));
        assertThat(bean("n4").listShards().get(MOVED).getReplicas()).containsExactly("n1", "n2");

        assertThat(bean("n3").moveReplica(MOVED, "n1", "n4")).contains("in place of n1");

        awaitReplicas(List.of("n2", "n4"));
        await().atMost(PATIENCE).until(() -> files("n1").equals(List.of("raft.vote")));
        traffic.requireExactly("wide", 0, 60);
    }

    @Test
    void shouldRefuseWhatCannotBeAndSayWhy() {
        assertThatThrownBy(() -> bean("n1").removeReplica(0, "n3")).hasMessageContaining("is on all nodes");
        assertThatThrownBy(() -> bean("n1").addReplica(9, "n3")).hasMessageContaining("there is no shard 9 of 3");
        assertThatThrownBy(() -> bean("n2").removeReplica(1, "n9")).hasMessageContaining("'n9' is none of");
        assertThatThrownBy(() -> bean("n3").addReplica(1, "n2")).hasMessageContaining("n2 belongs to");
        remove("n3");
        remove("n1");
        assertThatThrownBy(() -> bean("n3").removeReplica(MOVED, "n2"))
                .hasMessageContaining("n2 is the only node that shard-2 is on");
        assertThatThrownBy(() -> bean("n3").removeReplica(MOVED, "n3")).hasMessageContaining("'n3' is none of");
    }

    @Test
    void shouldServeTheRestWhileTheOnlyNodeOfAShardIsAway() throws Exception {
        remove("n1");
        remove("n2");
        try (JMSContext context = cluster.factory().createContext()) {
            context.createProducer().send(context.createQueue("scratch"), "before");
        }
        cluster.stop("n3");
        cluster.awaitLedBy(List.of("n1", "n2"), MOVED);

        try (JMSContext context = cluster.factory().createContext()) {
            context.createProducer().send(context.createQueue("orders"), "kept");
            assertThatThrownBy(() -> context.createProducer().send(context.createQueue("scratch"), "lost"))
                    .hasMessageContaining("shard 2 has no leader");
            try (JMSConsumer consumer = context.createConsumer(context.createQueue("orders"))) {
                assertThat(consumer.receiveBody(String.class, TokenTraffic.RECEIVE_MILLIS))
                        .isEqualTo("kept");
            }
        }
        cluster.start("n3");
        cluster.awaitLedBy(NAMES);
        await().atMost(PATIENCE).until(() -> isServed("scratch"));
        traffic.move("wide", "wide.too", 60);
        try (JMSContext context = cluster.factory().createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue("scratch"))) {
            assertThat(consumer.receiveBody(String.class, TokenTraffic.RECEIVE_MILLIS))
                    .isEqualTo("before");
            assertThat(consumer.receiveNoWait()).isNull();
        }
        traffic.requireExactly("wide.too", 0, 60);
    }

    /** At whichever node they are made: two of the three hand over to the one that has the catalogue. */
    @Test
    void shouldMakeDestinationsOnAsManyNodesAsTheirFactoryChooses() {
        remove("n1");
        remove("n2");
        assertThat(bean("n1").listShards().get(MOVED).getReplicas()).containsExactly("n3");
        long before = storedInMoved();

        for (String node : NAMES) {
            send(node, 1, "alone." + node);
        }
        assertThat(storedInMoved()).isEqualTo(before + NAMES.size());
        for (String node : NAMES) {
            send(node, 3, "safe." + node);
            send(node, 0, "usual." + node);
            send(node, 3, "alone." + node);
        }
        assertThat(storedInMoved()).isEqualTo(before + 2L * NAMES.size());
        assertThatThrownBy(() -> send("n1", 7, "nowhere"))
                .hasMessageContaining("'nowhere' is to be on 7 nodes")
                .hasMessageContaining("[3, 3, 1]");
    }

    private void send(String node, int replicas, String queue) {
        DuramenConnectionFactory factory = cluster.factory(node);
        factory.setReplicas(replicas);
        try (JMSContext context = factory.createContext()) {
            context.createProducer().send(context.createQueue(queue), "m");
        }
    }

    private static long storedInMoved() {
        return JMX.newMXBeanProxy(
                        ManagementFactory.getPlatformMBeanServer(),
                        ManagementNames.ofShard("n3", MOVED),
                        ShardMXBean.class)
                .getMessagesStored();
    }

    private boolean isServed(String queue) {
        try (JMSContext context = cluster.factory().createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue(queue))) {
            return consumer != null;
        } catch (JMSRuntimeException e) {
            return false;
        }
    }

    private void remove(String node) {
        await().atMost(PATIENCE).until(() -> areInSync(bean("n3").listShards().get(MOVED)));
        assertThat(bean("n3").removeReplica(MOVED, node)).contains("removing " + node + " is done");
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(files(node)).containsExactly("raft.vote"));
        cluster.awaitAllServing();
    }

    private static boolean areInSync(ClusterShardRow row) {
        return !row.getReplicas().isEmpty() && row.getInSync().containsAll(row.getReplicas());
    }

    private void awaitReplicas(List<String> nodes) {
        for (String node : NAMES) {
            await().atMost(PATIENCE)
                    .until(() ->
                            bean(node).listShards().get(MOVED).getReplicas().equals(nodes));
        }
    }

    private List<String> files(String node) {
        try (Stream<Path> files =
                Files.list(cluster.data(node).resolve("shard-" + MOVED).resolve("log"))) {
            return files.map(file -> file.getFileName().toString()).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
