package io.duramen.node;

import io.duramen.node.cluster.Cluster;
import io.duramen.node.cluster.Membership;
import io.duramen.node.directory.DataDirectory;
import io.duramen.node.network.Door;
import io.duramen.node.shard.Logs;
import io.duramen.node.shard.ShardHosts;
import io.duramen.node.shard.StateStores;
import io.duramen.protocol.FormatLevel;
import io.duramen.runtime.SystemClock;
import jakarta.enterprise.inject.se.SeContainer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/** A node from its start to its end. {@link #close} from any thread, any number of times. */
final class RunningNode implements AutoCloseable {
    private final NodeSettings settings;
    private final DataDirectory directory;
    private final SeContainer container;
    private final Node node;
    private final int port;
    private boolean closed;

    private RunningNode(NodeSettings settings, DataDirectory directory, SeContainer container, Node node, int port) {
        this.settings = settings;
        this.directory = directory;
        this.container = container;
        this.node = node;
        this.port = port;
    }

    /**
     * @param localName address inside this JVM to listen on, too
     * @throws io.duramen.node.directory.DirectoryInUseException where another node runs on the directory
     * @throws IOException where data cannot be read or written, or an address cannot be bound
     */
    static RunningNode start(NodeSettings settings, Optional<String> localName) throws IOException {
        return start(settings, localName, FormatLevel.NEWEST);
    }

    /** @param formatMax {@link FormatLevel} up to which it reads, as a node of another version may */
    static RunningNode start(NodeSettings settings, Optional<String> localName, int formatMax) throws IOException {
        DataDirectory directory = DataDirectory.open(settings.node().data());
        SeContainer container = null;
        ShardHosts shards = null;
        try {
            // First: the database opens while the rest is wired.
            Logs logs = Logs.LOCAL;
            Door door = Door.open();
            if (settings.cluster().isOn()) {
                Cluster cluster =
                        Cluster.open(membership(settings).withFormatMax(formatMax), directory, settings.log());
                logs = cluster;
                door = Door.shut(cluster::refusal);
            }
            shards = shards(settings, directory, logs);
            container = Node.wire(settings, directory, door, shards);
            Node node = container.select(Node.class).get();
            int port = node.start(localName);
            return new RunningNode(settings, directory, container, node, port);
        } catch (IOException | RuntimeException e) {
            if (container != null) {
                container.close();
            }
            if (shards != null) {
                shards.close();
            }
            directory.close();
            throw e;
        }
    }

    private static Membership membership(NodeSettings settings) {
        return Membership.of(settings.cluster(), settings.node().name(), settings.network(), settings.log());
    }

    private static ShardHosts shards(NodeSettings settings, DataDirectory directory, Logs logs) throws IOException {
        try {
            int count = settings.log().shards();
            logs.prepare(directory);
            directory.requireAtMost(count);
            return new ShardHosts(
                    new ShardHosts.Floor(
                            directory, settings.broker(), settings.log(), settings.metadata(), new SystemClock(), logs),
                    StateStores.open(directory, settings.metadata(), count));
        } catch (IOException | RuntimeException e) {
            logs.close();
            throw e;
        }
    }

    String host() {
        return settings.network().host();
    }

    int port() {
        return port;
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        node.close();
        container.close();
        try {
            directory.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
