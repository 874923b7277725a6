package io.duramen.node;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.management.ManagementNames;
import io.duramen.node.security.UsersFile;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.management.JMX;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** A node with remote JMX, a user of each right, and a client's connection. */
final class ManagedNode implements AutoCloseable {
    static final String PASSWORD = "a password";

    /** Of no right, and of each right, the least first: those of {@link #VIEW}, {@link #OPERATE}, {@link #ADMINISTER}. */
    static final List<String> USERS = List.of("nobody", "vera", "olga", "anna");

    static final int VIEW = 1;
    static final int OPERATE = 2;
    static final int ADMINISTER = 3;

    final String name = "n" + UUID.randomUUID();
    final Path data;
    private final Duramen node;
    private final Connection connection;

    /** @param settings further ones, and what they are */
    ManagedNode(Path data, Map<String, String> settings) throws Exception {
        this.data = data;
        UsersFile users = new UsersFile(data);
        for (String user : USERS) {
            users.put(user, PASSWORD, 10_000);
        }
        Duramen.Builder builder = TestNodes.quick()
                .dataDirectory(data)
                .setting("node.name", name)
                .setting("management.remote", "true")
                .setting("management.port", "0")
                .setting("management.key-store", TestKeys.in(data).toString())
                .setting("management.key-store-password", "changeit")
                .setting("management.viewers", USERS.get(VIEW))
                .setting("management.operators", USERS.get(OPERATE))
                .setting("management.administrators", USERS.get(ADMINISTER));
        settings.forEach(builder::setting);
        node = builder.start();
        connection = new DuramenConnectionFactory(node.url()).createConnection();
        connection.start();
    }

    String url() {
        return node.url();
    }

    Connection connection() {
        return connection;
    }

    String managementUrl() throws IOException {
        return Files.readString(data.resolve("management-url")).strip();
    }

    /** @param right whose user logs in; 0 for the one without any */
    JMXConnector as(int right) throws IOException {
        return JMXConnectorFactory.connect(
                new JMXServiceURL(managementUrl()),
                Map.of(JMXConnector.CREDENTIALS, new String[] {USERS.get(right), PASSWORD}));
    }

    /** The MXBean whose name is that of its interface. */
    <T> T of(Class<T> type, JMXConnector user) {
        try {
            return JMX.newMXBeanProxy(
                    user.getMBeanServerConnection(),
                    ManagementNames.of(type.getSimpleName().replace("MXBean", ""), name),
                    type);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws JMSException {
        connection.close();
        node.close();
    }
}
