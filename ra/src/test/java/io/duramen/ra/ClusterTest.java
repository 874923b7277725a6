package io.duramen.ra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.node.Duramen;
import io.duramen.ra.inbound.DuramenActivationSpec;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSRuntimeException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server with the adapter, and three nodes of a cluster, of which another leads from time to time. */
@Timeout(180)
class ClusterTest {
    private static final List<String> NAMES = List.of("n1", "n2", "n3");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path data;

    private final Map<String, Duramen> nodes = new LinkedHashMap<>();
    private List<Integer> ports;
    private SmallServer server;

    @BeforeEach
    void start() throws Exception {
        ports = freePorts(2 * NAMES.size());
        for (String name : NAMES) {
            nodes.put(name, aNode(name).start());
        }
        server = new SmallServer("duramen://"
                + NAMES.stream().map(name -> "127.0.0.1:" + port(name)).collect(Collectors.joining(",")));
        awaitLeader();
    }

    @AfterEach
    void end() {
        server.close();
        nodes.values().forEach(Duramen::close);
    }

    private static List<Integer> freePorts(int count) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return sockets.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        }
    }

    private int port(String name) {
        return ports.get(NAMES.indexOf(name));
    }

    private Duramen.Builder aNode(String name) {
        return Duramen.embedded()
                .setting("security.password-iterations", "10000")
                .dataDirectory(data.resolve(name))
                .port(port(name))
                .setting("node.name", name)
                .setting("management.jmx", "false")
                .setting("cluster.id", "test")
                .setting(
                        "cluster.nodes",
                        NAMES.stream()
                                .map(node -> node + "@127.0.0.1:" + ports.get(NAMES.size() + NAMES.indexOf(node)))
                                .collect(Collectors.joining(",")));
    }

    /** The one that lets clients in. */
    private String awaitLeader() {
        return await().atMost(PATIENCE)
                .until(() -> nodes.keySet().stream().filter(this::leads).findFirst(), Optional::isPresent)
                .orElseThrow();
    }

    /** Method: the factory of a node inside this JVM reaches that one alone. */
    private boolean leads(String name) {
        try {
            nodes.get(name).connectionFactory().createContext().close();
            return true;
        } catch (JMSRuntimeException e) {
            return false;
        }
    }

    private static void send(ConnectionFactory pool, int from, int to) throws Exception {
        for (int i = from; i < to; i++) {
            SmallServer.TRANSACTIONS.begin();
            try (JMSContext context = pool.createContext()) {
                context.createProducer().send(context.createQueue("orders"), "m" + i);
            }
            SmallServer.TRANSACTIONS.commit();
        }
    }

    private static void awaitAll(Beans beans, Set<String> seen, int count) throws InterruptedException {
        while (seen.size() < count) {
            Beans.Seen next = beans.seen.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(next).as("after %d", seen.size()).isNotNull();
            seen.add(next.text());
        }
    }

    /** Goal: nobody has to move connections when another node leads: those of beans and of the pool go where it is. */
    @Test
    void shouldFeedBeansAndSendByThePoolWhereverTheLeaderIs() throws Exception {
        Beans beans = new Beans(true, message -> {});
        DuramenActivationSpec spec = new DuramenActivationSpec();
        spec.setDestination("orders");
        spec.setDestinationType("jakarta.jms.Queue");
        spec.setMaxSessions(3);
        ConnectionFactory pool = server.pool(2);
        server.deploy(beans, spec);
        Set<String> seen = new TreeSet<>();
        send(pool, 0, 20);
        awaitAll(beans, seen, 20);
        for (int round = 1; round <= 2; round++) {
            String leader = awaitLeader();
            nodes.remove(leader).close();
            send(pool, round * 20, round * 20 + 20);
            awaitAll(beans, seen, round * 20 + 20);
            assertThat(awaitLeader()).isNotEqualTo(leader);
            nodes.put(leader, aNode(leader).start());
        }
        server.undeploy(beans, spec);
        assertThat(seen)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, 60).mapToObj(i -> "m" + i).toList());
        try (JMSContext context = new DuramenConnectionFactory(server.adapter.getServerUrl()).createContext()) {
            assertThat(context.createConsumer(context.createQueue("orders")).receive(300))
                    .isNull();
        }
    }
}
