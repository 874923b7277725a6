package io.duramen.node.management;

import io.duramen.broker.shard.ShardCounters;
import io.duramen.management.ManagementNames;
import io.duramen.node.network.NetworkServer;
import io.duramen.node.security.Authenticator;
import io.duramen.node.shard.ShardHosts;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers the MXBeans of a node with the JVM's MBean server, and takes them away. As many as there are shards and some more,
 * however many destinations there are. Started and closed by one thread.
 */
public final class NodeManagement implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NodeManagement.class);

    private final ManagementConfig config;
    private final Identity identity;
    private final ShardHosts shards;
    private final NetworkServer network;
    private final Authenticator authenticator;
    private RemoteAccess remote;
    private WebAccess web;
    private Watch watch;
    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private final Deque<ObjectName> registered = new ArrayDeque<>();

    /**
     * What the node says of itself.
     *
     * @param host on which clients connect
     * @param data the data directory
     * @param changedSettings those that differ from their defaults, without passwords
     */
    public record Identity(String name, String version, String host, Path data, List<String> changedSettings) {}

    public NodeManagement(
            ManagementConfig config,
            Identity identity,
            ShardHosts shards,
            NetworkServer network,
            Authenticator authenticator) {
        this.authenticator = authenticator;
        this.config = config;
        this.identity = identity;
        this.shards = shards;
        this.network = network;
    }

    /**
     * Registers everything, unless the settings say otherwise, once shards and network are there. Where it cannot, the node's
     * log says so: clients have nothing to do with it.
     *
     * @param port on which clients connect
     * @throws IOException where remote JMX is asked for and cannot be had
     */
    public void start(int port) throws IOException {
        RemoteAccess.forget(identity.data());
        if (!config.jmx()) {
            return;
        }
        try {
            register(port);
        } catch (JMException e) {
            LOG.error("The node cannot be managed through JMX: its MXBeans cannot be registered", e);
            close();
        }
    }

    private void register(int port) throws JMException, IOException {
        List<ShardCounters> counters = shards.counters();
        List<ShardBean> shardBeans = new ArrayList<>();
        for (int shard = 0; shard < counters.size(); shard++) {
            int number = shard;
            shardBeans.add(new ShardBean(
                    shard, counters.get(shard), shards.syncTimes().get(shard), () -> shards.hasFailed(number)));
        }
        String node = registerNode(new NodeBean(identity, port, counters, shardBeans, network), port);
        Audit audit = new Audit(node);
        ShardQuestions questions = new ShardQuestions(shards.inboxes(), config.timeout());
        ShardCounters catalogue = counters.get(ShardQuestions.CATALOGUE);
        for (ShardBean shard : shardBeans) {
            register(shard, ManagementNames.ofShard(node, shard.getNumber()));
        }
        register(new DestinationsBean(catalogue, questions, audit), ManagementNames.of("Destinations", node));
        register(new SubscriptionsBean(catalogue, questions, audit), ManagementNames.of("Subscriptions", node));
        register(new MessagesBean(counters, questions, audit), ManagementNames.of("Messages", node));
        register(new ConnectionsBean(network, questions, audit), ManagementNames.of("Connections", node));
        register(new BranchesBean(counters, questions, audit), ManagementNames.of("Branches", node));
        register(new DeadLettersBean(counters, questions, audit), ManagementNames.of("DeadLetters", node));
        if (shards.replicas().isPresent()) {
            register(new ClusterBean(shards.replicas().get(), questions, audit), ManagementNames.of("Cluster", node));
        }
        AlertsBean alerts = new AlertsBean();
        register(alerts, ManagementNames.of("Alerts", node));
        watch = new Watch(config, shardBeans, counters, questions, alerts, identity.data());
        watch.start();
        Logins logins = new Logins(config, authenticator, audit);
        if (config.http()) {
            web = new WebAccess(config, logins, server, audit, ManagementNames.of("Node", node));
            web.start();
        }
        if (config.remote()) {
            remote = new RemoteAccess(config, logins, identity.data(), audit);
            remote.start(server, ManagementNames.of("Node", node));
        }
        LOG.info("MXBeans registered as {}:type=*,node={}", ManagementNames.DOMAIN, node);
    }

    /** @return the name under which this node has all its MXBeans, by itself: whoever has this one has the others */
    private String registerNode(NodeBean bean, int port) throws JMException {
        String name = identity.name();
        for (int again = 0; ; again++) {
            try {
                register(bean, ManagementNames.of("Node", name));
                return name;
            } catch (InstanceAlreadyExistsException e) {
                name = identity.name() + "@" + port + (again == 0 ? "" : "#" + again);
                LOG.debug("Another node of this JVM has the name, this one is {}", name);
            }
        }
    }

    private void register(Object bean, ObjectName name) throws JMException {
        server.registerMBean(bean, name);
        registered.push(name);
    }

    /** Takes the MXBeans away; any number of times. */
    @Override
    public void close() {
        if (watch != null) {
            watch.close();
            watch = null;
        }
        if (web != null) {
            web.close();
            web = null;
        }
        if (remote != null) {
            remote.close();
            remote = null;
        }
        while (!registered.isEmpty()) {
            ObjectName name = registered.pop();
            try {
                server.unregisterMBean(name);
            } catch (InstanceNotFoundException e) {
                LOG.debug("{} was taken away by somebody else", name);
            } catch (JMException e) {
                LOG.warn("{} stays: {}", name, e.toString());
            }
        }
    }
}
