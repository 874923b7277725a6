package io.duramen.jms.link;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.Frame;
import io.duramen.protocol.MalformedFrameException;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.SpareBuffers;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.unix.UnixChannel;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/**
 * Confined to the link's thread (see {@link Turn}). One connection to a node: bytes to frames and back. An incoming
 * frame is copied once, into a heap buffer of its own that its byte regions then share. Outgoing frames gather until
 * {@link #flush}, or {@link #flushHere}.
 */
final class Wire extends ChannelInboundHandlerAdapter {
    private static final int GATHERED_LENGTH = 64 * 1024;

    /** Of bytes that are not copied so many go with what stands before them, lest that wakes the node alone. */
    private static final int WITH_HEAD = 32 * 1024;

    /** Who is told what happens on the wire. */
    interface Listener {
        void onFrame(Frame frame);

        /** Room to write again, or nothing more to read for now. */
        void onReady();

        /** The connection ended, once, whoever ended it. */
        void onClosed(Throwable cause);
    }

    private final Channel channel;
    private final boolean tellsItsDescriptor;
    private final Turn turn;
    private Listener listener;
    private LinkLimits limits = LinkLimits.HANDSHAKE;
    private ByteBuf gathered;
    /** Whether the channel has something that it was not told to flush. */
    private boolean passedOn;
    /** By threads that are not the event loop, in the order of the wire; before what is gathered. */
    private final ArrayDeque<ByteBuf> handedOver = new ArrayDeque<>();

    private boolean closing;
    private Throwable closedBy;
    private long lastReadNanos = System.nanoTime();
    private long lastWriteNanos = lastReadNanos;

    private final byte[] lengthField = new byte[Frame.LENGTH_FIELD_LENGTH];
    private int lengthFieldRead;
    private byte[] body;
    private int bodyRead;

    /** @param turn in which the listener is called */
    Wire(Channel channel, Turn turn, Listener listener) {
        this.channel = channel;
        this.turn = turn;
        this.listener = listener;
        this.tellsItsDescriptor = channel instanceof UnixChannel && channel instanceof SocketChannel;
    }

    void listener(Listener next) {
        listener = next;
    }

    /** Runs what belongs to the link's thread. */
    void inTurn(Runnable work) {
        turn.run(work);
    }

    void limits(LinkLimits agreed) {
        limits = agreed;
    }

    LinkLimits limits() {
        return limits;
    }

    long lastReadNanos() {
        return lastReadNanos;
    }

    long lastWriteNanos() {
        return lastWriteNanos;
    }

    boolean isOpen() {
        return !closing && channel.isOpen();
    }

    boolean isWritable() {
        return channel.isWritable();
    }

    /**
     * Adds a frame behind those gathered.
     *
     * @throws ProtocolException MESSAGE_TOO_LARGE where it exceeds the node's limit; nothing is written
     */
    void write(Frame frame) {
        int size = sizeOf(frame);
        gather(size);
        int at = gathered.writerIndex();
        frame.write(limits.version(), size, gathered.nioBuffer(at, size));
        gathered.writerIndex(at + size);
    }

    /**
     * As {@link #write(Frame)}. Long bytes outside the heap that the frame ends with are not copied.
     *
     * @param reply told while they are read
     */
    void write(Frame frame, Reply reply) {
        int size = sizeOf(frame);
        ByteBuffer apart = size < SpareBuffers.LENGTH_MIN
                ? null
                : frame.lastBytes(limits.version())
                        .filter(bytes -> bytes.isDirect() && bytes.remaining() > WITH_HEAD)
                        .orElse(null);
        if (apart == null) {
            write(frame);
            return;
        }
        int length = size - apart.remaining() + WITH_HEAD;
        gather(length);
        int at = gathered.writerIndex();
        ByteBuffer head = gathered.nioBuffer(at, length);
        frame.writeHead(limits.version(), size, head);
        head.put(apart.duplicate().limit(apart.position() + WITH_HEAD));
        gathered.writerIndex(at + length);
        passOn();
        reply.sending();
        ByteBuffer rest = apart.duplicate().position(apart.position() + WITH_HEAD);
        pass(new LentBytes(channel.alloc(), rest, reply));
    }

    private int sizeOf(Frame frame) {
        int size = frame.size(limits.version());
        if (size - Frame.LENGTH_FIELD_LENGTH > limits.frameLengthMax()) {
            throw new ProtocolException(
                    ErrorCode.MESSAGE_TOO_LARGE,
                    frame.api() + " of " + size + " bytes, more than the node's frame limit of "
                            + limits.frameLengthMax());
        }
        return size;
    }

    /** Sees to room for so many bytes in what is gathered. */
    private void gather(int size) {
        if (gathered != null && gathered.writableBytes() < size) {
            passOn();
        }
        if (gathered == null) {
            // Long ones are kept by thread, for those that do not end.
            gathered = size > GATHERED_LENGTH && channel.eventLoop().inEventLoop()
                    ? LongBuffers.take(channel.alloc(), size)
                    : channel.alloc().directBuffer(Math.max(size, GATHERED_LENGTH));
        }
    }

    private void passOn() {
        ByteBuf full = gathered;
        gathered = null;
        pass(full);
    }

    /**
     * What another thread gives to the channel stands behind what the event loop has to do already, a flush that was to follow
     * it, too: so only the event loop gives it.
     */
    private void pass(ByteBuf bytes) {
        passedOn = true;
        if (channel.eventLoop().inEventLoop()) {
            passHandedOver();
            channel.write(bytes, channel.voidPromise());
        } else {
            handedOver.add(bytes);
        }
    }

    private void passHandedOver() {
        for (ByteBuf next = handedOver.poll(); next != null; next = handedOver.poll()) {
            channel.write(next, channel.voidPromise());
        }
    }

    /** The event loop only. */
    void flush() {
        if (gathered != null) {
            passOn();
        }
        if (passedOn) {
            passedOn = false;
            passHandedOver();
            channel.flush();
            lastWriteNanos = System.nanoTime();
        }
    }

    /** Whether something is left for the event loop to {@link #flush}. */
    boolean hasLeft() {
        return passedOn;
    }

    /** Whether nothing is on its way out, so that a thread other than the event loop may write to the socket. */
    boolean isQuiet() {
        if (!tellsItsDescriptor || passedOn || gathered != null || closing) {
            return false;
        }
        ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer(); // null once it is closed
        return waiting != null && waiting.totalPendingWriteBytes() == 0;
    }

    /**
     * Writes what was written to this since the wire {@link #isQuiet was quiet}, on the calling thread, which need not be the
     * event loop. The event loop does not close the socket meanwhile: it does that in its turn, or after it has noted in
     * its turn that it will.
     *
     * @return false where something is left for the event loop, which has to {@link #flush} then
     */
    boolean flushHere() {
        if (closing || passedOn && handedOver.isEmpty()) {
            return false; // what the event loop itself passed on, it flushes
        }
        for (ByteBuf next = handedOver.peek(); next != null; next = handedOver.peek()) {
            if (!writtenHere(next)) {
                return false;
            }
            handedOver.poll().release();
        }
        passedOn = false;
        if (gathered != null && writtenHere(gathered)) {
            gathered.release();
            gathered = null;
        }
        return gathered == null;
    }

    private boolean writtenHere(ByteBuf next) {
        int length = next.readableBytes();
        try {
            ByteBuffer bytes = next.internalNioBuffer(next.readerIndex(), length);
            int at = bytes.position();
            next.skipBytes(((UnixChannel) channel).fd().write(bytes, at, at + length));
            lastWriteNanos = System.nanoTime();
        } catch (IOException e) {
            return false; // the event loop meets it too, and ends the connection
        }
        return !next.isReadable();
    }

    /** Ends the connection; {@link Listener#onClosed} follows with that cause. */
    void close(Throwable cause) {
        closing = true;
        if (closedBy == null) {
            closedBy = cause;
        }
        channel.close();
    }

    /** As {@link #close(Throwable)}; the action follows once the connection is closed. */
    void close(Throwable cause, Runnable then) {
        channel.closeFuture().addListener(closed -> then.run());
        close(cause);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        boolean taken = turn.take();
        try {
            read((ByteBuf) message);
        } finally {
            if (taken) {
                turn.give();
            }
            ReferenceCountUtil.release(message);
        }
    }

    private void read(ByteBuf in) {
        lastReadNanos = System.nanoTime();
        try {
            while (in.isReadable() && !closing) {
                if (body == null) {
                    readLength(in);
                } else {
                    readBody(in);
                }
            }
        } catch (MalformedFrameException e) {
            close(e);
        }
    }

    private void readLength(ByteBuf in) {
        int part = Math.min(in.readableBytes(), lengthField.length - lengthFieldRead);
        in.readBytes(lengthField, lengthFieldRead, part);
        lengthFieldRead += part;
        if (lengthFieldRead == lengthField.length) {
            lengthFieldRead = 0;
            int length = ByteBuffer.wrap(lengthField).getInt();
            if (length < Frame.HEADER_LENGTH - Frame.LENGTH_FIELD_LENGTH || length > limits.receivedLengthMax()) {
                throw new MalformedFrameException(
                        "the node sent a frame of " + length + " bytes; the limit is " + limits.receivedLengthMax());
            }
            body = new byte[length];
            bodyRead = 0;
        }
    }

    private void readBody(ByteBuf in) {
        int part = Math.min(in.readableBytes(), body.length - bodyRead);
        in.readBytes(body, bodyRead, part);
        bodyRead += part;
        if (bodyRead == body.length) {
            ByteBuffer whole = ByteBuffer.wrap(body);
            body = null;
            listener.onFrame(Frame.read(limits.version(), whole));
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        inTurn(listener::onReady);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (channel.isWritable()) {
            inTurn(listener::onReady);
        }
    }

    /** The node has said its last: the channel does not close by itself but here, in turn. */
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            inTurn(() -> close(null));
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        inTurn(() -> close(cause));
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        inTurn(() -> {
            closing = true;
            handedOver.forEach(ByteBuf::release);
            handedOver.clear();
            if (gathered != null) {
                gathered.release();
                gathered = null;
            }
            listener.onClosed(closedBy);
        });
    }
}
