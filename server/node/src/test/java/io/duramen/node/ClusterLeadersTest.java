package io.duramen.node;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What becomes of leaders where nodes go, come or have much to do: three nodes of a cluster in this JVM, each of which leads one of three shards where
 * nothing else is said; destinations whose names begin with "wide" are in all.
 */
@Timeout(240)
class ClusterLeadersTest {
    @TempDir
    private Path data;

    private TestCluster cluster;
    private TokenTraffic traffic;

    @BeforeEach
    void make() {
        cluster = new TestCluster(data)
                .with("cluster.leaders", "several")
                .with("log.shards", "3")
                .with("broker.partitions-of", "wide*=5");
        traffic = new TokenTraffic(cluster);
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void shouldKeepEveryTokenOnceWhenEachNodeIsStoppedInTurn() throws Exception {
        cluster.startAll();
        cluster.awaitSpread();
        traffic.send("wide", 0, 60);
        try (TokenMover mover = new TokenMover(cluster, "wide", "wide.too")) {
            for (String node : TestCluster.NAMES) {
                mover.awaitMore();
                cluster.stop(node);
                mover.awaitMore();
                cluster.start(node);
                cluster.awaitLedBy(TestCluster.NAMES);
            }
            mover.awaitMore();
        }

        traffic.requireExactly("wide.too", 0, traffic.moveRest("wide", "wide.too", 60));
    }

    @Test
    void shouldServeWithoutANodeThatIsDrained() throws Exception {
        cluster.startAll();
        cluster.awaitSpread();
        traffic.send("wide", 0, 30);

        TestCluster.bean("n2").drain();

        cluster.awaitLedBy(List.of("n1", "n3"));
        traffic.move("wide", "wide.too", 30);
        cluster.stop("n2");
        traffic.requireExactly("wide.too", 0, 30);
    }

    /** Goal: of four shards a node leads two, and where these do more than the others it does not keep both. */
    @Test
    void shouldLeadTwoBusyShardsAtTwoNodes() throws Exception {
        cluster.with("log.shards", "4").with("broker.dedicated", "busy3,busy2,busy1");
        cluster.startAll();
        cluster.awaitLed(led -> TestCluster.NAMES.containsAll(led.values()));
        // Whoever is created first gets the last shard that is free; who has none to itself is with the catalogue.
        for (String queue : List.of("busy3", "busy2", "busy1", "busy0")) {
            traffic.send(queue, 0, 1);
        }
        Map<Integer, String> even = cluster.awaitLed(led -> TestCluster.NAMES.stream()
                .allMatch(node ->
                        shardsOf(node, led).size() == 1 || shardsOf(node, led).size() == 2));
        List<Integer> busy = TestCluster.NAMES.stream()
                .map(node -> shardsOf(node, even))
                .filter(shards -> shards.size() == 2)
                .findFirst()
                .orElseThrow();

        try (BusyQueues queues = new BusyQueues(
                cluster, busy.stream().map(shard -> "busy" + shard).toList())) {
            cluster.awaitLed(led -> !led.get(busy.get(0)).equals(led.get(busy.get(1))) && !led.containsValue(""));
            queues.awaitMore();
        }
    }

    // ---- what the tests do

    private static List<Integer> shardsOf(String node, Map<Integer, String> led) {
        return led.keySet().stream()
                .filter(shard -> led.get(shard).equals(node))
                .sorted()
                .toList();
    }
}
