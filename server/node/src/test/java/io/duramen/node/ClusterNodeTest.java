package io.duramen.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.management.ClusterMXBean;
import io.duramen.management.ClusterNodeRow;
import io.duramen.management.ManagementNames;
import io.duramen.node.network.RawHello;
import io.duramen.runtime.ports.FreePorts;
import io.duramen.runtime.settings.SettingsException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.management.JMX;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes of a cluster in this JVM, and their clients. */
@Timeout(120)
class ClusterNodeTest {
    private static final List<String> NAMES = List.of("n1", "n2", "n3");
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long RECEIVE_MILLIS = 20_000;

    @TempDir
    private Path data;

    private final Map<String, Duramen> nodes = new LinkedHashMap<>();
    private List<Integer> ports;
    private boolean managed;

    @BeforeEach
    void choosePorts() throws IOException {
        int first = FreePorts.inARow(6);
        ports = IntStream.range(first, first + 6).boxed().toList();
    }

    @AfterEach
    void close() {
        nodes.values().forEach(Duramen::close);
    }

    @Test
    void shouldServeAtTheLeaderAndGoOnAtTheNextWithAllThatWasConfirmed() throws Exception {
        NAMES.forEach(this::start);
        String first = awaitLeader();
        try (JMSContext context = factory().createContext(JMSContext.CLIENT_ACKNOWLEDGE)) {
            send(context, 0, 100);
            receive(context, 0, 40);

            nodes.remove(first).close();
            String second = awaitLeader();
            assertThat(second).isNotEqualTo(first);
            send(context, 100, 200);
            receive(context, 40, 120);

            start(first);
            nodes.remove(second).close();
            assertThat(awaitLeader()).isNotEqualTo(second);
            send(context, 200, 300);
            receive(context, 120, 300);
        }
    }

    @Test
    void shouldTellAClientThatAsksAnotherNodeWhoLeads() throws Exception {
        NAMES.forEach(this::start);
        String leader = awaitLeader();
        String other =
                NAMES.stream().filter(name -> !name.equals(leader)).findFirst().orElseThrow();

        await().atMost(PATIENCE)
                .until(() -> RawHello.refusal(port(other)).equals(Optional.of("127.0.0.1:" + port(leader) + " leads")));
        try (JMSContext context = new DuramenConnectionFactory("duramen://127.0.0.1:" + port(other)).createContext()) {
            send(context, 0, 10);
            receive(context, 0, 10);
        }
    }

    @Test
    void shouldServeNobodyWithoutAMajority() {
        start("n1");

        assertThat(isLetIn("n1")).isFalse();
        assertThatThrownBy(() -> new DuramenConnectionFactory("duramen://127.0.0.1:" + port("n1")).createContext())
                .hasMessageContaining("shard 0 has no leader: 1 of 3 nodes answer, and it takes 2 to choose one");
    }

    @Test
    void shouldServeAgainWithTheSameStateWhenAllWereStopped() throws Exception {
        NAMES.forEach(this::start);
        awaitLeader();
        try (JMSContext context = factory().createContext()) {
            send(context, 0, 50);
            receive(context, 0, 20);
        }
        List.copyOf(nodes.keySet()).forEach(name -> nodes.remove(name).close());

        NAMES.forEach(this::start);
        awaitLeader();
        try (JMSContext context = factory().createContext()) {
            receive(context, 20, 50);
            assertThat(consumer(context).receive(200)).isNull();
        }
    }

    @Test
    void shouldServeWithTlsBetweenTheNodes() throws Exception {
        TestKeys.ofNodes(data, NAMES);
        for (String name : NAMES) {
            nodes.put(name, withTls(builder(name), "changeit").start());
        }
        awaitLeader();
        try (JMSContext context = factory().createContext()) {
            send(context, 0, 10);
            receive(context, 0, 10);
        }
    }

    @Test
    void shouldRefuseKeysThatCannotBeRead() throws Exception {
        TestKeys.ofNodes(data, NAMES);

        assertThatThrownBy(() -> withTls(builder("n1"), "wrong").start())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cluster.key-store=" + data.resolve("nodes.p12"));
        assertThatThrownBy(() ->
                        builder("n1").setting("cluster.key-store", "keys.p12").start())
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("cluster.trust-store names no file");
    }

    private Duramen.Builder withTls(Duramen.Builder builder, String password) {
        return builder.setting("cluster.key-store", data.resolve("nodes.p12").toString())
                .setting("cluster.key-store-password", password)
                .setting("cluster.trust-store", data.resolve("trusted.p12").toString())
                .setting("cluster.trust-store-password", password);
    }

    @Test
    void shouldRefuseSettingsThatDoNotFitACluster() {
        assertThatThrownBy(() -> builder("n4").start())
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("node.name=n4 is none of cluster.nodes: n1, n2, n3");
        assertThatThrownBy(() -> builder("n1").setting("log.shards", "33").start())
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("log.shards=33: a node of a cluster has 32 at most");
        assertThatThrownBy(
                        () -> builder("n1").setting("cluster.min-in-sync", "1").start())
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("cluster.min-in-sync=1: of 3 nodes 2 to 3 can be asked for");
        assertThatThrownBy(() -> builder("n1").setting("log.sync", "interval").start())
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("log.sync=interval");
        assertThatThrownBy(() -> builder("n1").setting("cluster.id", "").start())
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("cluster.id is empty");
        assertThatThrownBy(() -> builder("n1")
                        .setting("cluster.nodes", "n1@127.0.0.1:1,n2@127.0.0.1:2")
                        .start())
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("names 2 nodes");
        assertThatThrownBy(() -> builder("n1")
                        .setting("cluster.nodes", "n1@127.0.0.1:1,n2@127.0.0.1,n3@127.0.0.1:1")
                        .start())
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("'n2@127.0.0.1' is no NAME@HOST:PORT")
                .hasMessageContaining("twice");
        assertThatThrownBy(() -> builder("n1")
                        .setting("cluster.listen-address", "127.0.0.1")
                        .start())
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("cluster.listen-address=127.0.0.1 is no HOST:PORT");
    }

    /** Whether the others reach it there, or it listens there: either is heard by others than this machine. */
    @Test
    void shouldRefuseToTalkInTheOpenUnlessThatIsSaid() {
        assertThatThrownBy(() -> builder("n1")
                        .setting("cluster.nodes", "n1@0.0.0.0:9001,n2@127.0.0.1:9002,n3@127.0.0.1:9003")
                        .start())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("at 0.0.0.0:9001 without TLS");
        assertThatThrownBy(() -> builder("n1")
                        .setting("cluster.listen-address", "0.0.0.0:" + FreePorts.inARow(1))
                        .start())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("at 0.0.0.0:")
                .hasMessageContaining("without TLS");
    }

    @Test
    void shouldRefuseADirectoryOfAnotherClusterOrNode() throws Exception {
        start("n1");
        nodes.remove("n1").close();

        assertThatThrownBy(() -> builder("n1").setting("cluster.id", "another").start())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("belongs to cluster test of n1@");
        assertThatThrownBy(() -> builder("n2").dataDirectory(data.resolve("n1")).start())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("belongs to node 'n1'");
        assertThatThrownBy(() ->
                        TestNodes.quick().dataDirectory(data.resolve("n1")).start())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("belongs to a node of a cluster");
    }

    @Test
    void shouldLeaveADirectoryUnboundWhenThePortForTheOthersIsTaken() throws Exception {
        try (ServerSocket taken = new ServerSocket(ports.get(3), 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> builder("n1").start())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot listen for its peers at 127.0.0.1:" + taken.getLocalPort());
        }
        assertThat(data.resolve("n1").resolve("cluster")).doesNotExist();

        nodes.put("n1", builder("n1").setting("cluster.id", "another").start());
    }

    @Test
    void shouldRefuseADirectoryOfANodeByItself() throws Exception {
        try (Duramen alone = TestNodes.quick().dataDirectory(data.resolve("n1")).start();
                JMSContext context = alone.connectionFactory().createContext()) {
            send(context, 0, 1);
        }

        assertThatThrownBy(() -> builder("n1").start())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("a node by itself");
    }

    /** Goal: a node that has lost what it stored and voted does not help to decide as if it had not. */
    @Test
    void shouldNotLetInANodeThatComesBackWithAnotherDirectory() throws Exception {
        NAMES.forEach(this::start);
        String leader = awaitLeader();
        List<String> others = new ArrayList<>(NAMES);
        others.remove(leader);
        String emptied = others.get(0);
        String kept = others.get(1);
        try (JMSContext context = factory().createContext()) {
            send(context, 0, 10);
        }
        nodes.remove(kept).close();
        nodes.remove(emptied).close();
        Files.move(data.resolve(emptied), data.resolve("lost"));
        nodes.remove(leader).close();

        start(leader);
        start(emptied);
        assertThatThrownBy(() -> await().atMost(Duration.ofSeconds(6)).until(() -> leader().isPresent()))
                .isInstanceOf(org.awaitility.core.ConditionTimeoutException.class);
        start(kept);
        assertThat(awaitLeader()).isNotEqualTo(emptied);
        try (JMSContext context = factory().createContext()) {
            receive(context, 0, 10);
        }
    }

    /** Goal: what a lost directory had voted and stored is made up for before the new one counts. */
    @Test
    void shouldTakeInANodeInPlaceOfOneWhoseDirectoryIsLost() throws Exception {
        NAMES.forEach(this::start);
        String leader = awaitLeader();
        List<String> others = others(leader);
        String lost = others.get(0);
        String kept = others.get(1);
        try (JMSContext context = factory().createContext(JMSContext.CLIENT_ACKNOWLEDGE)) {
            send(context, 0, 100);
            receive(context, 0, 40);
            nodes.remove(lost).close();
            Files.move(data.resolve(lost), data.resolve("lost"));
            send(context, 100, 150);

            nodes.put(lost, builder(lost).setting("cluster.join", "true").start());
            nodes.remove(kept).close();
            send(context, 150, 200);
            receive(context, 40, 80);
            start(kept);
            nodes.remove(leader).close();
            awaitLeader();
            receive(context, 80, 200);
        }
        nodes.remove(lost).close();
        start(lost);
        assertThat(awaitLeader()).isNotEqualTo(leader);
    }

    @Test
    void shouldWaitToBeTakenInUntilAllOthersAnswer() throws Exception {
        NAMES.forEach(this::start);
        String leader = awaitLeader();
        List<String> others = others(leader);
        try (JMSContext context = factory().createContext()) {
            send(context, 0, 10);
        }
        nodes.remove(others.get(0)).close();
        nodes.remove(others.get(1)).close();
        Files.move(data.resolve(others.get(0)), data.resolve("lost"));

        CompletableFuture<Void> joining = startInBackground(others.get(0), "cluster.join");
        assertThatThrownBy(() -> await().atMost(Duration.ofSeconds(4)).until(joining::isDone))
                .isInstanceOf(org.awaitility.core.ConditionTimeoutException.class);
        start(others.get(1));
        await().atMost(PATIENCE).until(joining::isDone);
        joining.join();
        try (JMSContext context = factory().createContext(JMSContext.CLIENT_ACKNOWLEDGE)) {
            receive(context, 0, 10);
        }
    }

    @Test
    void shouldGrowFromANodeByItselfWithItsData() throws Exception {
        try (Duramen alone = TestNodes.quick()
                        .dataDirectory(data.resolve("n1"))
                        .setting("log.shards", "1")
                        .start();
                JMSContext context = alone.connectionFactory().createContext(JMSContext.CLIENT_ACKNOWLEDGE)) {
            send(context, 0, 100);
            receive(context, 0, 30);
        }

        List<CompletableFuture<Void>> starting = List.of(
                startInBackground("n1", "cluster.grow"),
                startInBackground("n2", "cluster.join"),
                startInBackground("n3", "cluster.join"));
        await().atMost(PATIENCE).until(() -> starting.stream().allMatch(CompletableFuture::isDone));
        starting.forEach(CompletableFuture::join);
        awaitLeader();
        try (JMSContext context = factory().createContext(JMSContext.CLIENT_ACKNOWLEDGE)) {
            receive(context, 30, 60);
            send(context, 100, 120);
            nodes.remove("n1").close();
            awaitLeader();
            receive(context, 60, 120);
        }
    }

    @Test
    void shouldNotGrowFromADirectoryOfAnotherNumberOfShards() throws Exception {
        TestNodes.quick()
                .dataDirectory(data.resolve("n1"))
                .setting("log.shards", "2")
                .start()
                .close();

        assertThatThrownBy(() -> builder("n1").setting("cluster.grow", "true").start())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("log.shards=1, but")
                .hasMessageContaining("holds 2 shards");
        assertThat(data.resolve("n1").resolve("cluster")).doesNotExist();
    }

    private CompletableFuture<Void> startInBackground(String name, String setting) {
        return CompletableFuture.runAsync(() -> {
            try {
                Duramen node = builder(name).setting(setting, "true").start();
                synchronized (nodes) {
                    nodes.put(name, node);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** Goal: clients follow, and nothing that was confirmed is lost or comes again. */
    @Test
    void shouldHandOnToTheNodeThatAnOperatorNames() throws Exception {
        managed = true;
        NAMES.forEach(this::start);
        String first = awaitLeader();
        String second = others(first).get(1);
        await().atMost(PATIENCE).until(() -> cluster(first).getInSync().size() == 3);
        long epoch = cluster(first).getEpoch();
        try (JMSContext context = factory().createContext(JMSContext.CLIENT_ACKNOWLEDGE)) {
            send(context, 0, 100);
            receive(context, 0, 40);

            cluster(first).stepDown(second);

            assertThat(awaitLeader()).isEqualTo(second);
            receive(context, 40, 100);
        }
        assertThat(cluster(second).getRole()).isEqualTo("LEADING");
        assertThat(cluster(second).getEpoch()).isGreaterThan(epoch);
        await().atMost(PATIENCE).until(() -> cluster(first).getLeader().equals(second));
        await().atMost(PATIENCE)
                .until(() ->
                        cluster(second).list().stream().allMatch(node -> node.isInSync() && node.getLagEntries() == 0));
        assertThat(cluster(second).list())
                .extracting(ClusterNodeRow::getName, ClusterNodeRow::getClients)
                .containsExactlyElementsOf(NAMES.stream()
                        .map(name -> tuple(name, "127.0.0.1:" + port(name)))
                        .toList());
    }

    @Test
    void shouldRefuseToHandOnWhereThatCannotBe() {
        managed = true;
        NAMES.forEach(this::start);
        String leader = awaitLeader();
        String other = others(leader).get(0);
        await().atMost(PATIENCE).until(() -> cluster(leader).getInSync().size() == 3);

        assertThatThrownBy(() -> cluster(leader).stepDown("nobody"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'nobody' cannot take over");
        await().atMost(PATIENCE).until(() -> cluster(other).getLeader().equals(leader));
        assertThatThrownBy(() -> cluster(other).stepDown(""))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("this node does not lead; " + leader + " does");
    }

    @Test
    void shouldNotBeChosenWhileDrained() throws Exception {
        managed = true;
        NAMES.forEach(this::start);
        String drained = awaitLeader();
        await().atMost(PATIENCE).until(() -> cluster(drained).getInSync().size() == 3);
        try (JMSContext context = factory().createContext(JMSContext.CLIENT_ACKNOWLEDGE)) {
            send(context, 0, 40);

            cluster(drained).drain();

            String next = awaitLeader();
            assertThat(next).isNotEqualTo(drained);
            receive(context, 0, 20);
            await().atMost(PATIENCE).until(() -> cluster(next).getInSync().contains(drained));
            nodes.remove(next).close();
            assertThat(awaitLeader()).isNotEqualTo(drained);
            receive(context, 20, 40);
        }
        assertThat(cluster(drained).isDrained()).isTrue();
        cluster(drained).resume();
        assertThat(cluster(drained).isDrained()).isFalse();
    }

    private static List<String> others(String than) {
        return NAMES.stream().filter(name -> !name.equals(than)).toList();
    }

    private static ClusterMXBean cluster(String name) {
        return JMX.newMXBeanProxy(
                ManagementFactory.getPlatformMBeanServer(), ManagementNames.of("Cluster", name), ClusterMXBean.class);
    }

    // ---- what the tests do

    private void start(String name) {
        try {
            nodes.put(name, builder(name).start());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private Duramen.Builder builder(String name) {
        return TestNodes.quick()
                .dataDirectory(data.resolve(name))
                .port(port(name))
                .setting("node.name", name)
                .setting("management.jmx", Boolean.toString(managed))
                .setting("cluster.id", "test")
                .setting("cluster.election-timeout", TestCluster.ELECTION_TIMEOUT)
                .setting(
                        "cluster.nodes",
                        NAMES.stream()
                                .map(node -> node + "@127.0.0.1:" + ports.get(3 + NAMES.indexOf(node)))
                                .collect(Collectors.joining(",")));
    }

    private int port(String name) {
        int index = NAMES.indexOf(name);
        return index < 0 ? 1 : ports.get(index);
    }

    private DuramenConnectionFactory factory() {
        return new DuramenConnectionFactory("duramen://"
                + NAMES.stream().map(name -> "127.0.0.1:" + port(name)).collect(Collectors.joining(",")));
    }

    private String awaitLeader() {
        await().atMost(PATIENCE).until(() -> leader().isPresent());
        return leader().orElseThrow();
    }

    private Optional<String> leader() {
        return nodes.keySet().stream().filter(this::isLetIn).findFirst();
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
        IntStream.range(from, to).forEach(i -> producer.send(context.createQueue("orders"), "m" + i));
    }

    private static JMSConsumer consumer(JMSContext context) {
        return context.createConsumer(context.createQueue("orders"));
    }

    private static void receive(JMSContext context, int from, int to) throws Exception {
        try (JMSConsumer consumer = consumer(context)) {
            for (int i = from; i < to; i++) {
                Message message = consumer.receive(RECEIVE_MILLIS);
                assertThat(message).as("message %d", i).isNotNull();
                assertThat(message.getBody(String.class)).isEqualTo("m" + i);
                message.acknowledge();
            }
        }
    }
}
