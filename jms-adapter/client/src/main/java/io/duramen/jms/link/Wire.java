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
import io.netty.util.ReferenceCountUtil;
import java.nio.ByteBuffer;

/**
 * Confined to the link's thread. One connection to a node: bytes to frames and back. An incoming frame is copied once,
 * into a heap buffer of its own that its byte regions then share. Outgoing frames gather until {@link #flush}.
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
    private Listener listener;
    private LinkLimits limits = LinkLimits.HANDSHAKE;
    private ByteBuf gathered;
    /** Whether the channel has something that it was not told to flush. */
    private boolean passedOn;

    private Throwable closedBy;
    private long lastReadNanos = System.nanoTime();
    private long lastWriteNanos = lastReadNanos;

    private final byte[] lengthField = new byte[Frame.LENGTH_FIELD_LENGTH];
    private int lengthFieldRead;
    private byte[] body;
    private int bodyRead;

    Wire(Channel channel, Listener listener) {
        this.channel = channel;
        this.listener = listener;
    }

    void listener(Listener next) {
        listener = next;
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
        return closedBy == null && channel.isOpen();
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
        channel.write(new LentBytes(channel.alloc(), rest, reply), channel.voidPromise());
        passedOn = true;
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
            gathered = size <= GATHERED_LENGTH
                    ? channel.alloc().directBuffer(GATHERED_LENGTH)
                    : LongBuffers.take(channel.alloc(), size);
        }
    }

    private void passOn() {
        channel.write(gathered, channel.voidPromise());
        gathered = null;
        passedOn = true;
    }

    void flush() {
        if (gathered != null) {
            passOn();
        }
        if (passedOn) {
            passedOn = false;
            channel.flush();
            lastWriteNanos = System.nanoTime();
        }
    }

    /** Ends the connection; {@link Listener#onClosed} follows with that cause. */
    void close(Throwable cause) {
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
        lastReadNanos = System.nanoTime();
        try {
            ByteBuf in = (ByteBuf) message;
            while (in.isReadable() && closedBy == null) {
                if (body == null) {
                    readLength(in);
                } else {
                    readBody(in);
                }
            }
        } catch (MalformedFrameException e) {
            close(e);
        } finally {
            ReferenceCountUtil.release(message);
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
        listener.onReady();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (channel.isWritable()) {
            listener.onReady();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        close(cause);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (gathered != null) {
            gathered.release();
            gathered = null;
        }
        listener.onClosed(closedBy);
    }
}
