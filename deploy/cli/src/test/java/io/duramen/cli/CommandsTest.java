package io.duramen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.duramen.management.ClusterMXBean;
import io.duramen.management.ClusterNodeRow;
import io.duramen.management.ManagementNames;
import io.duramen.node.Duramen;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/** The command line against a node, over a real JMX connector. */
@Timeout(120)
class CommandsTest {
    static {
        // What RMI tells others to connect to; read once in a JVM.
        System.setProperty("java.rmi.server.hostname", "127.0.0.1");
    }

    private final String name = "n" + UUID.randomUUID();
    private Duramen node;
    private JMXConnectorServer connector;
    private String errors;

    @BeforeEach
    void start() throws Exception {
        node = Duramen.embedded()
                .setting("node.name", name)
                .setting("security.password-iterations", "10000")
                .start();
        connector = JMXConnectorServerFactory.newJMXConnectorServer(
                new JMXServiceURL("rmi", "127.0.0.1", 0), null, ManagementFactory.getPlatformMBeanServer());
        connector.start();
    }

    @AfterEach
    void stop() throws Exception {
        connector.stop();
        node.close();
    }

    private String runs(int code, String... arguments) {
        List<String> all =
                new ArrayList<>(List.of("--url", connector.getAddress().toString(), "--node", name));
        all.addAll(List.of(arguments));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        assertThat(line.execute(all.toArray(new String[0])))
                .as(out + "\n" + err)
                .isEqualTo(code);
        errors = err.toString();
        return out.toString();
    }

    private String runs(String... arguments) {
        return runs(0, arguments);
    }

    private JsonNode json(String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of("--json"));
        all.addAll(List.of(arguments));
        return new ObjectMapper().readTree(runs(all.toArray(new String[0])));
    }

    @Test
    void shouldMakeSendBrowseMoveAndPurge() throws Exception {
        runs("destinations", "create", "orders", "QUEUE", "--partitions", "1");
        runs("destinations", "create", "later", "queue");
        String id = runs("messages", "send", "orders", "a text", "--property", "region=north")
                .strip();
        assertThat(id).startsWith("ID:");
        runs("messages", "send-text", "orders", "another");
        assertThat(runs("messages", "browse", "orders")).contains("MESSAGE-ID", id, "a text", "another");
        JsonNode page = json("messages", "browse", "orders", "--selector", "region = 'north'");
        assertThat(page.get("rows")).hasSize(1);
        assertThat(page.get("rows").get(0).get("properties").get("region").asText())
                .isEqualTo("north");
        String place = page.get("rows").get(0).get("id").asText();
        assertThat(runs("messages", "move-one", "orders", place, "later")).contains("done");
        assertThat(json("destinations", "purge", "later").get("done").asInt()).isEqualTo(1);
        assertThat(runs("destinations", "list", "--pattern", "ord*"))
                .contains("orders")
                .doesNotContain("later");
        assertThat(runs("destinations", "list", "--limit", "1")).contains("More: --after later");
        runs("destinations", "add-partitions", "orders", "3");
        assertThat(json("destinations", "list", "--pattern", "orders")
                        .get("rows")
                        .get(0)
                        .get("partitions")
                        .asInt())
                .isEqualTo(3);
        assertThat(runs("destinations", "delete", "orders")).contains("done");
    }

    @Test
    void shouldSayWhatIsWrong() {
        runs(70, "destinations", "delete", "none");
        assertThat(errors).contains("no destination 'none'").doesNotContain("Exception");
        runs(64, "destinations", "explode");
        runs(64, "messages", "move", "orders");
        runs(64);
    }

    @Test
    void shouldShowAttributes() throws Exception {
        assertThat(json("node").get("Name").asText()).isEqualTo(name);
        assertThat(runs("alerts")).contains("Raised");
        assertThat(runs("branches", "list")).contains("none");
    }

    /** The node of the test is by itself, and has no cluster of its own to tell of. */
    @Test
    void shouldShowWhichNodeOfAClusterBeginsAnew() throws Exception {
        ClusterNodeRow row = new ClusterNodeRow("n2", "host:7677", "host:7676", "BEGINS_ANEW", false, 7, 12, 1);
        ClusterMXBean bean = (ClusterMXBean) Proxy.newProxyInstance(
                ClusterMXBean.class.getClassLoader(),
                new Class<?>[] {ClusterMXBean.class},
                (proxy, method, arguments) -> method.getName().equals("list") ? List.of(row) : null);
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName cluster = ManagementNames.of("Cluster", name);
        server.registerMBean(new StandardMBean(bean, ClusterMXBean.class, true), cluster);
        try {
            assertThat(runs("cluster", "list")).contains("n2", "host:7676", "BEGINS_ANEW");
        } finally {
            server.unregisterMBean(cluster);
        }
    }

    @Test
    void shouldShowTheFullestDestinations() {
        runs("destinations", "create", "full", "QUEUE");
        runs("messages", "send-text", "full", "x");
        assertThat(runs("top", "--count", "2", "--interval", "1")).contains(name, "stored 1", "/s", "full");
    }

    @Test
    void shouldWriteACompletionScript() {
        StringWriter out = new StringWriter();
        assertThat(Main.commandLine().setOut(new PrintWriter(out)).execute("completion"))
                .isZero();
        assertThat(out.toString()).contains("dead-letters", "send-back-slowly", "--selector");
    }
}
