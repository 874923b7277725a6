package io.duramen.node.network;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.local.LocalIoHandler;
import io.netty.channel.local.LocalServerChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;

/** One kind of channel and the event loops that serve it. Immutable. */
record Transport(String name, EventLoopGroup loops, Class<? extends ServerChannel> serverChannel)
        implements AutoCloseable {
    private static final int LOOPS_MAX = 4;
    private static final long CLOSE_TIMEOUT_MILLIS = 2_000;

    /** @param loops number of event loops; 0 for half the processors, 1 to {@link #LOOPS_MAX} */
    static Transport forSockets(int loops, boolean preferNative) {
        int count = loops > 0
                ? loops
                : Math.max(1, Math.min(LOOPS_MAX, Runtime.getRuntime().availableProcessors() / 2));
        if (preferNative && Epoll.isAvailable()) {
            return new Transport("epoll", group(count, EpollIoHandler.newFactory()), EpollServerSocketChannel.class);
        }
        return new Transport("nio", group(count, NioIoHandler.newFactory()), NioServerSocketChannel.class);
    }

    static Transport insideJvm() {
        return new Transport("in-JVM", group(1, LocalIoHandler.newFactory()), LocalServerChannel.class);
    }

    /** Ends the loops and waits a moment for it. */
    @Override
    public void close() {
        loops.shutdownGracefully(0, CLOSE_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(CLOSE_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static EventLoopGroup group(int count, IoHandlerFactory factory) {
        return new MultiThreadIoEventLoopGroup(count, new DefaultThreadFactory("duramen-network", true), factory);
    }
}
