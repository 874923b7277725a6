package io.duramen.node.cluster;

import io.duramen.node.directory.DataDirectory;
import io.duramen.node.security.OwnerOnlyFile;
import io.duramen.replication.raft.Introduction;
import io.duramen.replication.raft.PeerNetworkConfig;
import io.duramen.replication.raft.Seed;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a data directory remembers of its cluster: which it is, whose node this is, an id of its own, and those of the other nodes'
 * directories. A node that comes with another directory than before has lost what it had stored and voted, and is not let in:
 * with its vote the others could take back what they have acknowledged. From any thread.
 */
final class ClusterFile implements Introduction.Register {
    private static final String CLUSTER = "cluster";
    private static final String NODE = "node";
    private static final String DIRECTORY = "directory";
    private static final String DIRECTORY_OF = "directory-of.";
    private static final String TASK = "before-it-serves";
    private static final String JOINED = "joined.";
    private static final Logger LOG = LoggerFactory.getLogger(ClusterFile.class);

    private final Path file;
    private final Map<String, String> values;
    private final Map<String, String> clientAddresses = new ConcurrentHashMap<>();

    /** What a node does first on a directory that is new in its cluster. */
    enum Task {
        /** Nothing: it was there when the cluster began. */
        NONE,
        /** It copies what the others have. */
        JOIN,
        /** It lets others copy what it had as a node by itself. */
        SEED
    }

    private ClusterFile(Path file, Map<String, String> values) {
        this.file = file;
        this.values = values;
    }

    /**
     * Reads it, or prepares it for an empty directory, which is bound by it once it is {@link #keep kept}.
     *
     * @throws IOException where the directory belongs to another cluster or node, or has data of a node by itself; or cannot be
     *     read or written
     */
    static ClusterFile open(DataDirectory directory, Membership membership) throws IOException {
        Path path = directory.cluster();
        if (Files.exists(path)) {
            ClusterFile found = new ClusterFile(path, read(path));
            found.requireSame(directory, membership);
            return found;
        }
        Task task = taskOf(directory, membership);
        if (task != Task.JOIN) {
            membership.requireFounding();
        }
        ClusterFile made = new ClusterFile(
                path,
                new TreeMap<>(Map.of(
                        CLUSTER,
                        membership.text(),
                        NODE,
                        membership.self().name(),
                        DIRECTORY,
                        UUID.randomUUID().toString())));
        if (task != Task.NONE) {
            made.values.put(TASK, task.name());
        }
        return made;
    }

    private static Task taskOf(DataDirectory directory, Membership membership) throws IOException {
        ClusterConfig config = membership.config();
        int shards = directory.shards();
        if (shards == 0) {
            return config.join() ? Task.JOIN : Task.NONE;
        }
        if (!config.grow()) {
            throw new IOException(
                    "cluster.nodes is set, and " + directory.path() + " holds the data of a node by itself. To make it"
                            + " that of a cluster, start this node with"
                            + " cluster.grow=true, and the others, on empty"
                            + " directories, with cluster.join=true");
        }
        if (shards != membership.shards()) {
            throw new IOException("log.shards=" + membership.shards() + ", but " + directory.path() + " holds " + shards
                    + " shards, and a cluster has as many for good: set log.shards=" + shards + " on all of its nodes");
        }
        return Task.SEED;
    }

    /** What is still to be done before this node serves; from any thread. */
    synchronized Task task() {
        return Task.valueOf(values.getOrDefault(TASK, Task.NONE.name()));
    }

    /** That is done. */
    synchronized void done() throws IOException {
        values.remove(TASK);
        store();
    }

    /** Who has copied a shard of this node; and who has all of them: fewer do not make a majority. */
    Seed.Joined joined(int shard, int shards) {
        return new Seed.Joined() {
            @Override
            public void add(String node) throws IOException {
                synchronized (ClusterFile.this) {
                    values.put(JOINED + shard + "." + node, "true");
                    store();
                }
            }

            @Override
            public int count() {
                return withAll(shards);
            }
        };
    }

    private synchronized int withAll(int shards) {
        String ofFirst = JOINED + "0.";
        return (int) values.keySet().stream()
                .filter(key -> key.startsWith(ofFirst))
                .map(key -> key.substring(ofFirst.length()))
                .filter(node ->
                        IntStream.range(0, shards).allMatch(shard -> values.containsKey(JOINED + shard + "." + node)))
                .count();
    }

    /**
     * Binds the directory to the cluster, where it was not yet: when the node has its address.
     *
     * @throws IOException where that cannot be written
     */
    synchronized void keep() throws IOException {
        if (!Files.exists(file)) {
            store();
        }
    }

    private static Map<String, String> read(Path path) throws IOException {
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(Files.readString(path)));
        } catch (IllegalArgumentException e) {
            throw new IOException(path + " is damaged: " + e.getMessage(), e);
        }
        Map<String, String> values = new TreeMap<>();
        properties.stringPropertyNames().forEach(key -> values.put(key, properties.getProperty(key)));
        for (String needed : new String[] {CLUSTER, NODE, DIRECTORY}) {
            if (!values.containsKey(needed)) {
                throw new IOException(path + " is damaged: it does not say '" + needed + "'");
            }
        }
        return values;
    }

    private void requireSame(DataDirectory directory, Membership membership) throws IOException {
        if (!values.get(NODE).equals(membership.self().name())) {
            throw new IOException(directory.path() + " belongs to node '" + values.get(NODE) + "', and node.name says '"
                    + membership.self().name() + "': each node has a directory of its own");
        }
        String id = membership.config().id();
        if (!values.get(CLUSTER).startsWith(id + " of ")) {
            throw new IOException(directory.path() + " belongs to cluster " + values.get(CLUSTER)
                    + ", and the settings say cluster.id=" + id);
        }
        int shards = PeerNetworkConfig.shards(values.get(CLUSTER));
        if (shards != membership.shards()) {
            throw new IOException(directory.path() + " belongs to a cluster with log.shards=" + shards
                    + ", and the settings say log.shards=" + membership.shards() + ": that is fixed when it begins");
        }
    }

    private void store() throws IOException {
        Properties properties = new Properties();
        properties.putAll(values);
        StringWriter text = new StringWriter();
        properties.store(text, "Written by the node; not to be changed or copied to another");
        OwnerOnlyFile.replace(file, text.toString());
    }

    /** Names the cluster, and who began it: for good, whoever belongs to it later. From any thread. */
    synchronized String cluster() {
        return values.get(CLUSTER);
    }

    @Override
    public synchronized void found(String cluster) {
        if (cluster.equals(values.get(CLUSTER))) {
            return;
        }
        String before = values.put(CLUSTER, cluster);
        try {
            store();
        } catch (IOException e) {
            values.put(CLUSTER, before);
            throw new IllegalArgumentException(file + " cannot be written: " + e, e);
        }
    }

    String directoryId() {
        return values.get(DIRECTORY);
    }

    /** Where clients reach a node, once that has said so. */
    Optional<String> clientAddress(String node) {
        return Optional.ofNullable(clientAddresses.get(node));
    }

    /** {@inheritDoc} That is on disk before anything is answered to it, so nobody talks with the directory that it had before. */
    @Override
    public synchronized void joins(String node, String directoryId, String clientAddress) {
        String before = values.get(DIRECTORY_OF + node);
        if (before != null && !before.equals(directoryId)) {
            values.remove(DIRECTORY_OF + node);
            LOG.warn("Node {} comes with a new directory; the one that it had before is refused from here on", node);
        }
        met(node, directoryId, clientAddress);
    }

    /** Without a proof of who says so, only a node whose directory is known is believed: what is met first stays for good. */
    @Override
    public synchronized boolean claims(String node, String directoryId, String clientAddress) {
        if (values.containsKey(DIRECTORY_OF + node)) {
            met(node, directoryId, clientAddress);
            return true;
        }
        return false;
    }

    /**
     * A node says which directory it has, and where clients reach it.
     *
     * @throws IllegalArgumentException where it had another before, or that cannot be remembered
     */
    @Override
    public synchronized void met(String node, String directoryId, String clientAddress) {
        if (directoryId.isEmpty()) {
            throw new IllegalArgumentException("node " + node + " does not say which data directory it has");
        }
        String before = values.putIfAbsent(DIRECTORY_OF + node, directoryId);
        if (before == null) {
            try {
                store();
            } catch (IOException e) {
                values.remove(DIRECTORY_OF + node);
                throw new IllegalArgumentException(file + " cannot be written: " + e, e);
            }
        } else if (!before.equals(directoryId)) {
            throw new IllegalArgumentException(
                    "node " + node + " comes with another data directory than before. What it had stored and voted is"
                            + " gone, and with its vote something acknowledged could be taken back: it is not"
                            + " let in. Give it its directory back; where that is lost, start it with"
                            + " cluster.join=true");
        }
        clientAddresses.put(node, clientAddress);
    }
}
