package io.duramen.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.management.AlertsMXBean;
import io.duramen.management.BranchesMXBean;
import io.duramen.management.ConnectionsMXBean;
import io.duramen.management.DeadLettersMXBean;
import io.duramen.management.DestinationsMXBean;
import io.duramen.management.ManagementNames;
import io.duramen.management.MessagesMXBean;
import io.duramen.management.NodeMXBean;
import io.duramen.management.SubscriptionsMXBean;
import io.duramen.node.security.UsersFile;
import jakarta.jms.JMSContext;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
import javax.management.JMRuntimeException;
import javax.management.JMX;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanServerConnection;
import javax.management.NotificationFilterSupport;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Remote JMX of a node: TLS, its users, and what each of them may do. */
@Timeout(180)
class RemoteManagementTest {
    private static final long PATIENCE_MILLIS = 20_000;
    private static final String PASSWORD = "a password";
    private static final List<Class<?>> TYPES = List.of(
            BranchesMXBean.class,
            ConnectionsMXBean.class,
            DeadLettersMXBean.class,
            DestinationsMXBean.class,
            MessagesMXBean.class,
            SubscriptionsMXBean.class);

    @TempDir
    private static Path keys;

    @TempDir
    private Path data;

    private final String name = "n" + UUID.randomUUID();
    private final AuditTrail audit = new AuditTrail(name);
    private Duramen node;

    @BeforeEach
    void start() throws Exception {
        UsersFile users = new UsersFile(data);
        for (String user : List.of("vera", "olga", "anna", "nobody")) {
            users.put(user, PASSWORD, 10_000);
        }
        node = TestNodes.quick()
                .dataDirectory(data)
                .setting("node.name", name)
                .setting("management.remote", "true")
                .setting("management.watch-every", "100ms")
                .setting("management.stuck-after", "100ms")
                .setting("management.port", "0")
                .setting("management.key-store", TestKeys.in(keys).toString())
                .setting("management.key-store-password", "changeit")
                .setting("management.viewers", "vera")
                .setting("management.operators", "olga")
                .setting("management.administrators", "anna")
                .start();
    }

    @AfterEach
    void stop() {
        audit.close();
        node.close();
    }

    private JMXConnector connect(Object credentials) throws IOException {
        String url = Files.readString(data.resolve("management-url")).strip();
        return JMXConnectorFactory.connect(new JMXServiceURL(url), Map.of(JMXConnector.CREDENTIALS, credentials));
    }

    private JMXConnector as(String user) throws IOException {
        return connect(new String[] {user, PASSWORD});
    }

    private ObjectName name(Class<?> type) {
        return ManagementNames.of(type.getSimpleName().replace("MXBean", ""), name);
    }

    /** Whether each operation was let through, whatever became of it; by its name. */
    private Map<String, Boolean> letThrough(MBeanServerConnection connection) throws Exception {
        Map<String, Boolean> all = new TreeMap<>();
        for (Class<?> type : TYPES) {
            for (MBeanOperationInfo operation :
                    connection.getMBeanInfo(name(type)).getOperations()) {
                String what = type.getSimpleName().replace("MXBean", "") + "." + operation.getName();
                all.put(what, isLetThrough(connection, name(type), operation));
            }
        }
        return all;
    }

    private static boolean isLetThrough(MBeanServerConnection to, ObjectName bean, MBeanOperationInfo operation)
            throws Exception {
        List<Object> arguments = new ArrayList<>();
        List<String> types = new ArrayList<>();
        for (var parameter : operation.getSignature()) {
            types.add(parameter.getType());
            arguments.add(
                    switch (parameter.getType()) {
                        case "int" -> 1;
                        case "long" -> 1L;
                        case "java.lang.String" -> "none";
                        default -> null;
                    });
        }
        try {
            to.invoke(bean, operation.getName(), arguments.toArray(), types.toArray(new String[0]));
            return true;
        } catch (SecurityException refused) {
            assertThat(refused).hasMessageContaining("needs the right");
            return false;
        } catch (JMException | JMRuntimeException said) {
            return true;
        }
    }

    private static List<String> named(Map<String, Boolean> operations, boolean through) {
        return operations.entrySet().stream()
                .filter(one -> one.getValue() == through)
                .map(Map.Entry::getKey)
                .toList();
    }

    @Test
    void shouldLetEachUserDoWhatItHasARightTo() throws Exception {
        List<String> views = List.of(
                "Branches.list",
                "Connections.consumers",
                "Connections.list",
                "Destinations.consumers",
                "Destinations.list",
                "Destinations.settings",
                "Subscriptions.list");
        List<String> administers = List.of(
                "Branches.commit",
                "Branches.rollBack",
                "Destinations.addPartitions",
                "Destinations.change",
                "Destinations.delete",
                "Destinations.purge",
                "Destinations.seek",
                "Messages.deleteOne",
                "Messages.expire",
                "Messages.expireOne",
                "Subscriptions.purge",
                "Subscriptions.seek");
        try (JMXConnector viewer = as("vera");
                JMXConnector operator = as("olga");
                JMXConnector administrator = as("anna")) {
            assertThat(proxy(viewer, NodeMXBean.class).getName()).isEqualTo(name);
            assertThat(named(letThrough(viewer.getMBeanServerConnection()), true))
                    .isEqualTo(views);
            assertThat(named(letThrough(operator.getMBeanServerConnection()), false))
                    .isEqualTo(administers);
            assertThat(named(letThrough(administrator.getMBeanServerConnection()), false))
                    .isEmpty();
        }
    }

    @Test
    void shouldNotifyViewers() throws Exception {
        CountDownLatch heard = new CountDownLatch(1);
        try (JMXConnector viewer = as("vera")) {
            viewer.getMBeanServerConnection()
                    .addNotificationListener(
                            name(AlertsMXBean.class),
                            (alert, none) -> heard.countDown(),
                            new NotificationFilterSupport(),
                            null);
            viewer.getMBeanServerConnection()
                    .addNotificationListener(name(AlertsMXBean.class), (alert, none) -> heard.countDown(), null, null);
            DuramenConnectionFactory factory = new DuramenConnectionFactory(node.url());
            try (JMSContext context = factory.createContext(JMSContext.CLIENT_ACKNOWLEDGE)) {
                context.createProducer().send(context.createQueue("orders"), "m1");
                context.createConsumer(context.createQueue("orders")).receive(PATIENCE_MILLIS);
                assertThat(heard.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)).isTrue();
            }
        }
    }

    @Test
    void shouldTakeLongTexts() throws Exception {
        try (JMXConnector operator = as("olga");
                JMXConnector administrator = as("anna")) {
            proxy(operator, DestinationsMXBean.class).create("orders", "QUEUE", 1);
            MessagesMXBean messages = proxy(operator, MessagesMXBean.class);
            messages.send("orders", "é".repeat(MessagesMXBean.TEXT_MAX), Map.of("a", "b"), 4, 0);
            assertThat(messages.browse("orders", "a = 'b'", "", 9).rows()).hasSize(1);
            assertThat(proxy(administrator, DestinationsMXBean.class)
                            .purge("orders", "", 9)
                            .done())
                    .isEqualTo(1);
        }
    }

    private <T> T proxy(JMXConnector connector, Class<T> type) throws IOException {
        return JMX.newMXBeanProxy(connector.getMBeanServerConnection(), name(type), type);
    }

    @Test
    void shouldSayWhoWasRefusedWhat() throws Exception {
        try (JMXConnector viewer = as("vera")) {
            DestinationsMXBean destinations = proxy(viewer, DestinationsMXBean.class);
            assertThatThrownBy(() -> destinations.delete("orders")).isInstanceOf(SecurityException.class);
        }
        assertThat(audit.last())
                .startsWith("vera from ")
                .contains("Destinations.delete", "refused: it needs the right ADMINISTER");
    }

    @Test
    void shouldLetNobodyInWithoutUserPasswordAndRight() {
        for (Object wrong : List.of(
                new String[] {"vera", "wrong"}, new String[] {"nobody", PASSWORD}, new String[] {"vera"}, new String[] {
                    "", ""
                })) {
            assertThatThrownBy(() -> connect(wrong)).isInstanceOf(SecurityException.class);
        }
        assertThatThrownBy(() -> JMXConnectorFactory.connect(new JMXServiceURL(
                        Files.readString(data.resolve("management-url")).strip())))
                .isInstanceOf(SecurityException.class);
        assertThat(audit.last()).contains("login", "refused: ");
    }

    @Test
    void shouldReadNoClassesFromOutside() throws Exception {
        assertThatThrownBy(() -> connect(new File("x"))).hasStackTraceContaining("REJECTED");
        try (JMXConnector administrator = as("anna")) {
            MBeanServerConnection connection = administrator.getMBeanServerConnection();
            assertThatThrownBy(() -> connection.invoke(
                            name(DestinationsMXBean.class), "delete", new Object[] {new File("x")}, new String[] {
                                "java.lang.String"
                            }))
                    .hasStackTraceContaining("REJECTED");
        }
    }

    @Test
    void shouldDoNothingButWhatThisNodeDoes() throws Exception {
        ObjectName runtime = new ObjectName("java.lang:type=Runtime");
        try (JMXConnector administrator = as("anna")) {
            MBeanServerConnection connection = administrator.getMBeanServerConnection();
            assertThat(connection.queryNames(null, null))
                    .isNotEmpty()
                    .allMatch(bean -> name.equals(bean.getKeyProperty("node")));
            assertThatThrownBy(() -> connection.getAttribute(runtime, "SystemProperties"))
                    .isInstanceOf(SecurityException.class);
            assertThatThrownBy(
                            () -> connection.createMBean("javax.management.loading.MLet", new ObjectName("x:type=x")))
                    .isInstanceOf(SecurityException.class);
            assertThatThrownBy(() -> connection.unregisterMBean(name(NodeMXBean.class)))
                    .isInstanceOf(SecurityException.class);
            assertThatThrownBy(() -> connection.invoke(name(NodeMXBean.class), "getName", new Object[0], new String[0]))
                    .isInstanceOf(SecurityException.class);
        }
    }

    @Test
    void shouldShowItsAddressToItsOwnerWhileItRuns() throws Exception {
        Path file = data.resolve("management-url");
        assertThat(Files.getPosixFilePermissions(file))
                .allMatch(one -> one.name().startsWith("OWNER"));
        node.close();
        assertThat(file).doesNotExist();
        node = TestNodes.quick().dataDirectory(data).setting("node.name", name).start();
        assertThat(file).doesNotExist();
        node.close();
        Files.writeString(file, "left by a node that was killed");
        node = TestNodes.quick().dataDirectory(data).setting("node.name", name).start();
        assertThat(file).doesNotExist();
        assertThatThrownBy(() ->
                        TestNodes.quick().setting("management.remote", "true").start())
                .hasMessageContaining("management.key-store");
    }
}
