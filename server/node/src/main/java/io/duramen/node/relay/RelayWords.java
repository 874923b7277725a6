package io.duramen.node.relay;

import io.duramen.broker.talk.Word;
import io.duramen.protocol.Codec;
import io.duramen.protocol.Frame;
import io.duramen.protocol.MalformedFrameException;
import io.duramen.protocol.Protocol;
import java.nio.ByteBuffer;

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

    private static final int FORMAT = 1;

    /**
     * A client of the node has something to say to the shard; or it has a client id by now.
     *
     * @param connection the same in all nodes
     * @param clientId null for none
     */
    record Opened(long connection, String user, boolean admin, String clientId) {}

    /** @param bytes the frame without its length */
    record FrameOf(long connection, ByteBuffer bytes) {}

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
        int size = frame.size(Protocol.VERSION);
        int length = size - Frame.LENGTH_FIELD_LENGTH;
        ByteBuffer body = ByteBuffer.allocate(Long.BYTES + Integer.BYTES + length);
        // The frame begins with its length, just as bytes do.
        body.putLong(connection);
        frame.write(Protocol.VERSION, size, body);
        return new Word(FRAME, body.flip());
    }

    /** @throws MalformedFrameException where it is none */
    static <T extends Record> T read(Class<T> type, Word word) {
        return Codec.read(type, FORMAT, word.body().duplicate());
    }

    /** @throws MalformedFrameException where it is none */
    static Frame frame(FrameOf of) {
        return Frame.read(Protocol.VERSION, of.bytes().duplicate());
    }
}
