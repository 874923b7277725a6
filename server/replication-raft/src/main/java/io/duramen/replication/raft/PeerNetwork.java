package io.duramen.replication.raft;

import com.alipay.sofa.jraft.ReplicatorGroup;
import com.alipay.sofa.jraft.error.InvokeTimeoutException;
import com.alipay.sofa.jraft.error.RemotingException;
import com.alipay.sofa.jraft.option.RpcOptions;
import com.alipay.sofa.jraft.rpc.InvokeCallback;
import com.alipay.sofa.jraft.rpc.InvokeContext;
import com.alipay.sofa.jraft.rpc.RpcClient;
import com.alipay.sofa.jraft.util.Endpoint;
import com.google.protobuf.Message;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.MessageToByteEncoder;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** This node's talk with the others of its cluster, for all replicas in it. From any thread. */
public final class PeerNetwork implements AutoCloseable {
    private static final int NETWORK_THREADS = 2;
    private static final int REQUEST_THREADS = 8;
    private static final int REQUESTS_MAX = 4096;
    private static final int CONNECT_MILLIS_MAX = 2_000;
    private static final long MEET_MILLIS = 1_000;

    /** Longer than a goodbye over TLS waits for a slow peer. */
    private static final long CLOSE_MILLIS_MAX = 5_000;

    /** What waits to be sent to a node before it counts as not reachable for the moment. */
    private static final WriteBufferWaterMark UNSENT_BYTES = new WriteBufferWaterMark(8 << 20, 32 << 20);

    /** Answers that a node leaves unread before its connection is ended: each is some dozen bytes. */
    static final WriteBufferWaterMark UNREAD_BYTES = new WriteBufferWaterMark(256 << 10, 1 << 20);

    private final PeerNetworkConfig config;
    private final EventLoopGroup loops;

    /** All there are: an event loop that ends at once may leave its own open, and the port taken (Netty 4.2). */
    private final DefaultChannelGroup channels;

    private final ExecutorService executor;
    private final LoanDesk loans = new LoanDesk();
    private final RequestDesk desk;
    private final Tidings tidings = new Tidings();
    private final Refusals refusals = new Refusals();
    private final Heard heard = new Heard();
    private final Map<Endpoint, PeerConnection> connections = new ConcurrentHashMap<>();
    private final List<ReplicatorGroup> replicators = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    private PeerNetwork(PeerNetworkConfig config) {
        this.config = config;
        loops = new MultiThreadIoEventLoopGroup(
                NETWORK_THREADS, new DefaultThreadFactory("peers", true), NioIoHandler.newFactory());
        channels = new DefaultChannelGroup(loops.next(), true);
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                REQUEST_THREADS,
                REQUEST_THREADS,
                10,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(REQUESTS_MAX),
                new DefaultThreadFactory("peer-requests", true));
        pool.allowCoreThreadTimeOut(true);
        executor = pool;
        desk = new RequestDesk(executor, loans);
    }

    /**
     * Begins to listen, blocking.
     *
     * @throws IOException where it cannot, or would in the open without having been told so
     */
    public static PeerNetwork open(PeerNetworkConfig config) throws IOException {
        config.requireSafe();
        PeerNetwork network = new PeerNetwork(config);
        try {
            network.listen();
            network.loops.scheduleWithFixedDelay(network::meetAll, 0, MEET_MILLIS, TimeUnit.MILLISECONDS);
        } catch (IOException e) {
            network.close();
            throw e;
        }
        return network;
    }

    private void listen() throws IOException {
        ServerBootstrap server = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, UNREAD_BYTES)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channels.add(channel);
                        config.tls().ifPresent(tls -> channel.pipeline().addLast(tls.server()));
                        PeerFrame.Decoder decoder = new PeerFrame.Decoder();
                        channel.pipeline()
                                .addLast(
                                        decoder,
                                        new Encoder(),
                                        new PeerGuest(config, decoder, desk, tidings, refusals, heard));
                    }
                });
        PeerNetworkConfig.Listening at = config.listening();
        var bound = server.bind(at.host(), at.port()).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException(
                    "Node " + config.self().name() + " cannot listen for its peers at "
                            + at.host() + ":" + at.port() + ": "
                            + bound.cause().getMessage(),
                    bound.cause());
        }
        channels.add(bound.channel());
    }

    /**
     * Keeps a connection to every other node, whoever leads: so that each knows each other's directory before it matters whether
     * one has lost it. None to who was removed.
     */
    private void meetAll() {
        connections.forEach((endpoint, connection) -> {
            if (config.roster().peer(endpoint).isEmpty()) {
                connection.close();
                connections.remove(endpoint, connection);
            }
        });
        for (RaftPeer peer : config.roster().everyone()) {
            if (!peer.name().equals(config.self().name())) {
                try {
                    connection(peer.toEngine().getEndpoint());
                } catch (RemotingException e) {
                    return; // It is closing.
                }
            }
        }
    }

    /** Who hears what other nodes tell. */
    public interface Told {
        /**
         * On a thread of the network, in the order in which it was told over one connection; must not wait.
         *
         * @param node name of who tells it
         * @param content the listener's from here on
         */
        void told(String node, byte number, byte[] content);
    }

    /** Has what others tell heard by one listener, from here on; it was lost before. */
    public void onTold(Told listener) {
        tidings.listener(listener);
    }

    /**
     * Tells another node what nobody answers. Never blocks. It arrives behind what was told before, or not at all: where there is no connection, too
     * much waits to be sent, or the connection breaks.
     *
     * @param number what it is, for who hears it
     * @return whether it was sent, which does not say that it arrives
     */
    public boolean tell(String node, byte number, byte[] content) {
        return config.roster()
                .peer(node)
                .map(peer -> connections.get(peer.toEngine().getEndpoint()))
                .filter(connection -> connection.tell(number, content))
                .isPresent();
    }

    /** Whether another node has asked or answered something within that time. */
    public boolean hasHeard(String node, Duration time) {
        return heard.within(time, node);
    }

    /** How many of the other nodes that have a vote have asked or answered something within that time. */
    public int heardWithin(Duration time) {
        return heard.within(time, config.roster());
    }

    /**
     * Where a replica stands that talks with the others over this.
     *
     * @param files of it
     * @param mayStand whether it may be chosen to lead at the moment; asked from any thread
     * @param roster of its group
     * @param mending the same for all replicas of that shard, one after the other
     * @param unread likewise
     */
    public RaftReplica.Place place(
            RaftConfig replica,
            ReplicaFiles files,
            BooleanSupplier mayStand,
            Roster roster,
            Mending mending,
            Unread unread) {
        return new RaftReplica.Place(
                replica,
                files,
                client(),
                loans,
                mayStand,
                roster,
                mending,
                unread,
                config.introduction().register());
    }

    /** Sets what tells whether this node may lead at all: for others that look for one with room. Asked from any thread. */
    public void mayLead(BooleanSupplier whether) {
        loans.mayLead(whether);
    }

    /** For one replica; shutting it down leaves the connections to the others in this process. */
    RpcClient client() {
        return new Client();
    }

    /** The connection to a node, begun where there is none. */
    private PeerConnection connection(Endpoint endpoint) throws RemotingException {
        if (closed) {
            throw new RemotingException("the node is closing");
        }
        RaftPeer peer = config.roster()
                .peer(endpoint)
                .orElseThrow(() -> new RemotingException(endpoint + " is no node of this cluster"));
        return connections.compute(
                endpoint, (key, present) -> present == null || present.hasEnded() ? connect(endpoint, peer) : present);
    }

    private PeerConnection connect(Endpoint endpoint, RaftPeer peer) {
        PeerFrame.Decoder decoder = new PeerFrame.Decoder();
        PeerConnection connection = new PeerConnection(config, peer, decoder, executor, refusals, heard);
        new Bootstrap()
                .group(loops)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS_MAX)
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, UNSENT_BYTES)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channels.add(channel);
                        config.tls().ifPresent(tls -> channel.pipeline().addLast(tls.client()));
                        channel.pipeline().addLast(decoder, new Encoder(), connection);
                    }
                })
                .connect(peer.host(), peer.port())
                .addListener(connected -> {
                    if (!connected.isSuccess()) {
                        connection.end(connected.cause());
                    }
                });
        connection.greeted().thenAccept(channel -> isBack(endpoint));
        return connection;
    }

    /** Whoever leads goes on sending to it. */
    private void isBack(Endpoint endpoint) {
        var peer = new com.alipay.sofa.jraft.entity.PeerId(endpoint, 0);
        for (ReplicatorGroup group : replicators) {
            try {
                executor.execute(() -> group.checkReplicator(peer, true));
            } catch (RejectedExecutionException e) {
                return;
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        channels.close().awaitUninterruptibly(CLOSE_MILLIS_MAX);
        loops.shutdownGracefully(0, CLOSE_MILLIS_MAX, TimeUnit.MILLISECONDS).awaitUninterruptibly(CLOSE_MILLIS_MAX);
        executor.shutdownNow();
    }

    private static final class Encoder extends MessageToByteEncoder<PeerFrame> {
        Encoder() {
            super(PeerFrame.class);
        }

        @Override
        protected ByteBuf allocateBuffer(ChannelHandlerContext context, PeerFrame frame, boolean preferDirect) {
            return context.alloc().ioBuffer(frame.totalLength());
        }

        @Override
        protected void encode(ChannelHandlerContext context, PeerFrame frame, ByteBuf out) {
            frame.write(out);
        }
    }

    private final class Client implements RpcClient {
        private ReplicatorGroup group;

        @Override
        public boolean init(RpcOptions options) {
            return true;
        }

        @Override
        public void shutdown() {
            if (group != null) {
                replicators.remove(group);
            }
        }

        @Override
        public void registerConnectEventListener(ReplicatorGroup replicatorGroup) {
            group = replicatorGroup;
            replicators.add(replicatorGroup);
        }

        @Override
        public boolean checkConnection(Endpoint endpoint) {
            PeerConnection connection = connections.get(endpoint);
            return connection != null && connection.isReady();
        }

        @Override
        public boolean checkConnection(Endpoint endpoint, boolean createIfAbsent) {
            try {
                return createIfAbsent ? connection(endpoint).isReady() : checkConnection(endpoint);
            } catch (RemotingException e) {
                return false;
            }
        }

        @Override
        public void closeConnection(Endpoint endpoint) {
            PeerConnection connection = connections.get(endpoint);
            if (connection != null) {
                connection.greeted().thenAccept(io.netty.channel.Channel::close);
            }
        }

        @Override
        public Object invokeSync(Endpoint endpoint, Object request, InvokeContext context, long timeoutMillis)
                throws InterruptedException, RemotingException {
            long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
            PeerConnection connection = connection(endpoint);
            await(connection.greeted(), deadlineNanos);
            CompletableFuture<Object> answer = new CompletableFuture<>();
            connection.ask(
                    (Message) request,
                    (result, failure) -> {
                        if (failure == null) {
                            answer.complete(result);
                        } else {
                            answer.completeExceptionally(failure);
                        }
                    },
                    timeoutMillis);
            return await(answer, deadlineNanos);
        }

        private <T> T await(CompletableFuture<T> future, long deadlineNanos)
                throws InterruptedException, RemotingException {
            try {
                return future.get(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (ExecutionException e) {
                throw new RemotingException(e.getCause().getMessage(), e.getCause());
            } catch (TimeoutException e) {
                throw new InvokeTimeoutException(e);
            }
        }

        @Override
        public void invokeAsync(
                Endpoint endpoint, Object request, InvokeContext context, InvokeCallback callback, long timeoutMillis)
                throws RemotingException {
            connection(endpoint).ask((Message) request, callback, timeoutMillis);
        }
    }
}
