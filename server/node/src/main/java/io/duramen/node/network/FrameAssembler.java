package io.duramen.node.network;

import io.duramen.protocol.SpareBuffers;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/**
 * Cuts a stream of bytes into frames. Confined to the connection's event loop. Each byte is copied once, into the heap
 * array that the frame's regions then point into (those of a frame that is longer than {@link #AT_ONCE} and than the one
 * before twice at most).
 *
 * <p>A length is checked before anything is allocated for it, and no more is allocated than twice what has arrived of
 * the frame, or as much as the frame before had, or {@link #AT_ONCE}: a peer that announces much and sends little costs
 * little.
 */
final class FrameAssembler {
    static final int AT_ONCE = 64 * 1024;

    private static final int LENGTH_BYTES = 4;

    /** What becomes of the frames. May call {@link #stop}. */
    interface Sink {
        /** Longest frame accepted at the moment, in bytes from behind the length field. */
        int frameLengthMax();

        /** @param frame from behind the length field to the frame's end; belongs to the receiver */
        void onFrame(ByteBuffer frame);

        /**
         * A frame beyond the limit is announced; nothing follows.
         *
         * @param start what has arrived of it behind the length field, to tell which request it is
         */
        void onTooLong(int length, ByteBuf start);
    }

    private final Sink sink;
    private int length;
    private int lengthBytesRead;
    private byte[] body;
    private int filled;
    private boolean stopped;

    /** Of the last frame that came whole. */
    private int lengthBefore;

    FrameAssembler(Sink sink) {
        this.sink = sink;
    }

    /** Takes all bytes of the buffer, which stays the caller's. */
    void feed(ByteBuf in) {
        while (!stopped && in.isReadable()) {
            if (body == null && !begin(in)) {
                return;
            }
            int count = Math.min(in.readableBytes(), length - filled);
            makeRoomFor(filled + count);
            in.readBytes(body, filled, count);
            filled += count;
            if (filled == length) {
                ByteBuffer frame = ByteBuffer.wrap(body, 0, length);
                body = null;
                lengthBytesRead = 0;
                lengthBefore = length;
                sink.onFrame(frame);
            }
        }
    }

    /** From here on all bytes are ignored. */
    void stop() {
        stopped = true;
        body = null;
    }

    /** Reads what is there of the length field; true once a frame has begun. */
    private boolean begin(ByteBuf in) {
        if (lengthBytesRead == 0 && in.readableBytes() >= LENGTH_BYTES) {
            length = in.readInt();
        } else {
            while (lengthBytesRead < LENGTH_BYTES) {
                if (!in.isReadable()) {
                    return false;
                }
                length = length << Byte.SIZE | in.readUnsignedByte();
                lengthBytesRead++;
            }
        }
        if (length < 0 || length > sink.frameLengthMax()) {
            stop();
            sink.onTooLong(length, in);
            return false;
        }
        body = SpareBuffers.SHARED
                .take(Math.min(length, Math.max(lengthBefore, AT_ONCE)))
                .array();
        filled = 0;
        return true;
    }

    private void makeRoomFor(int bytes) {
        if (bytes > body.length) {
            int doubled = (int) Math.min(length, 2L * body.length);
            byte[] larger = SpareBuffers.SHARED.take(Math.max(bytes, doubled)).array();
            System.arraycopy(body, 0, larger, 0, filled);
            SpareBuffers.SHARED.give(ByteBuffer.wrap(body));
            body = larger;
        }
    }
}
