package io.duramen.node;

import static io.duramen.node.ManagedNode.USERS;
import static io.duramen.node.ManagedNode.VIEW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.management.ManagementNames;
import io.duramen.node.OperationCases.Case;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each operation of all MXBeans, through remote JMX, by a user who may call it and by one who may call all that needs less. */
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EveryOperationTest {
    @TempDir
    private static Path data;

    private ManagedNode node;
    private OperationCases cases;
    private AuditTrail audit;

    @BeforeAll
    void start() throws Exception {
        node = new ManagedNode(data, Map.of());
        cases = new OperationCases(node);
        audit = new AuditTrail(node.name);
    }

    @AfterAll
    void stop() throws Exception {
        audit.close();
        cases.close();
        node.close();
    }

    private TreeSet<String> operations() throws Exception {
        TreeSet<String> operations = new TreeSet<>();
        try (JMXConnector viewer = node.as(VIEW)) {
            MBeanServerConnection server = viewer.getMBeanServerConnection();
            for (ObjectName bean : server.queryNames(new ObjectName(ManagementNames.DOMAIN + ":*"), null)) {
                for (MBeanOperationInfo operation : server.getMBeanInfo(bean).getOperations()) {
                    operations.add(bean.getKeyProperty("type") + "." + operation.getName());
                }
            }
        }
        return operations;
    }

    @Test
    void shouldHaveACaseForEachOperation() throws Exception {
        assertThat(cases.all().keySet()).isEqualTo(operations());
    }

    private List<String> names() {
        return List.copyOf(cases.all().keySet());
    }

    @ParameterizedTest
    @MethodSource("names")
    void shouldDoItForWhoeverHasTheRightAlone(String operation) throws Exception {
        Case one = cases.all().get(operation);
        String destination = "for-" + operation;
        one.setting().of(destination);
        if (one.right() == VIEW) {
            assertThatThrownBy(() -> node.as(0)).isInstanceOf(SecurityException.class);
        } else {
            try (JMXConnector lesser = node.as(one.right() - 1)) {
                assertThatThrownBy(() -> one.call().by(lesser, destination))
                        .isInstanceOf(SecurityException.class)
                        .hasMessageContaining(operation + ": it needs the right ");
            }
            assertThat(audit.last()).startsWith(USERS.get(one.right() - 1)).contains(operation, "refused: ");
        }
        try (JMXConnector user = node.as(one.right())) {
            assertThat(one.call().by(user, destination)).isEqualTo(one.expected());
        }
    }
}
