package io.duramen.jms.link;

import io.duramen.protocol.Api;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.Frame;
import io.duramen.protocol.Protocol;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.Authenticate;
import io.duramen.protocol.frame.Failure;
import io.duramen.protocol.frame.Hello;
import io.duramen.protocol.frame.Identify;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.local.LocalAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * Confined to the link's thread. One attempt at one address: connects, agrees on a version, logs in and claims the
 * client id. The result is handed over exactly once.
 */
final class Dialer implements Wire.Listener {
    private static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(256 * 1024, 1024 * 1024);
    private static final String CLIENT_NAME = "duramen-client";

    private final NodeAddress address;
    private final LinkOptions options;
    private final Identify.Request identity;
    private final Turn turn;
    private final BiConsumer<Wire, Throwable> result;
    private Wire wire;
    private boolean finished;

    /**
     * @param identity claimed once it is logged in
     * @param turn the link's
     * @param result takes the wire, logged in and without a listener of the link's yet; or else the cause
     */
    Dialer(
            NodeAddress address,
            LinkOptions options,
            Identify.Request identity,
            Turn turn,
            BiConsumer<Wire, Throwable> result) {
        this.address = address;
        this.options = options;
        this.identity = identity;
        this.turn = turn;
        this.result = result;
    }

    void dial(EventLoop loop) {
        long timeoutMillis = options.timeouts().connectMillis();
        Bootstrap bootstrap = new Bootstrap()
                .group(loop)
                .channelFactory(EventLoops.of(address)::newChannel)
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) Math.min(Integer.MAX_VALUE, timeoutMillis))
                .option(
                        ChannelOption.RECVBUF_ALLOCATOR,
                        new AdaptiveRecvByteBufAllocator(2 * 1024, 16 * 1024, 512 * 1024))
                .option(ChannelOption.ALLOCATOR, ByteBufAllocator.DEFAULT)
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        wire = new Wire(channel, turn, Dialer.this);
                        channel.pipeline().addLast(wire);
                    }
                });
        if (address instanceof NodeAddress.Tcp) {
            bootstrap.option(ChannelOption.TCP_NODELAY, true);
            bootstrap.option(ChannelOption.ALLOW_HALF_CLOSURE, true); // see Wire.userEventTriggered
        }
        ChannelFuture connecting = bootstrap.connect(socketAddress());
        connecting.addListener(future -> {
            if (future.isSuccess()) {
                turn.run(this::hello);
            } else {
                turn.run(() -> finish(future.cause()));
            }
        });
        loop.schedule(
                () -> turn.run(() -> {
                    if (!finished) {
                        finish(new IOException("no login at " + address + " within " + timeoutMillis + " ms"));
                        connecting.channel().close();
                    }
                }),
                timeoutMillis,
                TimeUnit.MILLISECONDS);
    }

    private SocketAddress socketAddress() {
        if (address instanceof NodeAddress.Tcp tcp) {
            return InetSocketAddress.createUnresolved(tcp.host(), tcp.port());
        }
        return new LocalAddress(((NodeAddress.Local) address).name());
    }

    private void hello() {
        say(new Hello.Request(Protocol.MAGIC, Protocol.VERSION_MIN, Protocol.VERSION, CLIENT_NAME, (int)
                Math.min(Integer.MAX_VALUE, options.timeouts().heartbeatMillis())));
    }

    private void say(Record request) {
        wire.write(Frame.request(0, request));
        wire.flush();
    }

    @Override
    public void onFrame(Frame frame) {
        if (finished) {
            return;
        }
        if (frame.payload() instanceof Failure failure) {
            finish(new ProtocolException(ErrorCode.of(failure.code()), failure.detail()));
        } else if (frame.kind() == Frame.Kind.REQUEST && frame.api() == Api.PING) {
            wire.write(Frame.response(Api.PING, frame.correlation(), new io.duramen.protocol.frame.Ping.Response()));
            wire.flush();
        } else if (frame.payload() instanceof Hello.Response hello) {
            onHello(hello);
        } else if (frame.payload() instanceof Authenticate.Response) {
            say(identity);
        } else {
            finish(null);
        }
    }

    private void onHello(Hello.Response hello) {
        if (hello.version() < Protocol.VERSION_MIN || hello.version() > Protocol.VERSION) {
            finish(new ProtocolException(ErrorCode.UNSUPPORTED_VERSION, "the node speaks " + hello.version()));
            return;
        }
        wire.limits(LinkLimits.of(hello));
        LinkOptions.Credentials who = options.credentials();
        say(new Authenticate.Request("PLAIN", who.user(), who.password()));
    }

    @Override
    public void onReady() {
        // Nothing waits to be written before login.
    }

    @Override
    public void onClosed(Throwable cause) {
        finish(cause != null ? cause : new IOException(address + " closed the connection before login"));
    }

    private void finish(Throwable cause) {
        if (finished) {
            return;
        }
        finished = true;
        if (cause != null && wire != null) {
            wire.close(cause);
        }
        result.accept(cause == null ? wire : null, cause);
    }
}
