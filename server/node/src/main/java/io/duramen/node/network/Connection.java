package io.duramen.node.network;

import io.duramen.broker.shard.ClientConnection;
import io.duramen.broker.shard.ShardRequest;
import io.duramen.node.network.ReadGate.Reason;
import io.duramen.node.security.Users;
import io.duramen.protocol.Api;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.Frame;
import io.duramen.protocol.Protocol;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.Authenticate;
import io.duramen.protocol.frame.Close;
import io.duramen.protocol.frame.ForShard;
import io.duramen.protocol.frame.Hello;
import io.duramen.protocol.frame.Identify;
import io.duramen.protocol.frame.Ping;
import io.duramen.protocol.frame.Publish;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.agrona.collections.LongHashSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's connection: its place in the conversation, and the way of its frames to the shards. Confined to the
 * channel's event loop, except for the methods of {@link ClientConnection} and {@link ClientIds.Owner}.
 *
 * <p>Before login only Hello and Authenticate are accepted, in this order. Whatever cannot be understood, or is out of
 * turn, ends this connection and no other. The shards hear of its end exactly once, after all its frames.
 */
final class Connection extends ChannelInboundHandlerAdapter
        implements ClientConnection, ClientIds.Owner, FrameAssembler.Sink, Outbound.Watcher {
    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

    /** How long a connection that was refused something stays to let the client read why. */
    private static final long LINGER_MILLIS = 1_000;

    private enum State {
        /** Hello is due. */
        NEW,
        /** Authenticate is due. */
        GREETED,
        /** The password is being checked; nothing is due. */
        LOGGING_IN,
        /** Everything but Hello and Authenticate. */
        OPEN,
        /** The client has said Close and waits for the answers that are still due. */
        CLOSING,
        /** Nothing more is taken in. */
        ENDED
    }

    private final NetworkContext context;
    private final ClaimedNames names;
    private final long id;
    private final long openedMillis = System.currentTimeMillis();
    private final FrameAssembler assembler = new FrameAssembler(this);
    private final LongHashSet unanswered = new LongHashSet();
    final LongBatches longBatches = new LongBatches();
    private final ArrayDeque<Frame> held = new ArrayDeque<>();
    private final CompletableFuture<Void> gone = new CompletableFuture<>();
    private Channel channel;
    private Outbound outbound;
    private Stragglers stragglers;
    private ReadGate gate;
    private Heartbeat heartbeat;
    private State state = State.NEW;
    private int version = Protocol.VERSION_MIN;
    private int frameLengthMax = Protocol.HANDSHAKE_FRAME_LENGTH_MAX;
    private boolean identifying;
    /** Shards that were handed something and not woken since, a bit for each. */
    private long handedOver;

    private boolean stopping;
    private long closeCorrelation;
    private volatile String user;
    /** Set when the end is near and waits for every answer. */
    private volatile boolean hurried;

    Connection(NetworkContext context) {
        this.context = context;
        this.names = new ClaimedNames(context.clientIds(), this);
        this.id = context.connectionIds().getAsLong();
    }

    // ---- what the shards see

    @Override
    public long id() {
        return id;
    }

    @Override
    public String user() {
        return user;
    }

    @Override
    public boolean isAdmin() {
        return Users.ADMIN.equals(user);
    }

    @Override
    public Optional<String> clientId() {
        return names.clientId();
    }

    @Override
    public void send(Frame frame) {
        outbound.send(frame, unanswered);
    }

    @Override
    public void sendLater(Frame frame) {
        if (hurried) {
            outbound.send(frame);
        } else {
            outbound.sendLater(frame);
        }
    }

    @Override
    public void handled(Frame frame) {
        longBatches.handled(frame);
        gate.handled();
    }

    @Override
    public void stored(ByteBuffer batch) {
        LongBatches.stored(batch);
    }

    @Override
    public Optional<ByteBuffer> memoryOf(ByteBuffer batch) {
        return longBatches.take(batch);
    }

    /** How what this connection receives is to be read. */
    FrameReading reading() {
        return new FrameReading(assembler);
    }

    // ---- the channel

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        channel = ctx.channel();
        outbound = new Outbound(channel, this, context.config(), context.outboundTotal());
        stragglers = new Stragglers(channel, outbound);
        gate = new ReadGate(
                channel,
                context.inbound(),
                context.config().inboundMax().count(),
                context.shards().size(),
                this::finishClose);
        heartbeat = new Heartbeat(channel, outbound, gate, context.config());
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        context.connections().add(this);
        long timeoutMillis = context.config().handshakeTimeout().toMillis();
        channel.eventLoop().schedule(() -> cutUnlessLoggedIn(timeoutMillis), timeoutMillis, TimeUnit.MILLISECONDS);
        ctx.fireChannelActive();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        try {
            assembler.feed((ByteBuf) message);
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        heartbeat.onRead();
        wakeShards();
    }

    /**
     * Once for all frames of a read, so that they are decided, and brought to the disk, together; a shard that sleeps works here,
     * once all connections of this event loop have been read from.
     */
    private void wakeShards() {
        while (handedOver != 0) {
            int shard = Long.numberOfTrailingZeros(handedOver);
            handedOver &= handedOver - 1;
            context.shards().get(shard).wakeHere(channel.eventLoop());
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (channel.isWritable()) {
            outbound.drain();
        }
        if (channel.isWritable()) {
            gate.open(Reason.UNREAD);
        } else {
            gate.shut(Reason.UNREAD);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        end(false);
        outbound.close();
        context.connections().remove(this);
        heartbeat.stop();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof java.io.IOException) {
            LOG.debug("Connection {} from {} lost: {}", id, channel.remoteAddress(), cause.toString());
        } else {
            LOG.error("Connection {} from {} failed", id, channel.remoteAddress(), cause);
        }
        end(false);
        channel.close();
    }

    // ---- frames in

    @Override
    public int frameLengthMax() {
        return frameLengthMax;
    }

    @Override
    public void onFrame(ByteBuffer bytes) {
        int length = bytes.remaining();
        ByteBuffer header = bytes.duplicate();
        Frame frame;
        try {
            frame = Frame.read(version, bytes);
        } catch (RuntimeException e) {
            // Record constructors refuse what contradicts itself, by various exceptions: all mean the same here.
            refuseUndecoded(header, ErrorCode.MALFORMED_FRAME, String.valueOf(e.getMessage()));
            return;
        }
        longBatches.arrives(frame, bytes);
        try {
            dispatch(frame, length);
        } catch (ProtocolException e) {
            refuse(frame.api(), frame.correlation(), e.code(), e.getMessage());
        } finally {
            longBatches.dispatched();
        }
    }

    @Override
    public void onTooLong(int length, ByteBuf start) {
        ByteBuffer header = ByteBuffer.allocate(Math.min(start.readableBytes(), Frame.HEADER_LENGTH));
        start.readBytes(header);
        refuseUndecoded(
                header.flip(),
                ErrorCode.FRAME_TOO_LARGE,
                "a frame of " + Integer.toUnsignedString(length) + " bytes where " + frameLengthMax + " are the limit");
    }

    private void dispatch(Frame frame, int length) {
        switch (state) {
            case NEW -> onHello(frame);
            case GREETED -> onAuthenticate(frame);
            case LOGGING_IN -> throw OutOfTurn.notLoggedIn(frame);
            case OPEN -> onOpen(frame, length);
            case CLOSING, ENDED -> LOG.debug("Connection {}: {} after its end ignored", id, frame.api());
        }
    }

    private void onHello(Frame frame) {
        if (!(frame.payload() instanceof Hello.Request request)) {
            throw OutOfTurn.notLoggedIn(frame);
        }
        Hello.Response response = new Login(context, channel).hello(request);
        state = State.GREETED;
        version = response.version();
        heartbeat.start(response.heartbeatMillis());
        LOG.debug(
                "Connection {} from {}: client '{}'", id, channel.remoteAddress(), Printable.of(request.clientName()));
        outbound.send(Frame.response(Api.HELLO, frame.correlation(), response));
        outbound.drain();
        outbound.speak(version);
    }

    private void onAuthenticate(Frame frame) {
        if (!(frame.payload() instanceof Authenticate.Request request)) {
            throw OutOfTurn.notLoggedIn(frame);
        }
        state = State.LOGGING_IN;
        gate.shut(Reason.PENDING);
        new Login(context, channel).authenticate(request, found -> onAuthenticated(frame.correlation(), found));
    }

    private void onAuthenticated(long correlation, Optional<String> found) {
        if (state != State.LOGGING_IN) {
            return;
        }
        if (found.isEmpty()) {
            refuse(
                    Api.AUTHENTICATE,
                    correlation,
                    ErrorCode.AUTHENTICATION_FAILED,
                    ErrorCode.AUTHENTICATION_FAILED.meaning());
            return;
        }
        user = found.get();
        state = State.OPEN;
        frameLengthMax = context.config().frameLengthMax().toIntExact();
        outbound.send(Frame.response(Api.AUTHENTICATE, correlation, new Authenticate.Response(user)));
        gate.open(Reason.PENDING);
    }

    private void onOpen(Frame frame, int length) {
        if (identifying) {
            held.add(frame);
            return;
        }
        switch (frame.api()) {
            case HELLO, AUTHENTICATE ->
                throw new ProtocolException(ErrorCode.INVALID_REQUEST, frame.api() + " comes once, before login");
            case IDENTIFY -> onIdentify(frame);
            case PING -> onPing(frame);
            case CLOSE -> onClose(frame);
            default -> route(frame, length);
        }
    }

    private void onPing(Frame frame) {
        if (frame.kind() == Frame.Kind.REQUEST) {
            outbound.send(Frame.response(Api.PING, frame.correlation(), new Ping.Response()));
        }
    }

    private void onIdentify(Frame frame) {
        if (!(frame.payload() instanceof Identify.Request request)) {
            throw OutOfTurn.of(frame);
        }
        CompletableFuture<Void> claimed;
        try {
            claimed = names.claim(request);
        } catch (ProtocolException e) {
            answerFailure(frame, e.code(), e.getMessage());
            return;
        }
        if (claimed.isDone() && !context.overNodes()) {
            outbound.send(Frame.response(Api.IDENTIFY, frame.correlation(), new Identify.Response()));
            return;
        }
        identifying = true;
        gate.shut(Reason.PENDING);
        claimed.thenRunAsync(() -> onClaimed(frame), channel.eventLoop());
    }

    /** No other connection of this node has it. */
    private void onClaimed(Frame frame) {
        if (state != State.OPEN) {
            return;
        }
        if (context.overNodes()) {
            names.ask(((Identify.Request) frame.payload()).clientId());
            route(frame, frame.size(version));
            wakeShards();
        } else {
            outbound.send(Frame.response(Api.IDENTIFY, frame.correlation(), new Identify.Response()));
            goOn();
        }
    }

    /** Takes what came in while it claimed something. */
    private void goOn() {
        if (state != State.OPEN) {
            return;
        }
        identifying = false;
        while (!held.isEmpty() && state == State.OPEN && !identifying) {
            Frame frame = held.poll();
            try {
                onOpen(frame, frame.size(version));
            } catch (ProtocolException e) {
                refuse(frame.api(), frame.correlation(), e.code(), e.getMessage());
            }
        }
        wakeShards();
        gate.open(Reason.PENDING);
    }

    private void route(Frame frame, int length) {
        int shard = frame.payload() instanceof ForShard addressed ? addressed.shard() : ForShard.CATALOGUE;
        if (shard >= 0 && shard < context.shards().size()) {
            toShard(shard, frame, length);
        } else if (frame.kind() == Frame.Kind.REQUEST) {
            answerFailure(frame, ErrorCode.SHARD_NOT_THERE, "shard " + shard);
        }
    }

    private void toShard(int shard, Frame frame, int length) {
        if (frame.kind() == Frame.Kind.REQUEST) {
            boolean answerAwaited = frame.api() != Api.AWAIT_CHECKS // which nothing has to wait for
                    && !(frame.payload() instanceof Publish.Request publish && publish.acks() == Publish.Acks.NONE);
            stragglers.onRequest(frame);
            if (answerAwaited
                    && unanswered.add(frame.correlation())
                    && unanswered.size() >= context.config().inFlightMax()) {
                gate.shut(Reason.IN_FLIGHT);
            }
        } else if (frame.api() != Api.CREDIT) {
            throw OutOfTurn.of(frame);
        }
        gate.handing(length);
        longBatches.handing(frame);
        handedOver |= 1L << shard;
        context.shards().get(shard).put(new ShardRequest.FromClient(this, frame));
    }

    // ---- frames out

    @Override
    public void onEncoded(Frame frame) {
        if (frame.kind() == Frame.Kind.RESPONSE || frame.kind() == Frame.Kind.FAILURE) {
            stragglers.onAnswered(frame);
            if (unanswered.remove(frame.correlation())) {
                if (identifying && frame.api() == Api.IDENTIFY && names.isAsking()) {
                    names.decided(frame.kind() == Frame.Kind.RESPONSE);
                    onLoop(this::goOn);
                }
                if (unanswered.size() <= context.config().inFlightMax() / 2) {
                    gate.open(Reason.IN_FLIGHT);
                }
                finishClose();
            }
        }
    }

    @Override
    public void onTooMuch(String reason) {
        onLoop(() -> {
            if (channel.isOpen() && state != State.ENDED) {
                LOG.warn("Connection {} of '{}' from {} cut: {}", id, user, channel.remoteAddress(), reason);
                cut();
            }
        });
    }

    private void answerFailure(Frame request, ErrorCode code, String detail) {
        outbound.send(Frame.failure(request.api(), request.correlation(), code, detail));
    }

    // ---- the end

    private void onClose(Frame frame) {
        if (frame.kind() != Frame.Kind.REQUEST) {
            throw OutOfTurn.of(frame);
        }
        state = State.CLOSING;
        closeCorrelation = frame.correlation();
        hurry();
        gate.notifyWhenEmpty();
    }

    private void hurry() {
        hurried = true;
        outbound.drain();
    }

    /** Answers Close once nothing of this client waits any more. */
    private void finishClose() {
        if (state == State.CLOSING && unanswered.isEmpty() && gate.waitingBytes() == 0) {
            // The shards hear of it before the client does: what it does next meets no trace of this connection.
            end(!stopping);
            outbound.send(
                    stopping
                            ? Frame.failure(Api.CLOSE, 0, ErrorCode.SHUTTING_DOWN, ErrorCode.SHUTTING_DOWN.meaning())
                            : Frame.response(Api.CLOSE, closeCorrelation, new Close.Response()));
            onLoop(this::finish);
        }
    }

    @Override
    public void supersede() {
        onLoop(() -> {
            if (state != State.ENDED) {
                LOG.info("Connection {} ends: the client is back on another one", id);
                refuse(Api.CLOSE, 0, ErrorCode.CLIENT_ID_IN_USE, "the same client is back on another connection");
            }
        });
    }

    @Override
    public CompletableFuture<Void> gone() {
        return gone;
    }

    /** Has the connection take in no more and close once all it was asked is answered. From any thread. */
    CompletableFuture<Void> stop() {
        onLoop(() -> {
            gate.shut(Reason.STOPPING);
            if (state == State.OPEN) {
                state = State.CLOSING;
                stopping = true;
                hurry();
                gate.notifyWhenEmpty();
            } else if (state != State.CLOSING) {
                cut();
            }
        });
        return gone;
    }

    /** From any thread. */
    OpenConnection view() {
        return new OpenConnection(
                id, Optional.ofNullable(user), clientId(), String.valueOf(channel.remoteAddress()), openedMillis);
    }

    /** Closes at once what waits for nothing but time. From any thread. */
    void abandon() {
        onLoop(this::cut);
    }

    private void refuseUndecoded(ByteBuffer header, ErrorCode code, String detail) {
        RequestStart start = RequestStart.of(header);
        refuse(start.api(), start.correlation(), code, detail);
    }

    /** Says why and closes the connection; a Close failure with correlation 0 is about the connection as such. */
    private void refuse(Api api, long correlation, ErrorCode code, String detail) {
        if (state == State.ENDED) {
            return;
        }
        LOG.debug("Connection {} from {} refused: {} {}", id, channel.remoteAddress(), code, Printable.of(detail));
        end(false);
        outbound.send(Frame.failure(api, correlation, code, detail));
        finish();
    }

    /** Writes what waits, and closes in a way that lets the peer read it though we have not read all that it sent. */
    private void finish() {
        outbound.finish();
        Farewell.close(channel, LINGER_MILLIS);
    }

    private void cut() {
        end(false);
        outbound.close();
        channel.close();
    }

    private void cutUnlessLoggedIn(long timeoutMillis) {
        // One whose password is still being checked waits for us, not we for it.
        if (channel.isOpen() && (state == State.NEW || state == State.GREETED)) {
            LOG.debug("Connection {} from {} did not log in within {} ms", id, channel.remoteAddress(), timeoutMillis);
            cut();
        }
    }

    private void onLoop(Runnable task) {
        try {
            channel.eventLoop().execute(task);
        } catch (RejectedExecutionException e) {
            LOG.trace("The event loops have ended, and with them this connection", e);
        }
    }

    private void end(boolean clean) {
        if (state == State.ENDED) {
            return;
        }
        state = State.ENDED;
        assembler.stop();
        held.clear();
        gate.close();
        if (user != null) {
            // The one with the catalogue last: who is let in by that meets no trace of this connection in any other.
            ShardRequest disconnected = new ShardRequest.Disconnected(this, clean);
            for (int shard = context.shards().size() - 1; shard >= 0; shard--) {
                context.shards().get(shard).offer(disconnected);
            }
        }
        names.release();
        gone.complete(null);
    }
}
