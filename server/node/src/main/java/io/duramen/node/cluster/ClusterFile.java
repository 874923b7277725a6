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
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a data directory remembers of its cluster: which it is, whose node this is, an id of its own, and those of the other nodes'
 * directories. A node that comes with another directory than before has lost what it had stored and voted, and is not let in:
 * with its vote the others could take back what they have acknowledged. The same holds for one whose directory goes on from an earlier
 * {@link Starts start} than its last. From any thread.
 */
final class ClusterFile implements Introduction.Register {
    private static final String CLUSTER = "cluster";
    private static final String NODE = "node";
    private static final String DIRECTORY = "directory";
    private static final String DIRECTORY_OF = "directory-of.";
    private static final String TASK = "before-it-serves";
    private static final String JOINED = "joined.";
    private static final String STARTS = "starts";
    private static final String START_OF = "start-of.";
    private static final String REFUSED = "refused";
    private static final String FORMAT = "format-level";
    private static final String WITHOUT_SHARD = "without-shard.";
    private static final String VOTERS = "voters-in-shard.";

    /** Rows of others' starts that are told. */
    private static final int KNOWN_MAX = 12;

    private static final Logger LOG = LoggerFactory.getLogger(ClusterFile.class);

    private final Path file;
    private final Map<String, String> values;
    private final Map<String, String> clientAddresses = new ConcurrentHashMap<>();

    /** What nodes have said of their starts, as it was found to be right. */
    private final Map<String, String> believed = new ConcurrentHashMap<>();

    private final Starts starts;
    private final boolean fresh;
    private final Formats formats;
    private volatile Optional<String> refused = Optional.empty();

    /** What a node does first on a directory that is new in its cluster. */
    enum Task {
        /** Nothing: it was there when the cluster began. */
        NONE,
        /** It copies what the others have. */
        JOIN,
        /** It lets others copy what it had as a node by itself. */
        SEED
    }

    private ClusterFile(Path file, Map<String, String> values, boolean fresh, int formatMax) {
        this.formats = new Formats(formatMax, Integer.parseInt(values.getOrDefault(FORMAT, "0")));
        this.file = file;
        this.values = values;
        this.fresh = fresh;
        this.starts = Starts.parse(values.getOrDefault(STARTS, Starts.NONE.toString()))
                .next(UUID.randomUUID().toString().substring(0, 8));
        values.put(STARTS, starts.toString());
    }

    /**
     * Reads it and notes one more start, or prepares it for an empty directory, which is bound by it once it is {@link #keep kept}.
     *
     * @throws IOException where the directory belongs to another cluster or node, or has data of a node by itself; where it was found
     *     to have forgotten what it had stored; where its cluster writes what this version does not read; or cannot be read or written
     */
    static ClusterFile open(DataDirectory directory, Membership membership) throws IOException {
        Path path = directory.cluster();
        if (Files.exists(path)) {
            Map<String, String> values = read(path);
            if (!membership.config().recoverWithout().isEmpty()) {
                values.remove(REFUSED); // Who refused it is said to be lost.
            } else if (values.containsKey(REFUSED)) {
                throw new IOException(directory.path() + ": " + values.get(REFUSED));
            }
            requireReadable(directory, values, membership.formatMax());
            ClusterFile found = new ClusterFile(path, values, false, membership.formatMax());
            found.requireSame(directory, membership);
            found.store(); // Before anybody is told of this start.
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
                        UUID.randomUUID().toString())),
                true,
                membership.formatMax());
        if (task != Task.NONE) {
            made.values.put(TASK, task.name());
        }
        return made;
    }

    private static void requireReadable(DataDirectory directory, Map<String, String> values, int formatMax)
            throws IOException {
        String level = values.getOrDefault(FORMAT, "0");
        if (!level.matches("[0-9]{1,9}")) {
            throw new IOException(directory.cluster() + " is damaged: " + FORMAT + "=" + level);
        }
        if (Integer.parseInt(level) > formatMax) {
            throw new IOException(directory.path() + " is of a cluster that writes format level " + level
                    + ", and this version reads levels up to " + formatMax
                    + ": start the version that the node had, or a later one");
        }
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

    /** Whether this node has a replica of a shard; from any thread. */
    synchronized boolean hasShard(int shard) {
        return !values.containsKey(WITHOUT_SHARD + shard);
    }

    /**
     * Whether it has one from here on, which is on disk when this returns; from any thread.
     *
     * @throws IOException where that cannot be written: nothing has changed then
     */
    synchronized void hasShard(int shard, boolean now) throws IOException {
        if (now == hasShard(shard)) {
            return;
        }
        change(WITHOUT_SHARD + shard, Optional.of("true").filter(yes -> !now));
    }

    /** Names of the nodes that decide in a shard, as was noted last; empty where nothing was. */
    synchronized List<String> votersIn(int shard) {
        return Optional.ofNullable(values.get(VOTERS + shard))
                .map(names -> List.of(names.split(",")))
                .orElse(List.of());
    }

    /**
     * Notes who decides in a shard.
     *
     * @throws IOException where that cannot be written: nothing has changed then
     */
    synchronized void votersIn(int shard, List<String> names) throws IOException {
        if (!names.equals(votersIn(shard))) {
            change(VOTERS + shard, Optional.of(String.join(",", names)));
        }
    }

    private void change(String key, Optional<String> value) throws IOException {
        Map<String, String> before = Map.copyOf(values);
        value.ifPresentOrElse(now -> values.put(key, now), () -> values.remove(key));
        try {
            store();
        } catch (IOException e) {
            values.clear();
            values.putAll(before);
            throw e;
        }
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
        storeWith(Map.of(CLUSTER, cluster));
    }

    /** What this node tells the others of itself; from any thread. */
    synchronized Introduction.Said said(String clients) {
        rememberFormat();
        return new Introduction.Said(
                values.get(DIRECTORY), clients, starts.toString(), known(), formats.max(), formats.highest());
    }

    /** In which the nodes write, and what each of them reads. */
    Formats formats() {
        return formats;
    }

    /** So that a version that cannot read what is written now does not start on the directory; from any thread. */
    synchronized void rememberFormat() {
        String highest = Integer.toString(formats.highest());
        if (formats.highest() > 0 && !highest.equals(values.get(FORMAT))) {
            storeWith(Map.of(FORMAT, highest));
        }
    }

    /** Those that were met since the start first, as far as there is room. */
    private String known() {
        StringJoiner rows = new StringJoiner(";");
        values.keySet().stream()
                .filter(key -> key.startsWith(START_OF))
                .map(key -> key.substring(START_OF.length()))
                .sorted(Comparator.comparing(node -> !clientAddresses.containsKey(node)))
                .limit(KNOWN_MAX)
                .forEach(node -> rows.add(new KnownStart(
                                node,
                                values.get(DIRECTORY_OF + node),
                                startOf(node).orElseThrow())
                        .toString()));
        return rows.toString();
    }

    /** Whether the directory was empty when the node started. */
    boolean isFresh() {
        return fresh;
    }

    /** Whether that node has said who it is since this one started. */
    boolean hasMet(String node) {
        return clientAddresses.containsKey(node);
    }

    /** Why this node may not take part: it was found to have forgotten what the others rely on, or does not read what they write. */
    Optional<String> refused() {
        return refused;
    }

    /** Where clients reach a node, once that has said so. */
    Optional<String> clientAddress(String node) {
        return Optional.ofNullable(clientAddresses.get(node));
    }

    /** {@inheritDoc} That is on disk before anything is answered to it, so nobody talks with the directory that it had before. */
    @Override
    public synchronized void joins(String node, Introduction.Said said) {
        String directory = values.get(DIRECTORY_OF + node);
        if (directory == null || directory.equals(said.directory())) {
            met(node, said);
            return;
        }
        Map<String, String> before = Map.copyOf(values);
        values.remove(DIRECTORY_OF + node);
        values.remove(START_OF + node);
        believed.remove(node);
        try {
            met(node, said);
        } catch (IllegalArgumentException e) {
            values.clear();
            values.putAll(before);
            throw e;
        }
        LOG.warn("Node {} comes with a new directory; the one that it had before is refused from here on", node);
    }

    /**
     * Without a proof of who says so, only a node whose directory is known is believed: what is met first stays for good. And only where
     * it names the start that is known; of others' starts it is believed nothing.
     */
    @Override
    public synchronized boolean claims(String node, Introduction.Said said) {
        requireNotRefused();
        String directory = values.get(DIRECTORY_OF + node);
        if (said.directory().equals(directory) && said.starts().equals(believed.get(node))) {
            return true;
        }
        formats.requireReads(node, said.formatMax()); // First: one with a new directory is to learn that, too.
        if (directory == null) {
            return false;
        }
        requireSameDirectory(node, said);
        Optional<Starts.Start> known = startOf(node);
        Starts theirs = Starts.parse(said.starts());
        requireGoesOn(node, theirs);
        if (known.isEmpty() || !theirs.surelyIncludes(known.get())) {
            return false;
        }
        keep(node, said.directory(), theirs);
        return true;
    }

    /**
     * A node says which directory it has, which start of it this is, and where clients reach it.
     *
     * @throws IllegalArgumentException where it had another before, or that cannot be remembered
     */
    @Override
    public synchronized void met(String node, Introduction.Said said) {
        requireNotRefused();
        if (said.directory().isEmpty()) {
            throw new IllegalArgumentException("node " + node + " does not say which data directory it has");
        }
        requireSameDirectory(node, said);
        formats.unreadable(values.get(NODE), said.formatLevel()).ifPresent(this::refuse);
        formats.requireReads(node, said.formatMax());
        Starts theirs = Starts.parse(said.starts());
        for (KnownStart row : KnownStart.parse(said.known())) {
            learn(row);
        }
        requireGoesOn(node, theirs);
        keep(node, said.directory(), theirs);
        formats.met(node, said.formatMax(), said.formatLevel());
        clientAddresses.put(node, said.clients());
    }

    private void requireNotRefused() {
        refused.ifPresent(why -> {
            throw new IllegalArgumentException("this node takes no part: " + why);
        });
    }

    private void requireSameDirectory(String node, Introduction.Said said) {
        String before = values.get(DIRECTORY_OF + node);
        if (before != null && !before.equals(said.directory())) {
            throw new IllegalArgumentException(
                    "node " + node + " comes with another data directory than before. What it had stored and voted is"
                            + " gone, and with its vote something acknowledged could be taken back: it is not"
                            + " let in. Give it its directory back; where that is lost, start it with"
                            + " cluster.join=true");
        }
    }

    private Optional<Starts.Start> startOf(String node) {
        return Optional.ofNullable(values.get(START_OF + node)).map(Starts.Start::parse);
    }

    private void requireGoesOn(String node, Starts theirs) {
        if (startOf(node).filter(known -> !theirs.includes(known)).isPresent()) {
            throw new Introduction.RefusedException(forgotten(node));
        }
    }

    private static String forgotten(String node) {
        return "the data directory of node " + node
                + " has forgotten what the node had stored and voted: it was put back"
                + " from a copy that is older than the node was, or its disk has lost what was written."
                + " With its vote something acknowledged could be taken back: it is not let in. Give it back the"
                + " directory with which it ran last; where that is lost, empty the directory, and start the node"
                + " with cluster.join=true while all others run";
    }

    /** On disk before anything is answered: from here on it can be told when that node comes with an earlier start. */
    private void keep(String node, String directory, Starts theirs) {
        String last = theirs.last().toString();
        if (!directory.equals(values.get(DIRECTORY_OF + node)) || !last.equals(values.get(START_OF + node))) {
            storeWith(Map.of(DIRECTORY_OF + node, directory, START_OF + node, last));
        }
        believed.put(node, theirs.toString());
    }

    /** Another has met a node in a start that this one may have missed; or this very node. */
    private void learn(KnownStart row) {
        if (row.node().equals(values.get(NODE))) {
            if (row.directory().equals(values.get(DIRECTORY)) && !starts.includes(row.start())) {
                String why = forgotten(values.get(NODE));
                storeWith(Map.of(REFUSED, why));
                refuse(why);
            }
        } else if (row.directory().equals(values.get(DIRECTORY_OF + row.node()))
                && startOf(row.node())
                        .filter(known -> known.number() >= row.start().number())
                        .isEmpty()) {
            believed.remove(row.node());
            storeWith(Map.of(START_OF + row.node(), row.start().toString()));
        }
    }

    private void refuse(String why) {
        refused = Optional.of(why);
        LOG.error("This node takes no part any more, and is to be stopped: {}", why);
        requireNotRefused();
    }

    /** {@inheritDoc} Its directory is refused from here on, by all who learn of it. */
    @Override
    public synchronized void forgot(String node, String what) {
        String forgotten = Starts.Start.FORGOTTEN.toString();
        if (!forgotten.equals(values.get(START_OF + node))) {
            LOG.error("Node {} {}: {}", node, what, forgotten(node));
            believed.remove(node);
            storeWith(Map.of(START_OF + node, forgotten));
        }
    }

    /** All of it, or nothing where that cannot be written. */
    private void storeWith(Map<String, String> changed) {
        Map<String, String> before = Map.copyOf(values);
        values.putAll(changed);
        try {
            store();
        } catch (IOException e) {
            values.clear();
            values.putAll(before);
            throw new IllegalArgumentException(file + " cannot be written: " + e, e);
        }
    }
}
