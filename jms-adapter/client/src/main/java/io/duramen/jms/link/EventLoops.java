package io.duramen.jms.link;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Any thread. The event loops that all links of this JVM share: daemon threads, started with the first link and ended
 * with the last.
 */
enum EventLoops {
    TCP(
            Epoll.isAvailable() ? EpollSocketChannel::new : NioSocketChannel::new,
            () -> Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory()),
    LOCAL(LocalChannel::new, LocalIoHandler::newFactory);

    private static final long QUIET_MILLIS = 100; // for what the other end of a closed channel still has to say

    private final Supplier<Channel> channels;
    private final Supplier<IoHandlerFactory> handlers;
    private MultiThreadIoEventLoopGroup group;
    /** Of the last group; null before the first. */
    private Future<?> ending;

    private final Map<EventLoop, LateLinks> late = new HashMap<>();
    private int leases;

    EventLoops(Supplier<Channel> channels, Supplier<IoHandlerFactory> handlers) {
        this.channels = channels;
        this.handlers = handlers;
    }

    static EventLoops of(NodeAddress address) {
        return address instanceof NodeAddress.Local ? LOCAL : TCP;
    }

    Channel newChannel() {
        return channels.get();
    }

    /** One loop, whose events a link has for all its life (see {@link Turn}). To be given back by {@link #release}. */
    synchronized EventLoop lease() {
        if (leases++ == 0) {
            int threads = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
            group = new MultiThreadIoEventLoopGroup(
                    threads, new DefaultThreadFactory("duramen-link", true), handlers.get());
        }
        return group.next();
    }

    synchronized LateLinks late(EventLoop leased) {
        return late.computeIfAbsent(leased, LateLinks::new);
    }

    synchronized void release() {
        if (--leases == 0) {
            late.clear();
            group.shutdownGracefully(QUIET_MILLIS, QUIET_MILLIS * 20, TimeUnit.MILLISECONDS);
            ending = group.terminationFuture();
            group = null;
        }
    }

    private synchronized Future<?> ending() {
        return ending;
    }

    /** Waits until threads that are to end have ended. */
    boolean awaitEnd(long millis) throws InterruptedException {
        Future<?> awaited = ending();
        return awaited == null || awaited.await(millis);
    }
}
