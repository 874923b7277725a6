package io.duramen.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSContext;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes of a cluster in this JVM, of three shards; destinations whose names begin with "wide" have five partitions in them. */
@Timeout(180)
class ClusterShardsTest {
    @TempDir
    private Path data;

    private TestCluster cluster;
    private TokenTraffic traffic;

    @BeforeEach
    void make() {
        cluster = new TestCluster(data).with("log.shards", "3").with("broker.partitions-of", "wide*=5");
        traffic = new TokenTraffic(cluster);
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void shouldServeAllShardsAtOneNodeAndAtTheNextWhenThatEnds() throws Exception {
        cluster.startAll();
        cluster.awaitServing();
        traffic.send("wide", 0, 60);
        traffic.move("wide", "wide.too", 20);
        for (int round = 0; round < 2; round++) {
            cluster.awaitInSync(3);
            String before = cluster.awaitServing();
            cluster.stop(before);
            assertThat(cluster.awaitServing()).isNotEqualTo(before);
            traffic.move("wide", "wide.too", 20);
            cluster.start(before);
        }

        traffic.requireExactly("wide.too", 0, 60);
        assertThat(TestCluster.bean(cluster.awaitServing()).listShards())
                .hasSize(3)
                .allSatisfy(shard -> assertThat(shard.leader()).isEqualTo(cluster.awaitServing()));
    }

    /** Goal: what was decided over shards and not carried out yet is, after all nodes were stopped, and the rest never was. */
    @Test
    void shouldServeAgainWithTheSameStateWhenAllWereStopped() throws Exception {
        cluster.startAll();
        cluster.awaitServing();
        traffic.send("wide", 0, 60);
        try (JMSContext context = cluster.factory().createContext(JMSContext.SESSION_TRANSACTED)) {
            TokenTraffic.moveUncommitted(context, "wide", "wide.too", 30);
            context.rollback();
        }
        traffic.move("wide", "wide.too", 30);
        cluster.stopAll();

        cluster.startAll();
        cluster.awaitServing();
        traffic.move("wide", "wide.too", 30);
        traffic.requireExactly("wide.too", 0, 60);
    }

    @Test
    void shouldServeAllShardsElsewhereWhenDrained() throws Exception {
        cluster.startAll();
        cluster.awaitInSync(3);
        String drained = cluster.awaitServing();
        traffic.send("wide", 0, 30);

        TestCluster.bean(drained).drain();

        String next = cluster.awaitServing();
        assertThat(next).isNotEqualTo(drained);
        traffic.move("wide", "wide.too", 30);
        await().atMost(TestCluster.PATIENCE)
                .until(() -> TestCluster.bean(drained).listShards().stream()
                        .allMatch(shard -> shard.leader().equals(next)));
        cluster.awaitInSync(3);
        cluster.stop(next);
        assertThat(cluster.awaitServing()).isNotEqualTo(drained);
        traffic.requireExactly("wide.too", 0, 30);
    }

    @Test
    void shouldGrowFromANodeByItselfWithTheDataOfItsShards() throws Exception {
        try (Duramen alone = TestNodes.quick()
                        .dataDirectory(cluster.data("n1"))
                        .setting("log.shards", "3")
                        .setting("broker.partitions-of", "wide*=5")
                        .start();
                JMSContext context = alone.connectionFactory().createContext()) {
            TokenTraffic.send(context, "wide", 0, 60);
        }

        cluster.startTogether(Map.of("n1", "cluster.grow", "n2", "cluster.join", "n3", "cluster.join"));
        cluster.awaitInSync(3);
        traffic.move("wide", "wide.too", 30);
        cluster.stop(cluster.awaitServing());
        cluster.awaitServing();
        traffic.move("wide", "wide.too", 30);
        traffic.requireExactly("wide.too", 0, 60);
    }

    @Test
    void shouldAddANodeToAllShardsAndRemoveTheOneThatServes() throws Exception {
        cluster.startAll();
        cluster.awaitInSync(3);
        String first = cluster.awaitServing();
        traffic.send("wide", 0, 60);
        assertThat(TestCluster.bean(first).add(cluster.address("n4"))).contains("adding n4@");
        cluster.join("n4");
        await().atMost(TestCluster.PATIENCE)
                .until(
                        () -> TestCluster.bean(first).listShards(),
                        shards ->
                                shards.stream().allMatch(shard -> shard.change().endsWith("is done")));
        cluster.awaitInSync(4);
        traffic.move("wide", "wide.too", 30);

        assertThat(TestCluster.bean(first).remove(first)).contains("removing " + first);
        String second = cluster.awaitServing();
        assertThat(second).isNotEqualTo(first);
        assertThat(TestCluster.bean(second).list())
                .hasSize(3)
                .noneMatch(node -> node.name().equals(first));
        traffic.move("wide", "wide.too", 30);
        traffic.requireExactly("wide.too", 0, 60);
    }

    @Test
    void shouldRefuseAnotherNumberOfShardsThanTheClusterHas() throws Exception {
        cluster.startAll();
        cluster.awaitServing();
        cluster.stop("n2");

        cluster.with("log.shards", "2");
        assertThatThrownBy(() -> cluster.start("n2"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("belongs to a cluster with log.shards=3")
                .hasMessageContaining("log.shards=2");
    }
}
