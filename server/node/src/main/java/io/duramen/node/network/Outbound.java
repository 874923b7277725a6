package io.duramen.node.network;

import io.duramen.protocol.Frame;
import io.duramen.protocol.SpareBuffers;
import io.duramen.protocol.frame.Deliver;
import io.duramen.protocol.frame.FetchPart;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.collections.LongHashSet;
import org.jctools.queues.MpscUnboundedArrayQueue;

/**
 * The way out of a connection. {@link #send} from any thread; the rest confined to the event loop.
 *
 * <p>The first frame that waits schedules one task; it encodes everything that has gathered until it runs, many frames
 * into one buffer of exactly their size, and flushes once: one wake-up and one system call for all. While the peer does
 * not read, frames wait unencoded, and what waits is counted and bounded.
 */
final class Outbound {
    /** Frames are put together into one buffer up to this many bytes; a longer one has a buffer of its own. */
    private static final int BUFFER_LENGTH = 128 * 1024;

    /** Of bytes that are sent from where they are so many go with what stands before them, lest that wakes the client alone. */
    private static final int WITH_HEAD = 32 * 1024;

    private static final int FRAMES_IN_BUFFER_MAX = 128;
    private static final int CHUNK = 128;
    private static final int COST_OF_PLAIN_FRAME = 128;
    private static final VarHandle SCHEDULED;

    static {
        try {
            SCHEDULED = MethodHandles.lookup().findVarHandle(Outbound.class, "scheduled", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** What is told of each frame as it goes out, and of a peer that has to be cut. */
    interface Watcher {
        /** On the event loop, in the order of the wire. */
        void onEncoded(Frame frame);

        /** From any thread. */
        void onTooMuch(String reason);
    }

    private final Channel channel;
    private final Watcher watcher;
    private final long limit;
    private final long totalLimit;
    private final AtomicLong total;
    private final MpscUnboundedArrayQueue<Frame> frames = new MpscUnboundedArrayQueue<>(CHUNK);
    private final AtomicLong waitingBytes = new AtomicLong();
    private final Runnable drain = this::drain;
    private final Frame[] gathered = new Frame[FRAMES_IN_BUFFER_MAX];
    private final int[] sizes = new int[FRAMES_IN_BUFFER_MAX];
    private volatile boolean scheduled;
    private volatile boolean closed;
    private int version = io.duramen.protocol.Protocol.VERSION_MIN;
    private long encodedBytes;
    private long lastSendNanos;

    /** @param total what waits on all connections together, in bytes */
    Outbound(Channel channel, Watcher watcher, NetworkConfig config, AtomicLong total) {
        this.channel = channel;
        this.watcher = watcher;
        this.limit = config.outboundMax().count();
        this.totalLimit = config.outboundTotal().count();
        this.total = total;
        this.lastSendNanos = System.nanoTime();
    }

    /** Frames are encoded as this protocol version has them from here on. */
    void speak(int protocolVersion) {
        version = protocolVersion;
    }

    void send(Frame frame) {
        put(frame, true);
    }

    /**
     * As {@link #send}, for a shard. Where that is lent to the event loop and the client waits for this answer alone, it leaves
     * before the shard goes on.
     *
     * @param unanswered what the client waits for; the event loop's
     */
    void send(Frame frame, LongHashSet unanswered) {
        boolean here =
                channel.eventLoop().inEventLoop() && frame.kind() == Frame.Kind.RESPONSE && unanswered.size() == 1;
        put(frame, !here);
        if (here) {
            drain();
        }
    }

    /** As {@link #send}, with the next frame that is sent, or the next {@link #drain}: the caller sees to one. */
    void sendLater(Frame frame) {
        put(frame, false);
    }

    private void put(Frame frame, boolean now) {
        if (closed) {
            return;
        }
        long cost = cost(frame);
        long waiting = waitingBytes.addAndGet(cost);
        long all = total.addAndGet(cost);
        frames.offer(frame);
        // Orders the offer before the look at the flag, as the drain clears the flag before it looks for frames.
        VarHandle.fullFence();
        if (now && !scheduled && SCHEDULED.compareAndSet(this, false, true)) {
            schedule();
        }
        if (waiting > limit) {
            watcher.onTooMuch("it left more than " + limit + " bytes unread (network.outbound-max)");
        } else if (all > totalLimit && waiting > BUFFER_LENGTH) {
            watcher.onTooMuch("all clients left more than " + totalLimit + " bytes unread (network.outbound-total)");
        }
    }

    /** Encodes and flushes what waits, as far as the peer reads. */
    void drain() {
        SCHEDULED.setVolatile(this, false);
        if (closed || !channel.isActive()) {
            close();
            return;
        }
        boolean wrote = false;
        try {
            while (channel.isWritable() && writeOne()) {
                wrote = true;
            }
        } catch (RuntimeException e) {
            // What was taken from the queue is lost, so the conversation cannot go on.
            close();
            channel.pipeline().fireExceptionCaught(e);
            return;
        }
        if (wrote) {
            lastSendNanos = System.nanoTime();
            channel.flush();
        }
    }

    /** Encodes and flushes all that waits whether the peer reads or not, and takes no more. */
    void finish() {
        if (closed) {
            return;
        }
        while (writeOne()) {
            // all of it
        }
        close();
        channel.flush();
    }

    /** Drops what waits and takes no more. */
    void close() {
        closed = true;
        for (Frame frame = frames.poll(); frame != null; frame = frames.poll()) {
            uncount(frame);
        }
    }

    /** When something was last sent, on {@link System#nanoTime}. */
    long lastSendNanos() {
        return lastSendNanos;
    }

    /** Bytes that the transport has accepted so far; stands still where the peer does not read. */
    long writtenBytes() {
        return encodedBytes - pendingBytes();
    }

    boolean isEmpty() {
        return frames.isEmpty() && pendingBytes() == 0;
    }

    private long pendingBytes() {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        return buffer == null ? 0 : buffer.totalPendingWriteBytes();
    }

    /**
     * Fills one buffer with the frames that are first in line and writes it; false where there are none. Long bytes outside the
     * heap that a frame ends with are written from where they are.
     */
    private boolean writeOne() {
        int count = 0;
        int length = 0;
        ByteBuffer apart = null;
        while (count < FRAMES_IN_BUFFER_MAX && length < BUFFER_LENGTH && apart == null) {
            Frame frame = frames.poll();
            if (frame == null) {
                break;
            }
            uncount(frame);
            int size = frame.size(version);
            apart = apart(frame, size);
            gathered[count] = frame;
            sizes[count++] = size;
            length = Math.addExact(length, apart == null ? size : size - apart.remaining() + WITH_HEAD);
        }
        if (count == 0) {
            return false;
        }
        ByteBuf buffer = length <= BUFFER_LENGTH
                ? channel.alloc().ioBuffer(length, length)
                : LongBuffers.take(channel.alloc(), length);
        try {
            encode(count, buffer.internalNioBuffer(0, length), apart != null);
            buffer.writerIndex(length);
        } catch (RuntimeException e) {
            buffer.release();
            throw e;
        }
        encodedBytes += length;
        channel.write(buffer, channel.voidPromise());
        if (apart != null) {
            apart.position(apart.position() + WITH_HEAD);
            encodedBytes += apart.remaining();
            channel.write(new SpareBytes(channel.alloc(), apart), channel.voidPromise());
        }
        for (int i = 0; i < count; i++) {
            watcher.onEncoded(gathered[i]);
            gathered[i] = null;
        }
        return true;
    }

    /** The bytes at the frame's end that are sent from where they are, but for the first few; null for none. */
    private ByteBuffer apart(Frame frame, int size) {
        return size < SpareBuffers.LENGTH_MIN
                ? null
                : frame.lastBytes(version)
                        .filter(bytes -> bytes.isDirect() && bytes.remaining() > WITH_HEAD)
                        .map(ByteBuffer::duplicate)
                        .orElse(null);
    }

    /** @param headOfLast whether of the last frame only what stands before its bytes is written, and the first of these */
    private void encode(int count, ByteBuffer to, boolean headOfLast) {
        for (int i = 0; i < count; i++) {
            if (headOfLast && i == count - 1) {
                gathered[i].writeHead(version, sizes[i], to);
                ByteBuffer last = gathered[i].lastBytes(version).orElseThrow();
                to.put(last.duplicate().limit(last.position() + WITH_HEAD));
            } else {
                gathered[i].write(version, sizes[i], to);
                if (gathered[i].payload() instanceof Deliver.Push push) {
                    SpareBuffers.SHARED.give(push.deliveries());
                }
            }
        }
    }

    private void schedule() {
        try {
            channel.eventLoop().execute(drain);
        } catch (RejectedExecutionException e) {
            closed = true; // the event loops have ended, and with them the connection
        }
    }

    private void uncount(Frame frame) {
        long cost = cost(frame);
        waitingBytes.addAndGet(-cost);
        total.addAndGet(-cost);
    }

    private static long cost(Frame frame) {
        Record payload = frame.payload();
        if (payload instanceof Deliver.Push push) {
            return COST_OF_PLAIN_FRAME + push.deliveries().capacity();
        }
        return payload instanceof FetchPart.Response answer
                ? COST_OF_PLAIN_FRAME + answer.part().capacity()
                : COST_OF_PLAIN_FRAME;
    }
}
