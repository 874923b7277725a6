package io.duramen.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.tools.attach.VirtualMachine;
import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.management.DestinationPage;
import io.duramen.management.DestinationRow;
import io.duramen.management.DestinationsMXBean;
import io.duramen.management.ManagementNames;
import io.duramen.management.NodeMXBean;
import io.duramen.management.ShardMXBean;
import jakarta.jms.Connection;
import jakarta.jms.Session;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which MXBeans there are, and who reaches them. */
@Timeout(120)
class ManagementNamesTest {
    private static final int QUEUES = 10_000;

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private final String name = "n" + UUID.randomUUID();

    private Duramen.Builder aNode() {
        return TestNodes.embedded().setting("node.name", name).setting("log.sync", "interval");
    }

    private List<ObjectName> names() throws Exception {
        return new ArrayList<>(server.queryNames(new ObjectName("io.duramen:node=" + name + "*,*"), null));
    }

    @Test
    void shouldNameNodesOfOneJvmApart() throws Exception {
        try (Duramen first = aNode().start();
                Duramen second = aNode().start()) {
            String other = name + "@" + second.port();
            assertThat(JMX.newMXBeanProxy(server, ManagementNames.of("Node", name), NodeMXBean.class)
                            .getAddress())
                    .endsWith(":" + first.port());
            assertThat(JMX.newMXBeanProxy(server, ManagementNames.of("Node", other), NodeMXBean.class)
                            .getAddress())
                    .endsWith(":" + second.port());
            assertThat(JMX.newMXBeanProxy(server, ManagementNames.ofShard(other, 0), ShardMXBean.class)
                            .getState())
                    .isEqualTo("LEADING");
        }
        assertThat(names()).isEmpty();
    }

    @Test
    void shouldTakeAnyNodeName() throws Exception {
        String odd = "a,b=\"c\":*?\\ " + name;
        try (Duramen node = TestNodes.embedded().setting("node.name", odd).start()) {
            NodeMXBean about = JMX.newMXBeanProxy(server, ManagementNames.of("Node", odd), NodeMXBean.class);
            assertThat(about.getName()).isEqualTo(odd);
            assertThat(about.getAddress()).endsWith(":" + node.port());
        }
        assertThat(server.isRegistered(ManagementNames.of("Node", odd))).isFalse();
    }

    @Test
    void shouldRegisterNothingWhenItIsOff() throws Exception {
        try (Duramen node = aNode().setting("management.jmx", "false").start()) {
            assertThat(node.port()).isPositive();
            assertThat(names()).isEmpty();
        }
    }

    @Test
    void shouldLetAReaderReadAndDoNothing(@TempDir Path scratch) throws Exception {
        try (Duramen node = aNode().start();
                JmxConsole console = JmxConsole.readOnly(name, scratch)) {
            assertThat(console.of(NodeMXBean.class).getAddress()).endsWith(":" + node.port());
            DestinationsMXBean destinations = console.of(DestinationsMXBean.class);
            assertThat(destinations.getCount()).isNotNegative();
            assertThatThrownBy(() -> destinations.purge("orders", "", 1)).isInstanceOf(SecurityException.class);
            assertThatThrownBy(() -> destinations.delete("orders")).isInstanceOf(SecurityException.class);
        }
    }

    @Test
    void shouldHaveAsManyMxBeansForTenThousandQueuesAsForNone() throws Exception {
        try (Duramen node = aNode().start();
                Connection connection = new DuramenConnectionFactory(node.url()).createConnection();
                Session session = connection.createSession();
                JmxConsole console = new JmxConsole(name)) {
            int before = console.mbeans();
            for (int i = 0; i < QUEUES; i++) {
                session.createProducer(session.createQueue("q.%05d".formatted(i)))
                        .close();
            }
            assertThat(console.mbeans()).isEqualTo(before);
            DestinationsMXBean destinations = console.of(DestinationsMXBean.class);
            List<String> seen = new ArrayList<>();
            for (DestinationPage page = destinations.list("q.*", "", DestinationsMXBean.PAGE_MAX);
                    !page.rows().isEmpty();
                    page = destinations.list("q.*", page.next(), DestinationsMXBean.PAGE_MAX)) {
                page.rows().stream().map(DestinationRow::name).forEach(seen::add);
                if (page.next().isEmpty()) {
                    break;
                }
            }
            assertThat(seen).hasSize(QUEUES).doesNotHaveDuplicates().isSorted();
            assertThat(destinations.list("*.09999", "", 10).rows()).hasSize(1);
        }
    }

    @Test
    void shouldBeReachedByAttachingToItsProcess(@TempDir Path scratch) throws Exception {
        try (NodeProcess process = NodeProcess.startAndAwait(scratch, "-D", "node.name=" + name)) {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(process.pid()));
            try {
                // Nothing listens until somebody of the same user on the same machine asks for it.
                assertThat(machine.getAgentProperties()
                                .getProperty("com.sun.management.jmxremote.localConnectorAddress"))
                        .isNull();
                JMXServiceURL address = new JMXServiceURL(machine.startLocalManagementAgent());
                try (JMXConnector connector = JMXConnectorFactory.connect(address)) {
                    NodeMXBean about = JMX.newMXBeanProxy(
                            connector.getMBeanServerConnection(), ManagementNames.of("Node", name), NodeMXBean.class);
                    assertThat(about.getAddress()).isEqualTo("127.0.0.1:" + process.port());
                }
            } finally {
                machine.detach();
            }
        }
    }
}
