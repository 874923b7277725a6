package io.duramen.node;

import io.duramen.management.ManagementNames;
import java.io.IOException;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.RMIServerSocketFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import javax.management.JMX;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXAuthenticator;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXPrincipal;
import javax.management.remote.JMXServiceURL;
import javax.management.remote.rmi.RMIConnectorServer;
import javax.security.auth.Subject;

/** An operator's console, connected over RMI through loopback to the MBean server of this JVM. Not thread-safe. */
final class JmxConsole implements AutoCloseable {
    static final String USER = "olga";

    static {
        // What RMI tells others to connect to; read once in a JVM.
        System.setProperty("java.rmi.server.hostname", "127.0.0.1");
    }

    private final JMXConnectorServer server;
    private final JMXConnector connector;
    private final MBeanServerConnection connection;
    private final String node;

    /** @param node as the MXBeans name it */
    JmxConsole(String node) throws IOException {
        this(node, Map.of());
    }

    private JmxConsole(String node, Map<String, Object> more) throws IOException {
        this.node = node;
        JMXAuthenticator lets = credentials -> new Subject(true, Set.of(new JMXPrincipal(USER)), Set.of(), Set.of());
        Map<String, Object> environment = new HashMap<>(more);
        environment.put(JMXConnectorServer.AUTHENTICATOR, lets);
        environment.put(RMIConnectorServer.RMI_SERVER_SOCKET_FACTORY_ATTRIBUTE, new LoopbackServers());
        environment.put(RMIConnectorServer.RMI_CLIENT_SOCKET_FACTORY_ATTRIBUTE, new LoopbackClients());
        server = JMXConnectorServerFactory.newJMXConnectorServer(
                new JMXServiceURL("rmi", "127.0.0.1", 0), environment, ManagementFactory.getPlatformMBeanServer());
        server.start();
        connector = JMXConnectorFactory.connect(server.getAddress());
        connection = connector.getMBeanServerConnection();
    }

    /** One whose user may read and call nothing, by an access file in this directory. */
    static JmxConsole readOnly(String node, Path scratch) throws IOException {
        Path access = Files.writeString(scratch.resolve("jmx.access"), USER + " readonly\n");
        return new JmxConsole(node, Map.of("jmx.remote.x.access.file", access.toString()));
    }

    private static final class LoopbackServers implements RMIServerSocketFactory {
        @Override
        public ServerSocket createServerSocket(int port) throws IOException {
            return new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
        }
    }

    private static final class LoopbackClients implements RMIClientSocketFactory, Serializable {
        @Override
        public Socket createSocket(String host, int port) throws IOException {
            return new Socket(InetAddress.getLoopbackAddress(), port);
        }
    }

    MBeanServerConnection connection() {
        return connection;
    }

    /** The MXBean whose name is that of its interface. */
    <T> T of(Class<T> type) {
        return JMX.newMXBeanProxy(connection, name(type), type);
    }

    ObjectName name(Class<?> type) {
        return ManagementNames.of(type.getSimpleName().replace("MXBean", ""), node);
    }

    <T> T ofShard(Class<T> type, int shard) {
        return JMX.newMXBeanProxy(connection, ManagementNames.ofShard(node, shard), type);
    }

    /** Of this node. */
    int mbeans() throws IOException {
        return connection.queryNames(pattern(), null).size();
    }

    private ObjectName pattern() {
        try {
            return new ObjectName(ManagementNames.DOMAIN + ":node=" + node + ",*");
        } catch (javax.management.MalformedObjectNameException e) {
            throw new IllegalArgumentException(e);
        }
    }

    @Override
    public void close() throws IOException {
        connector.close();
        server.stop();
    }
}
