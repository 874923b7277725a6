package io.duramen.acceptance.process;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.JMRuntimeException;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** What the JMX of a running node tells its own user; ends with the node. Used by one thread. */
public final class NodeFigures implements AutoCloseable {
    private final JMXConnector connector;
    private final String node;
    private final long pid;

    private NodeFigures(JMXConnector connector, String node, long pid) {
        this.connector = connector;
        this.node = node;
        this.pid = pid;
    }

    /** @param name that the process has as {@code node.name} */
    public static NodeFigures of(ServerProcess process, String name) throws IOException {
        try {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(process.pid()));
            try {
                JMXServiceURL url = new JMXServiceURL(machine.startLocalManagementAgent());
                return new NodeFigures(JMXConnectorFactory.connect(url), name, process.pid());
            } finally {
                machine.detach();
            }
        } catch (AttachNotSupportedException e) {
            throw new IOException(e);
        }
    }

    /** Whether that process is the one that was asked for, not one that was started later. */
    boolean areOf(ServerProcess process) {
        return process.pid() == pid;
    }

    /** A number that it has of shard 0. */
    public long ofShard(String attribute) throws IOException {
        return (Long) attribute("io.duramen:type=Shard,node=" + node + ",shard=0", attribute);
    }

    /** How many nodes are in sync, itself included; 0 where it does not lead. */
    public int inSync() throws IOException {
        return ((String[]) attribute("io.duramen:type=Cluster,node=" + node, "InSync")).length;
    }

    /** Makes a queue where there is none of that name. */
    long makesQueue(String name) throws IOException {
        invoke("create", name, "QUEUE", 1);
        return 1;
    }

    /** Changes a setting of a destination; returns once that holds. */
    long changes(String destination, String key, long value) throws IOException {
        invoke("change", destination, key + ":" + value);
        return 1;
    }

    /** A setting of a destination that is a number. */
    long setting(String destination, String key) throws IOException {
        for (CompositeData row : (CompositeData[]) invoke("settings", destination)) {
            if (row.get("key").equals(key) && row.get("value") instanceof String value && !value.isEmpty()) {
                return Long.parseLong(value);
            }
        }
        throw new IOException(destination + " has no " + key);
    }

    private Object invoke(String operation, Object... arguments) throws IOException {
        String[] types = Stream.of(arguments)
                .map(argument -> argument instanceof Integer ? "int" : String.class.getName())
                .toArray(String[]::new);
        try {
            return connector
                    .getMBeanServerConnection()
                    .invoke(new ObjectName("io.duramen:type=Destinations,node=" + node), operation, arguments, types);
        } catch (JMException | JMRuntimeException e) {
            throw new IOException(operation + " of a destination was refused", e);
        }
    }

    private Object attribute(String bean, String attribute) throws IOException {
        try {
            return connector.getMBeanServerConnection().getAttribute(new ObjectName(bean), attribute);
        } catch (JMException e) {
            throw new IOException(bean + " does not tell its " + attribute, e);
        }
    }

    @Override
    public void close() {
        try {
            connector.close();
        } catch (IOException e) {
            // The node is gone, and with it the connection.
        }
    }
}
