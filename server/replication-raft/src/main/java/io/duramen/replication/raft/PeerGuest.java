package io.duramen.replication.raft;

import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.error.RaftError;
import com.alipay.sofa.jraft.rpc.Connection;
import com.alipay.sofa.jraft.rpc.RpcContext;
import com.alipay.sofa.jraft.rpc.RpcRequests.ErrorResponse;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * A connection that another node made to this one: greeted first, then answered. Before it is known to be a node of the cluster
 * nothing of it is read but a greeting. Frames come on the connection's thread; answers are sent from any.
 */
final class PeerGuest extends SimpleChannelInboundHandler<PeerFrame> implements Connection {
    private static final long GREETING_MILLIS_MAX = 5_000;

    private final PeerNetworkConfig config;
    private final PeerFrame.Decoder decoder;
    private final RequestDesk desk;
    private final Tidings tidings;
    private final Refusals refusals;
    private final Heard heard;
    private final Map<String, Object> attributes = new ConcurrentHashMap<>();
    private Channel channel;

    /** Null before it was greeted. */
    private RaftPeer peer;

    private Greeting greeting;

    /** @param tidings who hears what it tells */
    PeerGuest(
            PeerNetworkConfig config,
            PeerFrame.Decoder decoder,
            RequestDesk desk,
            Tidings tidings,
            Refusals refusals,
            Heard heard) {
        this.tidings = tidings;
        this.heard = heard;
        this.config = config;
        this.decoder = decoder;
        this.desk = desk;
        this.refusals = refusals;
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
        if (frame.kind() != PeerFrame.REQUEST && frame.kind() != PeerFrame.TOLD) {
            throw new IllegalArgumentException("a frame of kind " + frame.kind() + " where a request was due");
        }
        if (!config.roster().has(peer)) {
            throw new IllegalArgumentException("node '" + peer.name() + "' is not of this cluster any more");
        }
        if (frame.kind() == PeerFrame.TOLD) {
            if (isBelieved()) {
                heard.from(peer);
                tidings.told(peer, frame);
            }
            return;
        }
        Message request = PeerMessage.of(frame.number()).parse(frame.content());
        requireOwnName(request);
        Answer answer = new Answer(frame.id());
        if (isBelieved()) {
            heard.from(peer);
            desk.handle(request, answer);
        } else {
            answer.sendResponse(ErrorResponse.newBuilder()
                    .setErrorCode(RaftError.EAGAIN.getNumber())
                    .setErrorMsg(config.self().name() + " has not reached " + peer.name() + " yet")
                    .build());
        }
    }

    /**
     * Without a certificate anybody can claim a name: then only a node that this one has reached at its address is answered. Asked at
     * each request: another may have taken its place meanwhile.
     */
    private boolean isBelieved() {
        return config.introduction().register().claims(greeting.from(), greeting.said());
    }

    private RaftPeer greet(ChannelHandlerContext context, Greeting said) {
        greeting = said;
        if (!config.isOfThisCluster(greeting)) {
            throw new IllegalArgumentException("a node of cluster '" + greeting.cluster() + "', this is '"
                    + config.cluster().get() + "'");
        }
        if (!greeting.to().equals(config.self().name())) {
            throw new IllegalArgumentException("it looks for node '" + greeting.to() + "', this is '"
                    + config.self().name() + "'");
        }
        RaftPeer known = config.roster()
                .peer(greeting.from())
                .orElseThrow(
                        () -> new IllegalArgumentException("node '" + greeting.from() + "' is not of this cluster"));
        if (config.tls().isPresent() && !PeerTls.isNamed(context.pipeline().get(SslHandler.class), known.name())) {
            throw new IllegalArgumentException("a certificate that does not bear the name " + known.name());
        }
        try {
            introduce(known);
        } catch (Introduction.RefusedException e) {
            context.writeAndFlush(Greeting.from(config, known).toFrame()); // Which tells it why.
            throw e;
        }
        decoder.limit(config.frameMaxBytes());
        context.writeAndFlush(Greeting.from(config, known).toFrame());
        return known;
    }

    private void introduce(RaftPeer known) {
        Introduction.Register register = config.introduction().register();
        if (config.tls().isEmpty()) {
            isBelieved();
        } else if (greeting.joining()) {
            register.joins(known.name(), greeting.said());
        } else {
            register.met(known.name(), greeting.said());
        }
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
            // One that is closed is not writable either.
            if (channel.isActive() && !channel.isWritable()) {
                // It asks and does not read: it asks again over a new connection, what it has of this one is of no use
                // to it.
                refusals.ofNode(
                        peer,
                        channel.remoteAddress(),
                        new IOException(
                                "it leaves more than " + PeerNetwork.UNREAD_BYTES.high() + " bytes of answers unread"));
                channel.close();
                return;
            }
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
        if (peer == null) {
            refusals.ofStranger(context.channel().remoteAddress(), cause);
        } else {
            refusals.ofNode(peer, context.channel().remoteAddress(), cause);
        }
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
