package io.duramen.replication.raft;

import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.rpc.Connection;
import com.alipay.sofa.jraft.rpc.RpcContext;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.ssl.SslHandler;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that another node made to this one: greeted first, then answered. Before it is known to be a node of the cluster
 * nothing of it is read but a greeting. Frames come on the connection's thread; answers are sent from any.
 */
final class PeerGuest extends SimpleChannelInboundHandler<PeerFrame> implements Connection {
    private static final Logger LOG = LoggerFactory.getLogger(PeerGuest.class);

    private static final long GREETING_MILLIS_MAX = 5_000;

    private final PeerNetworkConfig config;
    private final PeerFrame.Decoder decoder;
    private final RequestDesk desk;
    private final Map<String, Object> attributes = new ConcurrentHashMap<>();
    private Channel channel;

    /** Null before it was greeted. */
    private RaftPeer peer;

    PeerGuest(PeerNetworkConfig config, PeerFrame.Decoder decoder, RequestDesk desk) {
        this.config = config;
        this.decoder = decoder;
        this.desk = desk;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        channel = context.channel();
        channel.eventLoop()
                .schedule(
                        () -> {
                            if (peer == null) {
                                context.close();
                            }
                        },
                        GREETING_MILLIS_MAX,
                        TimeUnit.MILLISECONDS);
        context.fireChannelActive();
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, PeerFrame frame) {
        if (peer == null) {
            peer = greet(context, Greeting.of(frame));
            return;
        }
        if (frame.kind() != PeerFrame.REQUEST) {
            throw new IllegalArgumentException("a frame of kind " + frame.kind() + " where a request was due");
        }
        Message request = PeerMessage.of(frame.number()).parse(frame.content());
        requireOwnName(request);
        desk.handle(request, new Answer(frame.id()));
    }

    private RaftPeer greet(ChannelHandlerContext context, Greeting greeting) {
        if (!greeting.cluster().equals(config.cluster())) {
            throw new IllegalArgumentException(
                    "a node of cluster '" + greeting.cluster() + "', this is '" + config.cluster() + "'");
        }
        if (!greeting.to().equals(config.self().name())) {
            throw new IllegalArgumentException("it looks for node '" + greeting.to() + "', this is '"
                    + config.self().name() + "'");
        }
        RaftPeer known = config.peer(greeting.from())
                .orElseThrow(
                        () -> new IllegalArgumentException("node '" + greeting.from() + "' is not of this cluster"));
        if (config.tls().isPresent() && !PeerTls.isNamed(context.pipeline().get(SslHandler.class), known.name())) {
            throw new IllegalArgumentException("a certificate that does not bear the name " + known.name());
        }
        decoder.limit(config.frameMaxBytes());
        context.writeAndFlush(new Greeting(config.cluster(), config.self().name(), known.name()).toFrame());
        return known;
    }

    /** Nobody speaks for another. */
    private void requireOwnName(Message request) {
        FieldDescriptor field = request.getDescriptorForType().findFieldByName("server_id");
        if (field == null) {
            return;
        }
        PeerId claimed = new PeerId();
        if (!claimed.parse((String) request.getField(field))
                || !claimed.getEndpoint().equals(peer.toEngine().getEndpoint())) {
            throw new IllegalArgumentException("it speaks for '" + request.getField(field) + "'");
        }
    }

    private final class Answer implements RpcContext {
        private final long id;

        Answer(long id) {
            this.id = id;
        }

        @Override
        public void sendResponse(Object response) {
            PeerMessage message = PeerMessage.of(response)
                    .orElseThrow(() -> new IllegalArgumentException("an answer of a kind that is not sent"));
            channel.writeAndFlush(
                    new PeerFrame(PeerFrame.ANSWER, message.number(), id, ((Message) response).toByteArray()));
        }

        @Override
        public Connection getConnection() {
            return PeerGuest.this;
        }

        @Override
        public String getRemoteAddress() {
            return String.valueOf(channel.remoteAddress());
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        desk.closed(String.valueOf(channel.remoteAddress()), this);
        context.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LOG.warn(
                "A connection of {} at {} ends: {}",
                peer == null ? "somebody unknown" : peer.name(),
                context.channel().remoteAddress(),
                cause.toString());
        context.close();
    }

    @Override
    public Object getAttribute(String key) {
        return attributes.get(key);
    }

    @Override
    public void setAttribute(String key, Object value) {
        attributes.put(key, value);
    }

    @Override
    public Object setAttributeIfAbsent(String key, Object value) {
        return attributes.putIfAbsent(key, value);
    }

    @Override
    public void close() {
        channel.close();
    }
}
