package io.duramen.node.cluster;

import io.duramen.node.directory.DataDirectory;
import io.duramen.node.security.OwnerOnlyFile;
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

/**
 * What a data directory remembers of its cluster: which it is, whose node this is, an id of its own, and those of the other nodes'
 * directories. A node that comes with another directory than before has lost what it had stored and voted, and is not let in:
 * with its vote the others could take back what they have acknowledged. From any thread.
 */
final class ClusterFile {
    private static final String CLUSTER = "cluster";
    private static final String NODE = "node";
    private static final String DIRECTORY = "directory";
    private static final String DIRECTORY_OF = "directory-of.";

    private final Path file;
    private final Map<String, String> values;
    private final Map<String, String> clientAddresses = new ConcurrentHashMap<>();

    private ClusterFile(Path file, Map<String, String> values) {
        this.file = file;
        this.values = values;
    }

    /**
     * Reads it, or makes it in an empty directory.
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
        if (directory.shards() > 0) {
            throw new IOException(
                    "cluster.nodes is set, and " + directory.path() + " holds the data of a node by itself."
                            + " A cluster begins with empty directories; that a node grows into one is not built yet");
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
        made.store();
        return made;
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
        if (!values.get(CLUSTER).equals(membership.text())) {
            throw new IOException(
                    directory.path() + " belongs to cluster " + values.get(CLUSTER) + ", and the settings say "
                            + membership.text() + ": nodes of a cluster that has formed cannot be changed yet");
        }
    }

    private void store() throws IOException {
        Properties properties = new Properties();
        properties.putAll(values);
        StringWriter text = new StringWriter();
        properties.store(text, "Written by the node; not to be changed or copied to another");
        OwnerOnlyFile.replace(file, text.toString());
    }

    String directoryId() {
        return values.get(DIRECTORY);
    }

    /** Where clients reach a node, once that has said so. */
    Optional<String> clientAddress(String node) {
        return Optional.ofNullable(clientAddresses.get(node));
    }

    /**
     * A node says which directory it has, and where clients reach it.
     *
     * @throws IllegalArgumentException where it had another before, or that cannot be remembered
     */
    synchronized void met(String node, String directoryId, String clientAddress) {
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
                    "node " + node + " comes with another data directory than before. What it"
                            + " had stored and voted is gone, and with its vote something acknowledged could be taken back: it is"
                            + " not let in. Give it its directory back; replacing a node is not built yet");
        }
        clientAddresses.put(node, clientAddress);
    }
}
