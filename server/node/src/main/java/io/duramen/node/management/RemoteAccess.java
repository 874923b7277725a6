package io.duramen.node.management;

import io.duramen.node.security.OwnerOnlyFile;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.remote.JMXAuthenticator;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;
import javax.management.remote.rmi.RMIConnectorServer;
import javax.rmi.ssl.SslRMIClientSocketFactory;
import javax.security.auth.Subject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remote JMX: TLS, users of the node, and rights. There is no registry, in which others could put something: whoever wants to
 * come in has the address from a file in the data directory. Started and closed by one thread.
 */
final class RemoteAccess implements AutoCloseable {
    /** File of the data directory with the address for consoles, for as long as the node runs. */
    static final String URL_FILE = "management-url";

    private static final Logger LOG = LoggerFactory.getLogger(RemoteAccess.class);
    private static final String HOSTNAME = "java.rmi.server.hostname";
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration WATCH_EVERY = Duration.ofSeconds(5);
    private static final int LOGIN_WAIT_MAX_SECONDS = 10;

    /** What of classes credentials may hold: two texts. */
    private static final String CREDENTIALS = "maxdepth=2;maxarray=2;maxbytes=4096;java.lang.String;!*";

    /** What of classes arguments may hold: what the operations take, and what listens to notifications. */
    private static final String ARGUMENTS = "maxdepth=20;maxrefs=100000;maxbytes=16777216;maxarray=8388608"
            + ";java.lang.String;java.lang.Number;java.lang.Integer;java.lang.Long;java.lang.Boolean;java.lang.Object"
            + ";java.rmi.MarshalledObject;javax.management.ObjectName"
            + ";javax.management.openmbean.*;javax.management.NotificationFilterSupport"
            + ";java.util.ArrayList;java.util.Collections$*;java.util.TreeMap;java.util.HashMap;java.util.LinkedHashMap"
            + ";java.util.Map$Entry;java.util.Arrays$ArrayList;java.util.Vector;javax.security.auth.Subject;!*";

    private final ManagementConfig config;
    private final Logins logins;
    private final Path urlFile;
    private final Audit audit;
    private JMXConnectorServer connector;
    private ScheduledExecutorService watching;

    RemoteAccess(ManagementConfig config, Logins logins, Path data, Audit audit) {
        this.config = config;
        this.logins = logins;
        this.urlFile = data.resolve(URL_FILE);
        this.audit = audit;
    }

    /**
     * Opens the port.
     *
     * @param nodeBean name of the node's MXBean
     * @throws IOException where key or port cannot be had
     */
    void start(MBeanServer server, ObjectName nodeBean) throws IOException {
        if (System.getProperty(HOSTNAME) == null) {
            System.setProperty(HOSTNAME, config.host()); // what Java tells consoles to connect to
        }
        Map<String, Object> environment = new HashMap<>();
        environment.put(RMIConnectorServer.RMI_CLIENT_SOCKET_FACTORY_ATTRIBUTE, new SslRMIClientSocketFactory());
        ConsoleSockets sockets = sockets();
        environment.put(RMIConnectorServer.RMI_SERVER_SOCKET_FACTORY_ATTRIBUTE, sockets);
        environment.put(RMIConnectorServer.CREDENTIALS_FILTER_PATTERN, CREDENTIALS);
        environment.put(RMIConnectorServer.SERIAL_FILTER_PATTERN, ARGUMENTS);
        environment.put(JMXConnectorServer.AUTHENTICATOR, (JMXAuthenticator) this::authenticate);
        connector = JMXConnectorServerFactory.newJMXConnectorServer(
                new JMXServiceURL("rmi", config.host(), config.port()), environment, server);
        connector.setMBeanServerForwarder(GuardedServer.of(config, audit, GuardedServer.pattern(nodeBean)));
        connector.start();
        watching = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "management-connections");
            thread.setDaemon(true);
            return thread;
        });
        watching.scheduleWithFixedDelay(
                sockets::endStuckWrites, WATCH_EVERY.toMillis(), WATCH_EVERY.toMillis(), TimeUnit.MILLISECONDS);
        OwnerOnlyFile.replace(urlFile, connector.getAddress() + "\n");
        LOG.info("Remote JMX with TLS on {}:{}; its address is in {}", config.host(), config.port(), urlFile);
    }

    private ConsoleSockets sockets() throws IOException {
        return new ConsoleSockets(
                InetAddress.getByName(config.host()),
                ManagementKeys.of(config).orElseThrow(), // the settings see to that
                config.connectionsMax(),
                PATIENCE.toNanos());
    }

    /**
     * Takes away the address that a node left which was killed: nobody listens there.
     *
     * @param data the data directory
     */
    static void forget(Path data) {
        try {
            Files.deleteIfExists(data.resolve(URL_FILE));
        } catch (IOException e) {
            LOG.warn("An address of remote JMX that is no more stays: {}", e.toString());
        }
    }

    /** @throws SecurityException where it is no user with a right */
    private Subject authenticate(Object credentials) {
        String host = Caller.host();
        if (!(credentials instanceof String[] pair) || pair.length != 2 || pair[0] == null || pair[1] == null) {
            throw logins.refused(
                    "(no user)", host, new Logins.RefusedException("a user and a password are due", false));
        }
        try {
            Subject subject = logins.login(pair[0], pair[1], host, LOGIN_WAIT_MAX_SECONDS);
            ConsoleSockets.ofUser();
            return subject;
        } catch (Logins.RefusedException e) {
            throw new SecurityException(e.getMessage()); // consoles know nothing of our class
        }
    }

    @Override
    public void close() {
        if (watching != null) {
            watching.shutdownNow();
            watching = null;
        }
        if (connector == null) {
            return;
        }
        try {
            Files.deleteIfExists(urlFile);
            connector.stop();
        } catch (IOException e) {
            LOG.warn("Remote JMX ends badly: {}", e.toString());
        }
        connector = null;
    }
}
