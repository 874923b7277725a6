package io.duramen.cli;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.duramen.management.ManagementNames;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.UndeclaredThrowableException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import javax.management.JMX;
import javax.management.MBeanServerConnection;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How a node is reached; holds what was said on the command line. Used by one thread. */
@Command(
        name = "duramen",
        description = "Looks at a node and changes it by hand, through JMX: of this machine and user by its data"
                + " directory, of others by the address of its remote JMX.",
        mixinStandardHelpOptions = true)
final class Access implements Runnable {
    @Spec
    private CommandSpec spec;

    @Option(names = "--data", paramLabel = "DIR", description = "Data directory of a node of this machine and user.")
    private Path data;

    @Option(names = "--url", paramLabel = "URL", description = "Address of remote JMX: what is in DIR/management-url.")
    private String url;

    @Option(names = "--user", paramLabel = "NAME", description = "User of the node, for remote JMX.")
    private String user;

    @Option(
            names = "--password-stdin",
            description = "Read the password from the first line of standard input, not from DURAMEN_PASSWORD.")
    private boolean passwordFromInput;

    @Option(
            names = "--trust-store",
            paramLabel = "FILE",
            description = "PKCS#12 file with the certificate of remote JMX; its password in DURAMEN_TRUST_PASSWORD.")
    private Path trustStore;

    @Option(
            names = "--any-host-name",
            description = "Take a certificate that is trusted, whatever host it names: through a tunnel, say.")
    private boolean anyHostName;

    @Option(names = "--node", paramLabel = "NAME", description = "Which node, where its process has several.")
    private String node;

    @Option(names = "--json", description = "Print JSON, for programs.")
    private boolean json;

    private JMXConnector connector;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Say what to do: one of the commands below.");
    }

    boolean isJson() {
        return json;
    }

    /**
     * The MXBean of the node.
     *
     * @throws IOException where it cannot be reached
     */
    <T> T bean(Class<T> type) throws IOException {
        MBeanServerConnection connection = connection();
        return JMX.newMXBeanProxy(
                connection, ManagementNames.of(type.getSimpleName().replace("MXBean", ""), node(connection)), type);
    }

    private MBeanServerConnection connection() throws IOException {
        if (connector == null) {
            if ((data == null) == (url == null)) {
                throw new ParameterException(spec.commandLine(), "Say which node: by --data, or by --url.");
            }
            connector = JMXConnectorFactory.connect(new JMXServiceURL(url == null ? local() : url), environment());
        }
        return connector.getMBeanServerConnection();
    }

    private Map<String, Object> environment() throws IOException {
        if (trustStore != null) {
            System.setProperty("javax.net.ssl.trustStore", trustStore.toString());
            System.setProperty("javax.net.ssl.trustStoreType", "PKCS12");
            System.setProperty(
                    "javax.net.ssl.trustStorePassword", System.getenv().getOrDefault("DURAMEN_TRUST_PASSWORD", ""));
        }
        if (url != null && !anyHostName) {
            CheckedTls.install();
        }
        Map<String, Object> environment = new HashMap<>();
        if (user != null) {
            String password = passwordFromInput ? line() : System.getenv().getOrDefault("DURAMEN_PASSWORD", "");
            environment.put(JMXConnector.CREDENTIALS, new String[] {user, password});
        }
        return environment;
    }

    private static String line() throws IOException {
        String line = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        return line == null ? "" : line;
    }

    /** Where the node's process listens for its own user, from now on. */
    private String local() throws IOException {
        Path file = data.resolve("node.pid");
        if (!Files.exists(file)) {
            throw new IOException("No node runs on " + data + ": there is no " + file);
        }
        String pid = Files.readString(file).strip().split(" ")[0];
        try {
            VirtualMachine process = VirtualMachine.attach(pid);
            try {
                return process.startLocalManagementAgent();
            } finally {
                process.detach();
            }
        } catch (AttachNotSupportedException | NoClassDefFoundError e) {
            throw new IOException(
                    "Process " + pid + " cannot be attached to: " + e.getMessage()
                            + ". Use a Java with the module jdk.attach, or remote JMX (--url)",
                    e);
        }
    }

    private String node(MBeanServerConnection connection) throws IOException {
        if (node == null) {
            try {
                Set<ObjectName> nodes =
                        connection.queryNames(new ObjectName(ManagementNames.DOMAIN + ":type=Node,*"), null);
                if (nodes.size() != 1) {
                    throw new IOException("There are " + nodes.size() + " nodes: say which by --node. " + nodes);
                }
                String name = nodes.iterator().next().getKeyProperty("node");
                node = name.startsWith("\"") ? ObjectName.unquote(name) : name;
            } catch (MalformedObjectNameException e) {
                throw new IllegalStateException(e);
            }
        }
        return node;
    }

    /** What went wrong, for people. */
    static String reason(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof UndeclaredThrowableException || cause instanceof RuntimeMBeanException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }
}
