package io.duramen.replication.raft;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.TooLongFrameException;
import java.util.List;

/**
 * A unit on the wire between replicas. Big-endian:
 *
 * <pre>
 *   0        4      5        6    14
 *   | length | kind | number | id | content …
 *   length counts from behind itself. kind is 1 for the greeting, 2 for a request, 3 for its answer, which bears the
 *   request's id. number says what the content is (see {@link PeerMessage}); 0 in a greeting. kind is 4 for what is told and not
 *   answered; what it is, and its number, is the matter of those who tell, its id is 0.
 * </pre>
 */
record PeerFrame(byte kind, byte number, long id, byte[] content) {
    static final byte GREETING = 1;
    static final byte REQUEST = 2;
    static final byte ANSWER = 3;
    static final byte TOLD = 4;

    /** Bytes of a greeting at most: all that is read of somebody unknown. */
    static final int GREETING_MAX = 4096;

    private static final int HEAD_LENGTH = 10;

    void write(ByteBuf to) {
        to.writeInt(HEAD_LENGTH + content.length)
                .writeByte(kind)
                .writeByte(number)
                .writeLong(id)
                .writeBytes(content);
    }

    int totalLength() {
        return 4 + HEAD_LENGTH + content.length;
    }

    /** Cuts frames out of what comes in. Used by one connection's thread. */
    static final class Decoder extends ByteToMessageDecoder {
        private int lengthMax = GREETING_MAX;

        /** Sets how long a frame may be from here on. */
        void limit(int bytes) {
            lengthMax = bytes;
        }

        @Override
        protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
            if (in.readableBytes() < 4) {
                return;
            }
            int length = in.getInt(in.readerIndex());
            if (length < HEAD_LENGTH || length > lengthMax) {
                throw new TooLongFrameException(
                        "a frame of " + length + " bytes, not " + HEAD_LENGTH + " to " + lengthMax);
            }
            if (in.readableBytes() - 4 < length) {
                return;
            }
            in.skipBytes(4);
            byte kind = in.readByte();
            byte number = in.readByte();
            long id = in.readLong();
            byte[] content = new byte[length - HEAD_LENGTH];
            in.readBytes(content);
            out.add(new PeerFrame(kind, number, id, content));
        }
    }
}
