package io.duramen.acceptance.process;

import io.duramen.protocol.Frame;
import io.duramen.protocol.Protocol;
import io.duramen.protocol.frame.Hello;
import io.duramen.runtime.ports.FreePorts;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Three nodes of a cluster, each a process of its own on loopback. Used by one thread; {@link #close} kills what still runs. */
public final class ClusterProcess implements AutoCloseable, Victim {
    private static final int NODES = 3;
    private static final int TIMEOUT_MILLIS = 5_000;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final List<ServerProcess> nodes = new ArrayList<>();
    private final List<Long> changeMillis = new ArrayList<>();
    private final ClusterFigures figures = new ClusterFigures(this::name);
    private final List<String> members = new ArrayList<>();
    private final Map<ServerProcess, NodeClock> clocks = new HashMap<>();
    private final Map<ServerProcess, NodeDisk> disks = new HashMap<>();
    private final Path directory;
    private final Optional<PeerLinks> links;
    private int shards = 1;

    private ClusterProcess(Path directory, Optional<PeerLinks> links) {
        this.directory = directory;
        this.links = links;
        List<Integer> ports = new ArrayList<>();
        for (int i = 1; i <= NODES; i++) {
            String name = "n" + i;
            int port = FreePorts.inARow(1);
            ports.add(port);
            members.add(name + "@127.0.0.1:"
                    + links.map(between -> between.gate(name, port)).orElse(port));
        }
        for (int i = 1; i <= NODES; i++) {
            nodes.add(node(i).with("cluster.listen-address", "127.0.0.1:" + ports.get(i - 1)));
        }
    }

    private ServerProcess node(int number) {
        return ServerProcess.on(place(number).resolve("data"))
                .with("log.shards", Integer.toString(shards))
                .with("node.name", "n" + number)
                .with("cluster.id", "acceptance")
                .with("cluster.nodes", String.join(",", members))
                .withHeap("256m");
    }

    private Path place(int number) {
        return directory.resolve("n" + number);
    }

    /**
     * Before it is started: gives each node a disk of its own that a test can fill.
     *
     * @return whether that is possible here
     */
    public boolean withDisks(int mebibytes) throws IOException, InterruptedException {
        if (!NodeDisk.isPossible(directory)) {
            return false;
        }
        for (int i = 1; i <= NODES; i++) {
            disks.put(nodes.get(i - 1), NodeDisk.at(Files.createDirectories(place(i)), mebibytes));
        }
        return true;
    }

    /**
     * Before it is started: gives each node a clock of its own that a test can put ahead or back.
     *
     * @return whether that is possible here
     */
    public boolean withClocks() throws IOException {
        if (!NodeClock.isPossible()) {
            return false;
        }
        for (ServerProcess node : nodes) {
            NodeClock clock = NodeClock.in(directory.resolve("clock-" + name(node)));
            clocks.put(node, clock);
            node.withEnvironment(clock.environment());
        }
        return true;
    }

    /** Has the node's time of day be ahead of the right one by so much, or behind it; it needs {@link #withClocks}. */
    public void putClock(ServerProcess node, Duration ahead) throws IOException {
        clocks.get(node).put(ahead);
    }

    /** Fills the node's disk, and keeps it full; it needs {@link #withDisks}. */
    public void fillDisk(ServerProcess node) throws IOException {
        disks.get(node).fill();
    }

    /** All disks have room again. */
    public void freeDisks() throws IOException, InterruptedException {
        for (NodeDisk disk : disks.values()) {
            disk.free();
        }
    }

    /** One more that is to be added, on an empty directory; not running yet. */
    public ServerProcess another() {
        int number = nodes.size() + 1;
        members.add("n" + number + "@127.0.0.1:" + FreePorts.inARow(1));
        ServerProcess node = node(number).with("cluster.join", "true");
        nodes.add(node);
        return node;
    }

    /** As it stands in {@code cluster.nodes}. */
    public String member(ServerProcess node) {
        return members.get(nodes.indexOf(node));
    }

    /** A cluster that is not running yet, with a directory for each node in that one. */
    public static ClusterProcess in(Path directory) {
        return new ClusterProcess(directory, Optional.empty());
    }

    /** The same, but that the nodes talk over links that a test can break. */
    public static ClusterProcess over(PeerLinks links, Path directory) {
        return new ClusterProcess(directory, Optional.of(links));
    }

    /** Before it is started; one where nothing is said. */
    public ClusterProcess withShards(int count) {
        shards = count;
        return with("log.shards", Integer.toString(count));
    }

    /** Before it is started. */
    public ClusterProcess with(String key, String value) {
        nodes.forEach(node -> node.with(key, value));
        return this;
    }

    @Override
    public void begin() throws IOException, InterruptedException {
        for (ServerProcess node : nodes) {
            node.launch();
        }
        for (ServerProcess node : nodes) {
            node.awaitReady();
        }
        awaitLeader();
    }

    /** {@code kill -9} of the leader; once another serves, the dead one is started again. */
    @Override
    public void killAndReturn() throws IOException, InterruptedException {
        ServerProcess leader = awaitLeader();
        long killedNanos = System.nanoTime();
        leader.kill();
        awaitOtherThan(leader, killedNanos);
        leader.start();
    }

    /** {@code kill -9} of a node, where all serve; it is started again at once, and this returns when all let clients in. */
    public void killAndReturn(ServerProcess node) throws IOException, InterruptedException {
        node.kill();
        node.start();
        awaitAllLetIn();
    }

    /** Waits until each node lets clients in. */
    public void awaitAllLetIn() {
        await(
                "all nodes that serve",
                () -> nodes.stream().allMatch(node -> letsIn(node.port()))
                        ? Optional.of(nodes.get(0))
                        : Optional.empty());
    }

    /**
     * Waits until a node lets clients in that is not this one.
     *
     * @param sinceNanos when it was kept from leading
     */
    public void awaitOtherThan(ServerProcess leader, long sinceNanos) {
        await("another node that serves", () -> find(node -> node != leader));
        changeMillis.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sinceNanos));
    }

    /** Waits until a node that has led, and can run again, lets nobody in. */
    public void awaitDeposed(ServerProcess node) {
        await("the end of the old one", () -> letsIn(node.port()) ? Optional.empty() : Optional.of(node));
    }

    /** How long it took, after each kill, until another node let clients in. */
    public List<Long> changeMillis() {
        return changeMillis;
    }

    /** Waits until a node lets clients in. */
    public ServerProcess awaitLeader() {
        return await("a node that serves", () -> find(node -> true));
    }

    private Optional<ServerProcess> find(Predicate<ServerProcess> among) {
        return nodes.stream()
                .filter(ServerProcess::isRunning)
                .filter(among)
                .filter(node -> letsIn(node.port()))
                .findFirst();
    }

    ServerProcess await(String what, Supplier<Optional<ServerProcess>> found) {
        long deadlineNanos = System.nanoTime() + PATIENCE_NANOS;
        while (System.nanoTime() - deadlineNanos < 0) {
            Optional<ServerProcess> node = found.get();
            if (node.isPresent()) {
                return node.get();
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        throw new IllegalStateException(what + " was not there in time; the nodes said:\n" + output());
    }

    /** Waits until the one that leads says that all nodes are in sync. */
    public void awaitInSync() {
        await("all nodes in sync", () -> isInSync() ? Optional.of(nodes.get(0)) : Optional.empty());
    }

    private boolean isInSync() {
        return nodes.stream().anyMatch(node -> figures.of(node, NodeFigures::inSync) == NODES);
    }

    /** What a node tells; -1 where it does not. */
    long figure(ServerProcess node, ClusterFigures.Figure figure) {
        return figures.of(node, figure);
    }

    private static boolean letsIn(int port) {
        Frame hello = Frame.request(1, new Hello.Request(Protocol.MAGIC, 1, Protocol.VERSION, "acceptance", 0));
        ByteBuffer bytes = ByteBuffer.allocate(hello.size(1));
        hello.write(1, hello.size(1), bytes);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.getOutputStream().write(bytes.array());
            DataInputStream in = new DataInputStream(socket.getInputStream());
            byte[] answer = new byte[in.readInt()];
            in.readFully(answer);
            return Frame.read(1, ByteBuffer.wrap(answer)).kind() == Frame.Kind.RESPONSE;
        } catch (IOException e) {
            return false;
        }
    }

    /** SIGTERM to all, once each has what the others have; returns their exit codes. */
    public List<Integer> terminate() throws InterruptedException {
        awaitInSync();
        List<Integer> codes = new ArrayList<>();
        nodes.forEach(ServerProcess::endInOrder);
        for (ServerProcess node : nodes) {
            codes.add(node.terminate());
        }
        return codes;
    }

    /** Directories of the replicas' logs, by shard. */
    public List<List<Path>> logs() {
        return IntStream.range(0, shards)
                .mapToObj(shard -> nodes.stream()
                        .map(node -> node.data().resolve("shard-" + shard).resolve("log"))
                        .toList())
                .toList();
    }

    /** Its {@code node.name}. */
    public String name(ServerProcess node) {
        return "n" + (nodes.indexOf(node) + 1);
    }

    public List<ServerProcess> nodes() {
        return nodes;
    }

    @Override
    public String url() {
        return "duramen://"
                + nodes.stream().map(node -> "127.0.0.1:" + node.port()).collect(Collectors.joining(","));
    }

    @Override
    public String output() {
        return nodes.stream().map(ServerProcess::output).collect(Collectors.joining("\n----\n"));
    }

    @Override
    public void close() {
        figures.close();
        nodes.forEach(ServerProcess::close);
        disks.values().forEach(NodeDisk::close);
    }
}
