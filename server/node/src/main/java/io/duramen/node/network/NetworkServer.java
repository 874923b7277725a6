package io.duramen.node.network;

import io.duramen.broker.shard.ShardRequest;
import io.duramen.node.security.Authenticator;
import io.duramen.runtime.agent.Inbox;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.local.LocalAddress;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for clients on a TCP port and, where asked to, on an address inside this JVM. Thread-safe for everything but
 * being started and closed, which one thread does.
 */
public final class NetworkServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NetworkServer.class);
    private static final int BACKLOG = 1024;
    private static final int LOGINS_WAITING_MAX = 1024;
    private static final int WATER_MARK_LOW = 128 * 1024;
    private static final int WATER_MARK_HIGH = 512 * 1024;

    private final NetworkContext context;
    private final ThreadPoolExecutor logins;
    private final List<Transport> transports = new ArrayList<>();
    private final List<Channel> listeners = new ArrayList<>();
    private int port = -1;

    /** @param shards where each takes requests, by its number */
    public NetworkServer(
            NetworkConfig config,
            String nodeName,
            Authenticator authenticator,
            Door door,
            List<Inbox<ShardRequest>> shards) {
        this(config, nodeName, authenticator, door, shards, Optional.empty());
    }

    /**
     * @param connectionIds gives each connection its id, see {@link io.duramen.broker.shard.ClientConnection#id}, where clients of a cluster come to
     *     several nodes: client ids are then the catalogue's to give; from any thread. Empty where all come to this one
     */
    public NetworkServer(
            NetworkConfig config,
            String nodeName,
            Authenticator authenticator,
            Door door,
            List<Inbox<ShardRequest>> shards,
            Optional<LongSupplier> connectionIds) {
        this.logins = new ThreadPoolExecutor(
                1, 1, 1, TimeUnit.SECONDS, new ArrayBlockingQueue<>(LOGINS_WAITING_MAX), task -> {
                    Thread thread = new Thread(task, "duramen-login");
                    thread.setDaemon(true);
                    return thread;
                });
        logins.allowCoreThreadTimeOut(true);
        NetworkContext alone = new NetworkContext(config, nodeName, authenticator, door, logins, shards);
        this.context = connectionIds.map(alone::overNodes).orElse(alone);
    }

    /**
     * Binds the TCP port.
     *
     * @return the port, chosen by the system where the setting is 0
     * @throws IOException where the address cannot be bound
     */
    public int listen() throws IOException {
        NetworkConfig config = context.config();
        InetSocketAddress address = new InetSocketAddress(config.host(), config.port());
        if (address.isUnresolved()) {
            throw new IOException("network.host=" + config.host() + " is not an address of this machine");
        }
        Transport transport = Transport.forSockets(config.eventLoops(), config.nativeTransport());
        transports.add(transport);
        Channel listener = bind(
                bootstrap(transport)
                        .option(ChannelOption.SO_BACKLOG, BACKLOG)
                        .option(ChannelOption.SO_REUSEADDR, true)
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childOption(ChannelOption.SO_KEEPALIVE, true),
                address,
                "cannot listen on " + config.host() + ":" + config.port());
        port = ((InetSocketAddress) listener.localAddress()).getPort();
        LOG.info("Listening on {}:{} ({})", config.host(), port, transport.name());
        return port;
    }

    /**
     * Listens on a name inside this JVM.
     *
     * @throws IOException where somebody listens there already
     */
    public void listenInside(String name) throws IOException {
        Transport transport = Transport.insideJvm();
        transports.add(transport);
        bind(bootstrap(transport), new LocalAddress(name), "cannot listen inside this JVM as '" + name + "'");
    }

    /** The TCP port; -1 before {@link #listen}. */
    public int port() {
        return port;
    }

    public int connections() {
        return context.limits().count();
    }

    /**
     * Connections that are open, the oldest first.
     *
     * @param after only those with an id above this
     * @param limit most of them
     */
    public List<OpenConnection> open(long after, int limit) {
        return context.connections().stream()
                .filter(connection -> connection.id() > after)
                .sorted(Comparator.comparingLong(Connection::id))
                .limit(limit)
                .map(Connection::view)
                .toList();
    }

    /** Closes a connection at once; false where there is none with that id. */
    public boolean close(long id) {
        Optional<Connection> found = context.connections().stream()
                .filter(connection -> connection.id() == id)
                .findAny();
        found.ifPresent(Connection::abandon);
        return found.isPresent();
    }

    /** From here on clients are let in. */
    public void letIn() {
        context.door().letIn();
    }

    /**
     * From here on no client is let in, and those that are go: their connections end without a word, as if this node had died,
     * and the shards have been told when this returns. Waits at most the stop timeout.
     */
    public void sendAway() {
        context.door().shut();
        List<Connection> connections = List.copyOf(context.connections());
        connections.forEach(Connection::abandon);
        await(connections.stream().map(Connection::gone).toList());
    }

    /** From here on no client is let in; those that are stay. */
    public void admitNone() {
        context.door().shut();
    }

    /** Ends these connections, by their ids, as {@link #sendAway} does. */
    public void cut(Collection<Long> ids) {
        List<Connection> connections = context.connections().stream()
                .filter(connection -> ids.contains(connection.id()))
                .toList();
        connections.forEach(Connection::abandon);
        await(connections.stream().map(Connection::gone).toList());
    }

    private void await(List<CompletableFuture<Void>> ends) {
        try {
            CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new))
                    .get(context.config().stopTimeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            LOG.warn("Some connections did not end within {}", context.config().stopTimeout());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            LOG.error("A connection did not end well", e);
        }
    }

    /** Accepts no more connections, answers what was received, and closes; waits at most the stop timeout for it. */
    @Override
    public void close() {
        listeners.forEach(listener -> listener.close().awaitUninterruptibly());
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        List<Connection> connections = new ArrayList<>(context.connections());
        connections.forEach(connection -> ends.add(connection.stop()));
        await(ends);
        connections.forEach(Connection::abandon);
        transports.forEach(Transport::close);
        logins.shutdown();
    }

    private ServerBootstrap bootstrap(Transport transport) {
        return new ServerBootstrap()
                .group(transport.loops())
                .channel(transport.serverChannel())
                .childOption(
                        ChannelOption.WRITE_BUFFER_WATER_MARK,
                        new WriteBufferWaterMark(WATER_MARK_LOW, WATER_MARK_HIGH))
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        admit(channel);
                    }
                });
    }

    private void admit(Channel channel) {
        var remote = channel.remoteAddress();
        var refusal = context.limits().admit(remote);
        if (refusal.isPresent()) {
            LOG.warn("Connection from {} refused: {}", remote, refusal.get());
            channel.close();
            return;
        }
        channel.closeFuture().addListener(closed -> context.limits().release(remote));
        Connection connection = new Connection(context);
        channel.config().setRecvByteBufAllocator(connection.reading());
        channel.pipeline().addLast(connection);
    }

    private Channel bind(ServerBootstrap bootstrap, java.net.SocketAddress address, String problem) throws IOException {
        var bound = bootstrap.bind(address).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            BindException failure =
                    new BindException(problem + ": " + bound.cause().getMessage());
            failure.initCause(bound.cause());
            throw failure;
        }
        listeners.add(bound.channel());
        return bound.channel();
    }
}
