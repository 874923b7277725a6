package io.duramen.node;

import static org.awaitility.Awaitility.await;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.management.ClusterMXBean;
import io.duramen.management.ClusterNodeRow;
import io.duramen.management.ClusterShardRow;
import io.duramen.management.ManagementNames;
import io.duramen.node.network.RawHello;
import io.duramen.protocol.FormatLevel;
import io.duramen.runtime.ports.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.JMX;

/**
 * Nodes n1, n2 and n3 of a cluster in this JVM, and n4 where one is added. They choose leaders sooner than they do where nothing is said: what tests wait
 * for comes after some election timeouts. Used by one thread; {@link #close} ends what runs.
 */
final class TestCluster implements AutoCloseable {
    static final List<String> NAMES = List.of("n1", "n2", "n3");
    static final Duration PATIENCE = Duration.ofSeconds(60);
    static final String ELECTION_TIMEOUT = "500ms";
    private static final int PORTS = 8;
    private static final int NO_SHARD = -1;

    private final Path data;
    private final int firstPort = FreePorts.inARow(PORTS);
    private final Map<String, String> settings = new TreeMap<>();
    private final Map<String, Duramen> nodes = new TreeMap<>();
    private final Map<String, Integer> formatMax = new TreeMap<>();

    TestCluster(Path data) {
        this.data = data;
    }

    /** Of every node that is started from here on. */
    TestCluster with(String key, String value) {
        settings.put(key, value);
        return this;
    }

    /** That node is of a version that reads format levels up to this, from its next start on. */
    TestCluster reads(String name, int level) {
        formatMax.put(name, level);
        return this;
    }

    Path data(String name) {
        return data.resolve(name);
    }

    void startAll() throws IOException {
        for (String name : NAMES) {
            start(name);
        }
    }

    void start(String name) throws IOException {
        put(name, builder(name, NAMES).start());
    }

    /** Those that start once others run: each has a setting of its own. */
    void startTogether(Map<String, String> settingOf) {
        List<CompletableFuture<Void>> starting = settingOf.entrySet().stream()
                .map(each -> CompletableFuture.runAsync(() -> {
                    try {
                        put(
                                each.getKey(),
                                builder(each.getKey(), NAMES)
                                        .setting(each.getValue(), "true")
                                        .start());
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }))
                .toList();
        await().atMost(PATIENCE).until(() -> starting.stream().allMatch(CompletableFuture::isDone));
        starting.forEach(CompletableFuture::join);
    }

    /** A node that is being added. */
    void join(String name) throws IOException {
        List<String> all = Stream.concat(NAMES.stream(), Stream.of(name)).toList();
        put(name, builder(name, all).setting("cluster.join", "true").start());
    }

    private void put(String name, Duramen node) {
        synchronized (nodes) {
            nodes.put(name, node);
        }
    }

    Duramen.Builder builder(String name, List<String> named) {
        Duramen.Builder builder = TestNodes.quick()
                .dataDirectory(data(name))
                .port(port(name))
                .setting("node.name", name)
                .setting("management.jmx", "true")
                .setting("cluster.id", "test")
                .setting("cluster.election-timeout", ELECTION_TIMEOUT)
                .setting("cluster.nodes", named.stream().map(this::address).collect(Collectors.joining(",")));
        settings.forEach(builder::setting);
        return builder.formatMax(formatMax.getOrDefault(name, FormatLevel.NEWEST));
    }

    void stop(String name) {
        nodes.remove(name).close();
    }

    void stopAll() {
        List.copyOf(nodes.keySet()).forEach(this::stop);
    }

    private int port(String name) {
        return firstPort + Integer.parseInt(name.substring(1)) - 1;
    }

    String address(String name) {
        return name + "@127.0.0.1:" + (port(name) + PORTS / 2);
    }

    DuramenConnectionFactory factory() {
        return new DuramenConnectionFactory("duramen://"
                + Stream.of("n1", "n2", "n3", "n4")
                        .map(name -> "127.0.0.1:" + port(name))
                        .collect(Collectors.joining(",")));
    }

    /** That node alone. */
    DuramenConnectionFactory factory(String name) {
        return new DuramenConnectionFactory("duramen://127.0.0.1:" + port(name));
    }

    static ClusterMXBean bean(String name) {
        return JMX.newMXBeanProxy(
                ManagementFactory.getPlatformMBeanServer(), ManagementNames.of("Cluster", name), ClusterMXBean.class);
    }

    String awaitServing() {
        return await().atMost(PATIENCE)
                .until(this::serving, Optional::isPresent)
                .orElseThrow();
    }

    /** Where each node may. */
    void awaitAllServing() {
        await().atMost(PATIENCE).until(() -> nodes.keySet().stream().allMatch(this::isLetIn));
    }

    /** Where each node may lead: each shard is led by one of these, and all nodes say the same. */
    void awaitLedBy(List<String> leaders) {
        awaitLedBy(leaders, NO_SHARD);
    }

    /** As {@link #awaitLedBy}, but for a shard that nobody leads. */
    void awaitLedBy(List<String> leaders, int but) {
        awaitLed(led -> led.entrySet().stream()
                .allMatch(
                        each -> each.getKey() == but ? each.getValue().isEmpty() : leaders.contains(each.getValue())));
    }

    /** Where there are as many shards as nodes: each node leads one, and all say the same. */
    void awaitSpread() {
        awaitLed(led -> led.values().stream().sorted().toList().equals(List.copyOf(nodes.keySet())));
    }

    /**
     * Until the shards are led as asked for, and all nodes say the same.
     *
     * @return who leads each, by its number
     */
    Map<Integer, String> awaitLed(Predicate<Map<Integer, String>> asked) {
        List<Map<Integer, String>> all = await().atMost(PATIENCE)
                .until(this::leaders, said -> said.stream().distinct().count() == 1 && asked.test(said.get(0)));
        awaitAllServing();
        return all.get(0);
    }

    private List<Map<Integer, String>> leaders() {
        return nodes.keySet().stream()
                .map(name -> bean(name).listShards().stream()
                        .collect(Collectors.toMap(
                                ClusterShardRow::getShard, ClusterShardRow::getLeader, (a, b) -> a, TreeMap::new)))
                .map(Map::copyOf)
                .toList();
    }

    private Optional<String> serving() {
        return nodes.keySet().stream().filter(this::isLetIn).findFirst();
    }

    private boolean isLetIn(String name) {
        try {
            return RawHello.refusal(port(name)).isEmpty();
        } catch (IOException e) {
            return false;
        }
    }

    /** Whoever serves meanwhile. */
    void awaitInSync(int count) {
        await().atMost(PATIENCE)
                .until(
                        () -> serving().map(name -> bean(name).list()).orElse(List.of()),
                        rows -> rows.stream().filter(ClusterNodeRow::inSync).count() == count);
    }

    @Override
    public void close() {
        stopAll();
    }
}
