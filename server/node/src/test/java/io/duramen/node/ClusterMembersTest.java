package io.duramen.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.management.ClusterMXBean;
import io.duramen.management.ClusterNodeRow;
import io.duramen.management.ManagementNames;
import io.duramen.node.network.RawHello;
import io.duramen.runtime.ports.FreePorts;
import io.duramen.runtime.settings.SettingsException;
import jakarta.jms.JMSContext;
import jakarta.jms.Queue;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.JMX;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes of a cluster in this JVM, of which some come and others go by an operator's word. */
@Timeout(120)
class ClusterMembersTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long RECEIVE_MILLIS = 20_000;

    @TempDir
    private Path data;

    private final Map<String, Duramen> nodes = new LinkedHashMap<>();
    private final int firstPort = FreePorts.inARow(8);

    @AfterEach
    void close() {
        nodes.values().forEach(Duramen::close);
    }

    /** Goal: a leader goes and a new node comes, clients and messages go on, and the one that went stays out. */
    @Test
    void shouldAddANodeAndRemoveTheOneThatLeads() throws Exception {
        Stream.of("n1", "n2", "n3").forEach(name -> start(name, "n1", "n2", "n3"));
        String first = awaitLeader();
        await().atMost(PATIENCE).until(() -> cluster(first).getInSync().size() == 3);
        try (JMSContext context = factory("n1", "n2", "n3").createContext()) {
            send(context, 0, 50);
            addFourth(first);
            send(context, 50, 100);

            String second = removed(first);
            send(context, 100, 150);
            requireGoneForGood(first, second);
            receive(context, 0, 150);
        }
        nodes.remove(first).close();
        assertThatThrownBy(() -> builder(first, "n1", "n2", "n3").start())
                .isInstanceOf(IOException.class)
                .hasMessageContaining(first + " was removed from cluster 'test'");
        restartWithWhateverBelongsToIt(first);
    }

    /** Goal: an operator who has lost two of three for good has what the third has, can add others to it, and cannot err about the rest. */
    @Test
    void shouldGoOnAloneWhereAllOthersAreLostForGood() throws Exception {
        Stream.of("n1", "n2", "n3").forEach(name -> start(name, "n1", "n2", "n3"));
        String leader = awaitLeader();
        await().atMost(PATIENCE).until(() -> cluster(leader).getInSync().size() == 3);
        try (JMSContext context = factory("n1", "n2", "n3").createContext()) {
            send(context, 0, 50);
            await().atMost(PATIENCE).until(() -> cluster(leader).getInSync().size() == 3);
        }
        Stream.of("n3", "n1").forEach(name -> nodes.remove(name).close());
        requireRefused("n2,n3", "another node of the cluster answers, so not all of them are lost");
        nodes.remove("n2").close();
        requireRefused("n2", "the other nodes that decide are [n2, n3], not [n2]");

        nodes.put("n1", without("n2,n3").start());
        awaitLeader();
        try (JMSContext context = factory("n1").createContext()) {
            receive(context, 0, 50);
            send(context, 50, 100);
        }
        addFourth("n1");
        nodes.remove("n1").close();
        nodes.put("n1", without("n2,n3").start());
    }

    private Duramen.Builder without(String lost) {
        return builder("n1", "n1", "n2", "n3").setting("cluster.recover-without", lost);
    }

    private void requireRefused(String lost, String why) {
        assertThatThrownBy(() -> without(lost).start())
                .isInstanceOf(IOException.class)
                .hasMessageContaining(why);
    }

    private void addFourth(String leader) throws Exception {
        assertThat(cluster(leader).add(address("n4"))).contains("adding n4@");
        assertThatThrownBy(() -> cluster(leader).add("n5@127.0.0.1:1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("another change is under way: adding n4@");
        assertThat(cluster(leader).list())
                .filteredOn(row -> row.name().equals("n4"))
                .extracting(ClusterNodeRow::getRole)
                .containsExactly("JOINING");
        nodes.put(
                "n4",
                builder("n4", "n1", "n2", "n3", "n4")
                        .setting("cluster.join", "true")
                        .start());
        awaitDone(leader);
    }

    /** The one that leads; returns who leads then. */
    private String removed(String leader) {
        assertThat(cluster(leader).remove(leader)).contains("removing " + leader);
        String next = awaitLeader();
        assertThat(next).isNotEqualTo(leader);
        return next;
    }

    private void requireGoneForGood(String removed, String leader) {
        assertThat(cluster(leader).list())
                .extracting(ClusterNodeRow::getName)
                .containsExactlyInAnyOrderElementsOf(Stream.of("n1", "n2", "n3", "n4")
                        .filter(name -> !name.equals(removed))
                        .toList());
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThatThrownBy(() -> cluster(leader).add(address(removed)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("a node of the name " + removed + " was removed"));
    }

    private void restartWithWhateverBelongsToIt(String removed) throws Exception {
        String other = nodes.keySet().stream()
                .filter(name -> !name.equals("n4"))
                .findFirst()
                .orElseThrow();
        List.copyOf(nodes.keySet()).forEach(name -> nodes.remove(name).close());
        assertThatThrownBy(() -> builder(other, "n1", "n2", "n3", "n5").start())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cluster.nodes names n5@127.0.0.1:")
                .hasMessageContaining("A node is added with 'cluster add'");
        assertThatThrownBy(() -> builder(other, "n1", "n2", "n3")
                        .setting("cluster.nodes", address(other) + ",n4@127.0.0.1:1")
                        .start())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("A node keeps its address");
        start("n4", "n4");
        Stream.of("n1", "n2", "n3")
                .filter(name -> !name.equals(removed))
                .forEach(name -> start(name, "n1", "n2", "n3"));
        assertThat(awaitLeader()).isNotEqualTo(removed);
    }

    @Test
    void shouldShrinkToOneThatServesAlone() throws Exception {
        Stream.of("n1", "n2", "n3").forEach(name -> start(name, "n1", "n2", "n3"));
        String leader = awaitLeader();
        await().atMost(PATIENCE).until(() -> cluster(leader).getInSync().size() == 3);
        try (JMSContext context = factory("n1", "n2", "n3").createContext()) {
            send(context, 0, 50);
            for (String other : List.of("n1", "n2", "n3")) {
                if (!other.equals(leader)) {
                    cluster(leader).remove(other);
                    nodes.remove(other).close();
                    send(context, 50, 60);
                    receive(context, nodes.size() == 2 ? 0 : 50, 60);
                }
            }
            assertThat(cluster(leader).getInSync()).containsExactly(leader);
            assertThat(cluster(leader).getMinInSync()).isEqualTo(1);
            assertThatThrownBy(() -> cluster(leader).remove(leader)).hasMessageContaining("is the only node");
            send(context, 50, 60);
        }
        nodes.remove(leader).close();
        start(leader, "n1", "n2", "n3");
        awaitLeader();
        try (JMSContext context = factory(leader).createContext()) {
            receive(context, 50, 60);
        }
    }

    @Test
    void shouldRefuseToBeginWithAnEvenNumberOfNodes() {
        assertThatThrownBy(() -> builder("n1", "n1", "n2").start())
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("a cluster begins with 3, 5 or 7");
        assertThat(data.resolve("n1").resolve("cluster")).doesNotExist();
    }

    // ---- what the tests do

    private void start(String name, String... named) {
        try {
            nodes.put(name, builder(name, named).start());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private Duramen.Builder builder(String name, String... named) {
        return TestNodes.quick()
                .dataDirectory(data.resolve(name))
                .port(port(name))
                .setting("node.name", name)
                .setting("management.jmx", "true")
                .setting("cluster.id", "test")
                .setting("cluster.election-timeout", TestCluster.ELECTION_TIMEOUT)
                .setting("cluster.nodes", Stream.of(named).map(this::address).collect(Collectors.joining(",")));
    }

    private int port(String name) {
        return firstPort + Integer.parseInt(name.substring(1)) - 1;
    }

    private String address(String name) {
        return name + "@127.0.0.1:" + (port(name) + 4);
    }

    private DuramenConnectionFactory factory(String... named) {
        return new DuramenConnectionFactory("duramen://"
                + Stream.of(named).map(name -> "127.0.0.1:" + port(name)).collect(Collectors.joining(",")));
    }

    private static ClusterMXBean cluster(String name) {
        return JMX.newMXBeanProxy(
                ManagementFactory.getPlatformMBeanServer(), ManagementNames.of("Cluster", name), ClusterMXBean.class);
    }

    private void awaitDone(String leader) {
        await().atMost(PATIENCE).until(() -> cluster(leader).getChange().endsWith("is done"));
    }

    private String awaitLeader() {
        return await().atMost(PATIENCE)
                .until(
                        () -> nodes.keySet().stream()
                                .filter(this::isLetIn)
                                .findFirst()
                                .orElse(""),
                        name -> !name.isEmpty());
    }

    private boolean isLetIn(String name) {
        try {
            return RawHello.refusal(port(name)).isEmpty();
        } catch (IOException e) {
            return false;
        }
    }

    private static void send(JMSContext context, int from, int to) {
        var producer = context.createProducer();
        Queue queue = context.createQueue("orders");
        for (int i = from; i < to; i++) {
            producer.send(queue, "m" + i);
        }
    }

    private static void receive(JMSContext context, int from, int to) {
        try (var consumer = context.createConsumer(context.createQueue("orders"))) {
            for (int i = from; i < to; i++) {
                assertThat(consumer.receiveBody(String.class, RECEIVE_MILLIS)).isEqualTo("m" + i);
            }
        }
    }
}
