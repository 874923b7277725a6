package io.duramen.node.relay;

import io.duramen.broker.talk.Word;
import io.duramen.protocol.Codec;
import io.duramen.protocol.Frame;
import io.duramen.protocol.MalformedFrameException;
import io.duramen.protocol.Protocol;
import io.duramen.protocol.frame.Since;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The words between a node and a shard that another node leads, in the form of {@link Codec}. Stateless; bytes that are read stand in what was
 * read.
 *
 * <pre>
 *   node -&gt; OPENED, *[ FRAME | OPENED ], GONE       shard &lt;- *[ FRAME | HANDLED ]       each -&gt; ALIVE, about once a second
 *   node -&gt; ASKED                                   shard &lt;- ANSWERED | REFUSED | SUPERSEDED
 * </pre>
 */
final class RelayWords {
    // The numbers on the wire. Never reused.
    static final byte OPENED = 1;
    static final byte FRAME = 2;
    static final byte GONE = 3;
    static final byte HANDLED = 4;
    static final byte ALIVE = 5;
    static final byte ASKED = 6;
    static final byte ANSWERED = 7;
    static final byte REFUSED = 8;
    static final byte SUPERSEDED = 9;

    static final Word IS_ALIVE = new Word(ALIVE, ByteBuffer.allocate(0));

    /** Grows with {@code @Since} components: they stand behind all others, where a node of an earlier release does not look. */
    private static final int FORMAT = 2;

    /** In which a node of an earlier release writes, which no word tells. */
    private static final int FORMAT_MIN = 1;

    /**
     * A client of the node has something to say to the shard; or it has a client id by now.
     *
     * @param connection the same in all nodes
     * @param clientId null for none
     */
    record Opened(long connection, String user, boolean admin, String clientId) {}

    /**
     * A frame, without its length, as each version of the protocol has it, so that nodes of two releases understand each other with no word on what
     * they speak. A version that adds nothing to the frame is left out: of nearly all there is the first alone.
     *
     * @param bytes in version {@link Protocol#VERSION_MIN}
     * @param later in later versions, in their order
     */
    record FrameOf(
            long connection, ByteBuffer bytes, @Since(2) List<InVersion> later) {}

    /** @param bytes the frame without its length */
    record InVersion(int version, ByteBuffer bytes) {}

    /** @param clean whether the client said so before */
    record Gone(long connection, boolean clean) {}

    /** So many more frames of the connection wait no longer. */
    record Handled(long connection, int frames) {}

    /**
     * An operator of the node asks.
     *
     * @param number of the question, in the node
     * @param request see {@link OperatorWords}
     */
    record Asked(long number, ByteBuffer request) {}

    /** @param answer see {@link OperatorWords} */
    record Answered(long number, ByteBuffer answer) {}

    /** @param code see {@link io.duramen.protocol.ErrorCode#number} */
    record Refused(long number, int code, String detail) {}

    /** The client of a connection is back on another one: it is to end. */
    record Superseded(long connection) {}

    private RelayWords() {}

    /** A word with bytes of its own. */
    static Word word(byte type, Record value) {
        ByteBuffer body = ByteBuffer.allocate(Codec.sizeOf(value, FORMAT));
        Codec.write(value, FORMAT, body);
        return new Word(type, body.flip());
    }

    /** As {@link #word}, for a frame. */
    static Word frame(long connection, Frame frame) {
        return frame(connection, frame, Protocol.VERSION);
    }

    /** As {@link #frame(long, Frame)}, of a node whose newest version is that one. */
    static Word frame(long connection, Frame frame, int newest) {
        int size = frame.size(Protocol.VERSION_MIN);
        List<InVersion> later = later(frame, size, newest);
        if (!later.isEmpty()) {
            return word(FRAME, new FrameOf(connection, bytes(frame, Protocol.VERSION_MIN, size), later));
        }
        ByteBuffer body = ByteBuffer.allocate(Long.BYTES + size);
        // The frame begins with its length, just as bytes do; that no later version follows is told by the end.
        body.putLong(connection);
        frame.write(Protocol.VERSION_MIN, size, body);
        return new Word(FRAME, body.flip());
    }

    /** Components that a version adds take bytes: where the size is the same, so is the frame. */
    private static List<InVersion> later(Frame frame, int sizeBefore, int newest) {
        List<InVersion> later = List.of();
        int known = sizeBefore;
        for (int version = Protocol.VERSION_MIN + 1; version <= newest; version++) {
            int size = frame.size(version);
            if (size != known) {
                later = later.isEmpty() ? new ArrayList<>() : later;
                later.add(new InVersion(version, bytes(frame, version, size)));
                known = size;
            }
        }
        return later;
    }

    private static ByteBuffer bytes(Frame frame, int version, int size) {
        ByteBuffer bytes = ByteBuffer.allocate(size);
        frame.write(version, size, bytes);
        return bytes.flip().position(Frame.LENGTH_FIELD_LENGTH);
    }

    /** @throws MalformedFrameException where it is none */
    static <T extends Record> T read(Class<T> type, Word word) {
        return Codec.read(type, FORMAT_MIN, word.body().duplicate());
    }

    /**
     * The frame as the newest version has it that both nodes know.
     *
     * @throws MalformedFrameException where it is none
     */
    static FrameOf readFrame(Word word) {
        ByteBuffer body = word.body().duplicate();
        FrameOf first = Codec.read(FrameOf.class, FORMAT_MIN, body);
        return body.hasRemaining()
                ? Codec.read(FrameOf.class, FORMAT, word.body().duplicate())
                : first;
    }

    /** @throws MalformedFrameException where it is none */
    static Frame frame(FrameOf of) {
        return frame(of, Protocol.VERSION);
    }

    /** As {@link #frame(FrameOf)}, in a node whose newest version is that one. */
    static Frame frame(FrameOf of, int newest) {
        int version = Protocol.VERSION_MIN;
        ByteBuffer bytes = of.bytes;
        for (InVersion one : of.later) {
            if (one.version <= newest) {
                version = one.version;
                bytes = one.bytes;
            }
        }
        return Frame.read(version, bytes.duplicate());
    }
}
