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
 * </pre>
 */
final class RelayWords {
    // The numbers on the wire. Never reused.
    static final byte OPENED = 1;
    static final byte FRAME = 2;
    static final byte GONE = 3;
    static final byte HANDLED = 4;
    static final byte ALIVE = 5;

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
