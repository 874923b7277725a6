package io.duramen.node.cluster;

import io.duramen.log.LogConfig;
import io.duramen.node.network.NetworkConfig;
import io.duramen.protocol.FormatLevel;
import io.duramen.replication.raft.PeerNetworkConfig;
import io.duramen.runtime.settings.SettingsException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Who belongs to the cluster, and which of them this node is. Immutable.
 *
 * @param nodes by name
 * @param clientAddress HOST:PORT at which clients reach this node
 * @param shards that each node has
 * @param formatMax {@link FormatLevel} up to which this node reads
 */
public record Membership(
        ClusterConfig config, Member self, List<Member> nodes, String clientAddress, int shards, int formatMax) {
    private static final Pattern NODE =
            Pattern.compile("([A-Za-z0-9](?:[A-Za-z0-9.-]{0,61}[A-Za-z0-9])?)@([A-Za-z0-9._-]+):([0-9]{1,5})");
    private static final Pattern ADDRESS =
            Pattern.compile("([A-Za-z0-9._-]{1,255}|\\[[0-9A-Fa-f:]{2,45}]):([0-9]{1,5})");
    private static final List<Integer> FOUNDING_SIZES = List.of(3, 5, 7);

    /** As many as a cluster may have, and one that takes the place of another. */
    private static final int NODES_MAX = 8;

    private static final int SHARDS_MAX = 32;
    private static final int TEXT_MAX = 600;
    private static final String ENGINE = "io.duramen.replication.raft.RaftLog";

    /** A node as the others reach it. */
    record Member(String name, String host, int port) {
        @Override
        public String toString() {
            return name + "@" + host + ":" + port;
        }
    }

    /**
     * What the settings say; only where they name a cluster.
     *
     * @throws SettingsException where they do not fit each other, naming all that does not
     */
    public static Membership of(ClusterConfig config, String nodeName, NetworkConfig network, LogConfig log) {
        List<String> problems = new ArrayList<>();
        List<Member> nodes = members(config, problems);
        Optional<Member> self =
                nodes.stream().filter(node -> node.name().equals(nodeName)).findFirst();
        if (self.isEmpty()) {
            problems.add("node.name=" + nodeName + " is none of cluster.nodes: "
                    + nodes.stream().map(Member::name).collect(Collectors.joining(", ")));
        }
        checkOthers(config, network, log, problems);
        if (config.minInSync() != 0
                && (config.minInSync() > config.nodes().size()
                        || config.minInSync() < majority(config.nodes().size()))) {
            problems.add("cluster.min-in-sync=" + config.minInSync() + ": of "
                    + config.nodes().size() + " nodes "
                    + majority(config.nodes().size()) + " to "
                    + config.nodes().size() + " can be asked for, or 0");
        }
        String clients = config.clientAddress();
        if (clients.isEmpty() && network.port() == 0) {
            problems.add("network.port=0: where cluster.client-address is empty, clients are told this port");
        } else if (!clients.isEmpty() && !isAddress(ADDRESS.matcher(clients), 2)) {
            problems.add("cluster.client-address=" + clients + " is no HOST:PORT");
        }
        String listening = config.listenAddress();
        if (!listening.isEmpty() && !isAddress(ADDRESS.matcher(listening), 2)) {
            problems.add("cluster.listen-address=" + listening + " is no HOST:PORT");
        }
        if (!problems.isEmpty()) {
            throw new SettingsException(problems);
        }
        Member here = self.orElseThrow();
        return new Membership(
                config,
                here,
                nodes,
                clients.isEmpty() ? here.host() + ":" + network.port() : clients,
                log.shards(),
                FormatLevel.NEWEST);
    }

    /** As a node of another version, which reads up to that level. */
    public Membership withFormatMax(int level) {
        return new Membership(config, self, nodes, clientAddress, shards, level);
    }

    /** Whether each node may lead some of the shards; else one leads all. */
    boolean hasSeveralLeaders() {
        return config.leaders() == ClusterConfig.Leaders.SEVERAL && shards > 1;
    }

    static int majority(int nodes) {
        return nodes / 2 + 1;
    }

    /** HOST:PORT at which this node listens for the others. */
    String listenAddress() {
        return config.listenAddress().isEmpty() ? self.host() + ":" + self.port() : config.listenAddress();
    }

    /**
     * How many nodes have to have what is persistent.
     *
     * @param voters nodes that decide
     */
    int minInSync(int voters) {
        return Math.max(config.minInSync(), majority(voters));
    }

    /** @throws SettingsException where these are not enough, or too many, to begin a cluster with */
    void requireFounding() {
        if (!FOUNDING_SIZES.contains(nodes.size())) {
            throw new SettingsException(List.of("cluster.nodes names " + nodes.size()
                    + " nodes: a cluster begins with 3, 5 or 7, of which 1, 2 or 3 may fail; others are added to it"
                    + " while it runs, and start with cluster.join=true"));
        }
    }

    private static List<Member> members(ClusterConfig config, List<String> problems) {
        List<Member> nodes = new ArrayList<>();
        for (String text : config.nodes()) {
            Matcher parts = NODE.matcher(text);
            if (isAddress(parts, 3)) {
                nodes.add(new Member(parts.group(1), parts.group(2), Integer.parseInt(parts.group(3))));
            } else {
                problems.add("cluster.nodes: '" + text + "' is no NAME@HOST:PORT");
            }
        }
        if (config.nodes().size() > NODES_MAX) {
            problems.add("cluster.nodes names " + config.nodes().size() + " nodes: " + NODES_MAX + " are allowed");
        }
        if (nodes.stream().map(Member::name).distinct().count() < nodes.size()
                || nodes.stream()
                                .map(node -> node.host() + ":" + node.port())
                                .distinct()
                                .count()
                        < nodes.size()) {
            problems.add("cluster.nodes names a name or an address twice: " + nodes);
        }
        nodes.sort(Comparator.comparing(Member::name));
        if (text(config.id(), nodes).length() > TEXT_MAX) {
            problems.add("cluster.id and cluster.nodes together have more than " + TEXT_MAX + " characters");
        }
        return List.copyOf(nodes);
    }

    /** Groups: the host, and the port. */
    private static boolean isAddress(Matcher parts, int portGroup) {
        if (!parts.matches()) {
            return false;
        }
        int port = Integer.parseInt(parts.group(portGroup));
        return port >= 1 && port <= 65_535;
    }

    private static void checkOthers(ClusterConfig config, NetworkConfig network, LogConfig log, List<String> problems) {
        if (log.shards() > SHARDS_MAX) {
            problems.add("log.shards=" + log.shards() + ": a node of a cluster has " + SHARDS_MAX + " at most");
        }
        if (log.sync() == LogConfig.Sync.INTERVAL) {
            problems.add(
                    "log.sync=interval: a node that forgets what it has told that it has stored makes the cluster lose"
                            + " what it has acknowledged; a cluster needs log.sync=always");
        }
        try {
            Class.forName(ENGINE);
        } catch (ClassNotFoundException e) {
            problems.add("cluster.nodes is set, and the module duramen-replication-raft is not on the class path");
        }
    }

    /** Names the cluster, all who begin it, and how many shards they have: equal where settings agree. */
    String text() {
        return text(config.id(), nodes) + PeerNetworkConfig.withShards(shards);
    }

    private static String text(String id, List<Member> nodes) {
        return id + " of " + nodes.stream().map(Member::toString).collect(Collectors.joining(", "));
    }
}
