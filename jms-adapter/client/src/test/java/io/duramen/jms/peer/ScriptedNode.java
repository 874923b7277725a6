package io.duramen.jms.peer;

import io.duramen.protocol.Frame;
import io.duramen.protocol.Protocol;
import io.duramen.protocol.frame.Attach;
import io.duramen.protocol.frame.Authenticate;
import io.duramen.protocol.frame.Close;
import io.duramen.protocol.frame.CreateTemporary;
import io.duramen.protocol.frame.DeleteDestination;
import io.duramen.protocol.frame.Detach;
import io.duramen.protocol.frame.Hello;
import io.duramen.protocol.frame.Identify;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.protocol.frame.Ping;
import io.duramen.protocol.frame.ResolveDestination;
import io.duramen.protocol.frame.Unsubscribe;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.local.LocalAddress;
import io.netty.channel.local.LocalIoHandler;
import io.netty.channel.local.LocalServerChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Any thread. A node that plays its side of the conversation as a test tells it. It is polite by itself where a test
 * says nothing (login, looking destinations up, attaching); every other frame waits to be expected.
 */
public final class ScriptedNode implements AutoCloseable {
    private static final int FRAME_LENGTH_MAX = 1024 * 1024;
    private static final java.util.concurrent.atomic.AtomicInteger COUNT =
            new java.util.concurrent.atomic.AtomicInteger();

    /** A frame that came, and how to answer it. */
    public record Received(Channel channel, int version, Frame frame) {
        public void answer(Record response) {
            write(channel, version, Frame.response(frame.api(), frame.correlation(), response));
        }

        public void refuse(io.duramen.protocol.ErrorCode code, String detail) {
            write(channel, version, Frame.failure(frame.api(), frame.correlation(), code, detail));
        }
    }

    private final String name = "scripted-" + COUNT.incrementAndGet();
    private final EventLoopGroup group;
    private final SocketAddress address;
    private final Class<? extends io.netty.channel.ServerChannel> serverType;
    private final BlockingQueue<Received> received = new LinkedBlockingQueue<>();
    private final Map<Class<? extends Record>, Function<Record, Record>> polite = new ConcurrentHashMap<>();
    private final Map<Class<? extends Record>, List<Received>> handled = new ConcurrentHashMap<>();
    private volatile int version = Protocol.VERSION;
    private volatile int frameLengthMax = FRAME_LENGTH_MAX;
    private volatile int heartbeatMillis;
    private volatile boolean deaf;
    private Channel server;
    private volatile Channel client;

    private ScriptedNode(boolean tcp) {
        DefaultThreadFactory threads = new DefaultThreadFactory(name, true);
        group = new MultiThreadIoEventLoopGroup(
                1, threads, tcp ? NioIoHandler.newFactory() : LocalIoHandler.newFactory());
        serverType = tcp ? NioServerSocketChannel.class : LocalServerChannel.class;
        address = tcp ? new InetSocketAddress("127.0.0.1", 0) : new LocalAddress(name);
        beThere();
        politely(
                Hello.Request.class,
                r -> new Hello.Response(version, "scripted", frameLengthMax, 1000, heartbeatMillis, true, 1));
        politely(Authenticate.Request.class, r -> new Authenticate.Response(r.user()));
        politely(Identify.Request.class, r -> new Identify.Response());
        politely(Ping.Request.class, r -> new Ping.Response());
        politely(Close.Request.class, r -> new Close.Response());
        politely(
                ResolveDestination.Request.class,
                r -> new ResolveDestination.Response(r.name(), r.kind(), List.of(new PartitionRef(1, 0)), 1));
        politely(
                CreateTemporary.Request.class,
                r -> new ResolveDestination.Response(r.name(), r.kind(), List.of(new PartitionRef(2, 0)), 1));
        politely(DeleteDestination.Request.class, r -> new DeleteDestination.Response());
        politely(Unsubscribe.Request.class, r -> new Unsubscribe.Response());
        politely(Attach.Request.class, r -> new Attach.Response(List.of()));
        politely(Detach.Request.class, r -> new Detach.Response());
    }

    /** In this JVM. */
    public static ScriptedNode start() {
        return new ScriptedNode(false);
    }

    public static ScriptedNode startOnTcp() {
        return new ScriptedNode(true);
    }

    /** Listens (again). */
    public void beThere() {
        server = new ServerBootstrap()
                .group(group)
                .channel(serverType)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(new LengthFieldBasedFrameDecoder(Integer.MAX_VALUE, 0, 4, 0, 4))
                                .addLast(new Reader());
                    }
                })
                .bind(address)
                .syncUninterruptibly()
                .channel();
    }

    /** Listens no more; a present connection stays. */
    public void beAway() {
        server.close().syncUninterruptibly();
    }

    public String url() {
        return url("");
    }

    /** @param options as in a URL, without the question mark */
    public String url(String options) {
        String suffix = options.isEmpty() ? "" : "?" + options;
        return server.localAddress() instanceof InetSocketAddress inet
                ? "duramen://127.0.0.1:" + inet.getPort() + suffix
                : "duramen+local://" + name + suffix;
    }

    public ScriptedNode frameLengthMax(int bytes) {
        frameLengthMax = bytes;
        return this;
    }

    /** Is a node of a release that knows no later version of the protocol. */
    public ScriptedNode speaking(int newest) {
        version = newest;
        return this;
    }

    public ScriptedNode heartbeatMillis(int millis) {
        heartbeatMillis = millis;
        return this;
    }

    /** Says nothing any more, to nothing. */
    public void beDeaf() {
        deaf = true;
    }

    /** Answers every such request so from now on, without being expected. */
    public <T extends Record> ScriptedNode politely(Class<T> type, Function<T, Record> answer) {
        polite.put(type, request -> answer.apply(type.cast(request)));
        return this;
    }

    /** Such requests must be expected from now on. */
    public ScriptedNode impolitely(Class<? extends Record> type) {
        polite.remove(type);
        return this;
    }

    /** The next frame that is not handled politely; fails where it is another or none comes. */
    public Received expect(Class<? extends Record> type) throws InterruptedException {
        Received next = received.poll(10, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("no frame came where " + type.getName() + " was expected");
        }
        if (!type.isInstance(next.frame.payload())) {
            throw new AssertionError("expected " + type.getName() + ", not " + next.frame);
        }
        return next;
    }

    /** As {@link #expect}, its record. */
    public <T extends Record> T expected(Class<T> type) throws InterruptedException {
        return type.cast(expect(type).frame.payload());
    }

    /** What was handled politely so far. */
    public <T extends Record> List<T> handled(Class<T> type) {
        return handled.getOrDefault(type, List.of()).stream()
                .map(each -> type.cast(each.frame.payload()))
                .toList();
    }

    public boolean hasUnexpected() {
        return !received.isEmpty();
    }

    public void push(Record push) {
        write(client, version, Frame.push(push));
    }

    /** Breaks the connection. */
    public void drop() {
        client.close().syncUninterruptibly();
    }

    /** Bytes as they are. */
    public void say(byte[] bytes) {
        client.writeAndFlush(client.alloc().buffer().writeBytes(bytes)).syncUninterruptibly();
    }

    /** Reads on, or nothing any more until it is told to. */
    public void reading(boolean on) {
        client.config().setAutoRead(on);
    }

    public boolean isConnected() {
        Channel channel = client;
        return channel != null && channel.isOpen();
    }

    /** A test's own thread waits, so that what it says stands before what the node says by itself from then on. */
    private static void write(Channel channel, int version, Frame frame) {
        int size = frame.size(version);
        ByteBuf out = channel.alloc().buffer(size);
        frame.write(version, size, out.nioBuffer(0, size));
        ChannelFuture written = channel.writeAndFlush(out.writerIndex(size));
        if (!channel.eventLoop().inEventLoop()) {
            written.awaitUninterruptibly();
        }
    }

    @Override
    public void close() {
        server.close();
        group.shutdownGracefully(100, 2_000, TimeUnit.MILLISECONDS);
    }

    private final class Reader extends SimpleChannelInboundHandler<ByteBuf> {
        @Override
        public void channelActive(ChannelHandlerContext context) {
            client = context.channel();
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf message) {
            byte[] bytes = new byte[message.readableBytes()];
            message.readBytes(bytes);
            Received next = new Received(context.channel(), version, Frame.read(version, ByteBuffer.wrap(bytes)));
            if (deaf) {
                return;
            }
            Function<Record, Record> answer = polite.get(next.frame.payload().getClass());
            if (answer == null) {
                received.add(next);
                return;
            }
            handled.computeIfAbsent(
                            next.frame.payload().getClass(), t -> new java.util.concurrent.CopyOnWriteArrayList<>())
                    .add(next);
            Record response = answer.apply(next.frame.payload());
            if (response != null) {
                next.answer(response);
            }
        }
    }
}
