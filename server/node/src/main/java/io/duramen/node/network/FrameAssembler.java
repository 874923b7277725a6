package io.duramen.node.network;

import io.duramen.protocol.SpareBuffers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;

/**
 * Cuts a stream of bytes into frames. Confined to the connection's event loop. Each byte is copied once, into the memory
 * that the frame's regions then point into (those of a frame that is longer than {@link #AT_ONCE} and than the one
 * before twice at most); or never, where the frame is long and {@link #room} is read into.
 *
 * <p>A length is checked before anything is allocated for it, and no more is allocated than twice what has arrived of
 * the frame, or as much as the frame before had, or {@link #AT_ONCE}: a peer that announces much and sends little costs
 * little.
 */
final class FrameAssembler {
    static final int AT_ONCE = 64 * 1024;

    /** Bytes before a long frame that are free to be written to: for what stands before its messages in the log. */
    static final int HEADROOM = 1024;

    /** What is left of a frame from so many bytes on is worth reading straight to its place. */
    private static final int IN_PLACE_MIN = 32 * 1024;

    private static final int LENGTH_BYTES = 4;

    /** What becomes of the frames. May call {@link #stop}. */
    interface Sink {
        /** Longest frame accepted at the moment, in bytes from behind the length field. */
        int frameLengthMax();

        /**
         * @param frame from behind the length field to the frame's end; all of its memory belongs to the receiver, what stands
         *     before its position as well
         */
        void onFrame(ByteBuffer frame);

        /**
         * A frame beyond the limit is announced; nothing follows.
         *
         * @param start what has arrived of it behind the length field, to tell which request it is
         */
        void onTooLong(int length, ByteBuf start);
    }

    private final Sink sink;
    private final SpareBuffers spares;
    private int length;
    private int lengthBytesRead;
    private ByteBuffer body;
    private int start;
    private int filled;
    private FrameRoom room;
    private boolean stopped;

    /** Of the last frame that came whole. */
    private int lengthBefore;

    FrameAssembler(Sink sink) {
        this(sink, SpareBuffers.SHARED);
    }

    /** @param spares where its memory comes from */
    FrameAssembler(Sink sink, SpareBuffers spares) {
        this.sink = sink;
        this.spares = spares;
    }

    /** Takes all bytes of the buffer, which stays the caller's. */
    void feed(ByteBuf in) {
        if (in == room) {
            takeRoom();
        }
        while (!stopped && in.isReadable()) {
            if (body == null && !begin(in)) {
                return;
            }
            int count = Math.min(in.readableBytes(), length - filled);
            makeRoomFor(filled + count);
            if (body.hasArray()) {
                in.readBytes(body.array(), start + filled, count);
            } else {
                in.readBytes(view(filled, count));
            }
            filled += count;
            endIfFull();
        }
    }

    /**
     * Where the next bytes of the stream belong, to be read into and then to be {@link #feed fed}, or released.
     *
     * @return null where that is nowhere in particular
     */
    ByteBuf room(ByteBufAllocator allocator) {
        if (body == null || !body.isDirect() || room != null) {
            return null;
        }
        int count = Math.min(length, body.capacity() - start) - filled;
        if (count < IN_PLACE_MIN) {
            return null;
        }
        room = new FrameRoom(allocator, view(filled, count), this::leaveRoom);
        return room;
    }

    private void takeRoom() {
        int count = room.readableBytes();
        room.skipBytes(count);
        room = null;
        if (!stopped) {
            filled += count;
            endIfFull();
        }
    }

    private void leaveRoom(FrameRoom released) {
        if (room == released) {
            room = null;
        }
    }

    private ByteBuffer view(int at, int count) {
        return body.duplicate().limit(start + at + count).position(start + at);
    }

    private void endIfFull() {
        if (filled == length) {
            ByteBuffer frame = view(0, length);
            body = null;
            lengthBytesRead = 0;
            lengthBefore = length;
            sink.onFrame(frame);
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
        body = memory(Math.min(length, Math.max(lengthBefore, AT_ONCE)));
        filled = 0;
        return true;
    }

    private void makeRoomFor(int bytes) {
        if (start + bytes > body.capacity()) {
            int doubled = (int) Math.min(length, 2L * (body.capacity() - start));
            ByteBuffer outgrown = view(0, filled);
            body = memory(Math.max(bytes, doubled));
            body.put(start, outgrown, outgrown.position(), filled);
            spares.give(outgrown);
        }
    }

    /** Memory for so many bytes; sets where they start in it. */
    private ByteBuffer memory(int bytes) {
        start = bytes >= SpareBuffers.LENGTH_MIN ? HEADROOM : 0;
        return spares.takeDirect(start + bytes).clear();
    }
}
