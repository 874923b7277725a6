package io.duramen.replication.raft;

import com.alipay.sofa.jraft.error.InvokeTimeoutException;
import com.alipay.sofa.jraft.error.RemotingException;
import com.alipay.sofa.jraft.rpc.InvokeCallback;
import com.google.protobuf.Message;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that this node made to another, over which it asks and is answered. Asked from any thread; answers are taken on the
 * connection's, and handed on to the executor of whoever asked.
 */
final class PeerConnection extends SimpleChannelInboundHandler<PeerFrame> {
    private static final Logger LOG = LoggerFactory.getLogger(PeerConnection.class);
    private static final long SWEEP_MILLIS = 20;
    private static final long GREETING_MILLIS_MAX = 5_000;

    /**
     * A node that was asked and has answered nothing for so long is perhaps reached again over another connection. Counted while
     * this process runs: when it was halted itself, what was answered meanwhile is still to be read.
     */
    private static final long SILENT_MILLIS_MAX = 5_000;

    private final PeerNetworkConfig config;
    private final RaftPeer peer;
    private final PeerFrame.Decoder decoder;
    private final Executor executor;
    private final Refusals refusals;
    private final Heard heard;
    private final CompletableFuture<Channel> greeted = new CompletableFuture<>();
    private final Map<Long, Pending> pending = new ConcurrentHashMap<>();
    private final AtomicLong lastId = new AtomicLong();
    private ScheduledFuture<?> sweeping;

    /** Whether something was asked since it last answered. */
    private volatile boolean asked;

    private int sweepsUnanswered;

    private volatile boolean ended;

    private record Pending(InvokeCallback callback, long deadlineNanos) {}

    /** @param executor for those who ask without one of their own */
    PeerConnection(
            PeerNetworkConfig config,
            RaftPeer peer,
            PeerFrame.Decoder decoder,
            Executor executor,
            Refusals refusals,
            Heard heard) {
        this.heard = heard;
        this.config = config;
        this.peer = peer;
        this.decoder = decoder;
        this.executor = executor;
        this.refusals = refusals;
    }

    /** Completed once both sides know who the other is; fails where that cannot be. */
    CompletableFuture<Channel> greeted() {
        return greeted;
    }

    boolean isReady() {
        return greeted.isDone() && !ended && greeted.getNow(null).isWritable();
    }

    boolean hasEnded() {
        return ended;
    }

    /** @throws RemotingException where it is not ready; the callback is not called then */
    void ask(Message request, InvokeCallback callback, long timeoutMillis) throws RemotingException {
        PeerMessage message = PeerMessage.of(request)
                .orElseThrow(() -> new RemotingException("a request of a kind that is not sent: "
                        + request.getDescriptorForType().getName()));
        if (!isReady()) {
            throw new RemotingException("no connection to " + peer.name());
        }
        byte[] content = request.toByteArray();
        PeerFrame frame = new PeerFrame(PeerFrame.REQUEST, message.number(), lastId.incrementAndGet(), content);
        if (frame.totalLength() > config.frameMaxBytes()) {
            throw new RemotingException("a request of " + content.length + " bytes, over the limit of "
                    + config.frameMaxBytes() + " for a frame");
        }
        pending.put(
                frame.id(), new Pending(callback, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis)));
        asked = true;
        greeted.getNow(null).writeAndFlush(frame).addListener(written -> {
            if (!written.isSuccess()) {
                fail(frame.id(), new RemotingException("sending to " + peer.name() + " failed", written.cause()));
            }
        });
        if (ended) {
            fail(frame.id(), new RemotingException("the connection to " + peer.name() + " is gone"));
        }
    }

    /**
     * Tells what nobody answers.
     *
     * @return whether it was sent, which does not say that it arrives
     */
    boolean tell(byte number, byte[] content) {
        PeerFrame frame = new PeerFrame(PeerFrame.TOLD, number, 0, content);
        if (!isReady() || frame.totalLength() > config.frameMaxBytes()) {
            return false;
        }
        Channel channel = greeted.getNow(null);
        channel.writeAndFlush(frame, channel.voidPromise());
        return true;
    }

    private void fail(long id, Throwable cause) {
        Pending failed = pending.remove(id);
        if (failed != null) {
            complete(failed.callback, null, cause);
        }
    }

    private void complete(InvokeCallback callback, Object answer, Throwable cause) {
        Executor on = callback.executor() == null ? executor : callback.executor();
        try {
            on.execute(() -> callback.complete(answer, cause));
        } catch (RejectedExecutionException e) {
            LOG.debug("An answer of {} came when the replica ended", peer.name(), e);
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(GREETING_MILLIS_MAX);
        sweeping = context.channel()
                .eventLoop()
                .scheduleWithFixedDelay(
                        () -> sweep(context, deadlineNanos), SWEEP_MILLIS, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
        if (config.tls().isEmpty()) {
            greet(context);
        }
        context.fireChannelActive();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake) {
            if (!handshake.isSuccess()) {
                exceptionCaught(context, handshake.cause());
            } else if (PeerTls.isNamed(context.pipeline().get(SslHandler.class), peer.name())) {
                greet(context);
            } else {
                exceptionCaught(
                        context,
                        new IllegalArgumentException("a certificate that does not bear the name " + peer.name()));
            }
        }
        context.fireUserEventTriggered(event);
    }

    private void greet(ChannelHandlerContext context) {
        context.writeAndFlush(Greeting.from(config, peer).toFrame());
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, PeerFrame frame) {
        if (!greeted.isDone()) {
            requireExpected(Greeting.of(frame));
            decoder.limit(config.frameMaxBytes());
            greeted.complete(context.channel());
            return;
        }
        if (frame.kind() != PeerFrame.ANSWER) {
            throw new IllegalArgumentException("a frame of kind " + frame.kind() + " where an answer was due");
        }
        Message answer = PeerMessage.of(frame.number()).parse(frame.content());
        heard.from(peer);
        asked = false;
        sweepsUnanswered = 0;
        Pending answered = pending.remove(frame.id());
        if (answered != null) {
            complete(answered.callback, answer, null);
        }
    }

    private void requireExpected(Greeting greeting) {
        if (!config.isOfThisCluster(greeting)
                || !greeting.from().equals(peer.name())
                || !greeting.to().equals(config.self().name())) {
            throw new IllegalArgumentException("an answer of another node: " + greeting);
        }
        Introduction.Register register = config.introduction().register();
        if (config.introduction().joining().getAsBoolean() && !greeting.joining()) {
            register.found(PeerNetworkConfig.forGood(greeting.cluster()));
        }
        if (greeting.joining()) {
            register.joins(peer.name(), greeting.said());
        } else {
            register.met(peer.name(), greeting.said());
        }
    }

    private void sweep(ChannelHandlerContext context, long greetedUntilNanos) {
        long now = System.nanoTime();
        if (!greeted.isDone() && greetedUntilNanos - now <= 0) {
            exceptionCaught(context, new InvokeTimeoutException("no greeting in time"));
        }
        if (asked && ++sweepsUnanswered == SILENT_MILLIS_MAX / SWEEP_MILLIS) {
            exceptionCaught(context, new InvokeTimeoutException("nothing answered for " + SILENT_MILLIS_MAX + " ms"));
        }
        for (Map.Entry<Long, Pending> each : pending.entrySet()) {
            if (each.getValue().deadlineNanos - now <= 0) {
                fail(each.getKey(), new InvokeTimeoutException("no answer of " + peer.name() + " in time"));
            }
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (sweeping != null) {
            sweeping.cancel(false);
        }
        end(new RemotingException("the connection to " + peer.name() + " is gone"));
        context.fireChannelInactive();
    }

    /** As soon as that can be; from any thread. */
    void close() {
        greeted.thenAccept(Channel::close);
    }

    /** Nothing more comes; whoever waits is told. */
    void end(Throwable cause) {
        ended = true;
        greeted.completeExceptionally(cause);
        pending.keySet().forEach(id -> fail(id, cause));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        refusals.ofNode(peer, peer.host() + ":" + peer.port(), cause);
        context.close();
    }
}
