package io.duramen.node.network.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A small HTTP server: one request of a connection at a time, of a bounded length, within a bounded time, of a bounded number of
 * connections; answered by few threads of its own. Started and closed by one thread.
 */
public final class HttpDoor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpDoor.class);
    private static final int WAITING_MAX = 64;
    private static final long CLOSE_MILLIS = 2_000;

    private final Bounds bounds;
    private final Optional<SSLContext> tls;
    private final Answers answers;
    /** Connections by their addresses; of the one event loop. */
    private final Map<InetAddress, Integer> open = new HashMap<>();

    private final MultiThreadIoEventLoopGroup loops = new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("duramen-http", true), NioIoHandler.newFactory());
    private final ThreadPoolExecutor threads;
    /** All there are: an event loop that ends at once may leave its own open (Netty 4.2). */
    private final DefaultChannelGroup channels = new DefaultChannelGroup(loops.next(), true);

    /**
     * @param connections most at a time, half of them from one address; more are cut off
     * @param bodyBytes most of a request's body
     * @param seconds within which a request has come, counted from the end of the one before, and within which its answer is taken
     * @param threads that answer
     */
    public record Bounds(int connections, int bodyBytes, int seconds, int threads) {}

    /**
     * @param target as the client sent it: path and query
     * @param headers the first of each name, which is in lower case
     * @param from address of the client, without port
     */
    public record Request(String method, String target, Map<String, String> headers, byte[] body, String from) {
        /** @return the header, which may be absent */
        public Optional<String> header(String name) {
            return Optional.ofNullable(headers.get(name));
        }
    }

    /** @param headers besides those of length and connection */
    public record Response(int status, Map<String, String> headers, byte[] body) {}

    /** Says what comes of a request; called by several threads. Whatever it throws is answered by 500. */
    @FunctionalInterface
    public interface Answers {
        Response to(Request request);
    }

    /** @param tls absent for none */
    public HttpDoor(Bounds bounds, Optional<SSLContext> tls, Answers answers) {
        this.bounds = bounds;
        this.tls = tls;
        this.answers = answers;
        this.threads = new ThreadPoolExecutor(
                bounds.threads,
                bounds.threads,
                1,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(WAITING_MAX),
                new DefaultThreadFactory("duramen-http-answer", true));
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Binds a port.
     *
     * @return the port, chosen by the system where 0 is asked for
     * @throws IOException where the address cannot be bound
     */
    public int listen(InetSocketAddress address) throws IOException {
        var bound = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        admit(channel);
                    }
                })
                .bind(address)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            close();
            throw new IOException("cannot listen for HTTP on " + address + ": "
                    + bound.cause().getMessage());
        }
        channels.add(bound.channel());
        return ((InetSocketAddress) bound.channel().localAddress()).getPort();
    }

    private void admit(Channel channel) {
        channels.add(channel);
        InetAddress from = ((InetSocketAddress) channel.remoteAddress()).getAddress();
        int all = open.values().stream().mapToInt(Integer::intValue).sum();
        if (all >= bounds.connections || open.getOrDefault(from, 0) >= Math.max(1, bounds.connections / 2)) {
            LOG.debug("HTTP connection from {} cut off: {} are open", from, all);
            channel.close();
            return;
        }
        open.merge(from, 1, Integer::sum);
        channel.closeFuture()
                .addListener(closed -> open.computeIfPresent(from, (key, number) -> number == 1 ? null : number - 1));
        tls.ifPresent(context -> {
            SSLEngine engine = context.createSSLEngine();
            engine.setUseClientMode(false);
            engine.setEnabledProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
            channel.pipeline().addLast(new SslHandler(engine));
        });
        channel.pipeline()
                .addLast(
                        new HttpServerCodec(),
                        new HttpObjectAggregator(bounds.bodyBytes, true),
                        new FlowControlHandler(), // of requests that came together the second waits for the first's
                        // answer
                        new OneConnection());
    }

    /** On the event loop, but for the answers themselves. */
    private final class OneConnection extends SimpleChannelInboundHandler<FullHttpRequest> {
        private ScheduledFuture<?> patience;

        @Override
        public void handlerAdded(ChannelHandlerContext context) {
            beginPatience(context);
        }

        /** The connection ends unless what is waited for has happened by then. */
        private void beginPatience(ChannelHandlerContext context) {
            patience = context.executor().schedule(() -> context.close(), bounds.seconds, TimeUnit.SECONDS);
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest message) {
            patience.cancel(false);
            if (!message.decoderResult().isSuccess()) {
                answer(context, false, new Response(400, Map.of(), new byte[0]));
                return;
            }
            boolean goesOn = HttpUtil.isKeepAlive(message);
            Request request = request(context, message);
            context.channel().config().setAutoRead(false);
            try {
                threads.execute(() -> {
                    Response response = response(request);
                    // Who was refused begins anew: nobody keeps a place without having been let in.
                    context.executor().execute(() -> answer(context, goesOn && response.status < 400, response));
                });
            } catch (RejectedExecutionException e) {
                answer(context, false, new Response(503, Map.of(), new byte[0]));
            }
        }

        private static Request request(ChannelHandlerContext context, FullHttpRequest message) {
            Map<String, String> headers = new TreeMap<>();
            message.headers()
                    .forEach(header ->
                            headers.putIfAbsent(header.getKey().toLowerCase(java.util.Locale.ROOT), header.getValue()));
            return new Request(
                    message.method().name(),
                    message.uri(),
                    headers,
                    ByteBufUtil.getBytes(message.content()),
                    ((InetSocketAddress) context.channel().remoteAddress())
                            .getAddress()
                            .getHostAddress());
        }

        private void answer(ChannelHandlerContext context, boolean goesOn, Response response) {
            FullHttpResponse message = new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1,
                    HttpResponseStatus.valueOf(response.status),
                    Unpooled.wrappedBuffer(response.body));
            response.headers.forEach(message.headers()::set);
            HttpUtil.setContentLength(message, response.body.length);
            message.headers().set(HttpHeaderNames.CONNECTION, goesOn ? "keep-alive" : "close");
            beginPatience(context); // with a client that does not read
            context.writeAndFlush(message).addListener(written -> {
                patience.cancel(false);
                if (goesOn && written.isSuccess()) {
                    beginPatience(context);
                    context.channel().config().setAutoRead(true);
                } else {
                    context.close();
                }
            });
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            patience.cancel(false);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            LOG.debug("HTTP connection from {} ends", context.channel().remoteAddress(), cause);
            context.close();
        }
    }

    private Response response(Request request) {
        try {
            return answers.to(request);
        } catch (Throwable e) { // else the connection would wait for ever
            LOG.warn("An HTTP request from {} failed", request.from, e);
            return new Response(500, Map.of(), new byte[0]);
        }
    }

    /** Cuts all connections off; any number of times. */
    @Override
    public void close() {
        channels.close().awaitUninterruptibly(CLOSE_MILLIS);
        threads.shutdownNow();
        loops.shutdownGracefully(0, CLOSE_MILLIS, TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
    }
}
