package io.duramen.broker.talk;

import io.duramen.protocol.Codec;
import io.duramen.protocol.MalformedFrameException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * What passes between two shards, in the wire form of {@link Codec}. Immutable.
 *
 * <pre>
 *   | format 1 | from 4 | to 4 | speaker: epoch 8, number 8 | listener: epoch 8, number 8 | met 1 | heard 8 | first 8
 *   | count 4, words: type 1, length 4, body |
 * </pre>
 *
 * @param format {@link #FORMAT}
 * @param from number of the shard that says this
 * @param to number of the shard that it is for
 * @param speaker voice of who says this
 * @param listener voice that it is for, as far as who says this knows it
 * @param met whether who says this has heard the listener name the speaker
 * @param heard number of the last word of the listener that was heard
 * @param first number of the first of the words
 * @param words in their order; none in a greeting, or where nothing but {@code heard} is to be said
 */
public record TalkFrame(
        byte format,
        int from,
        int to,
        Voice speaker,
        Voice listener,
        boolean met,
        long heard,
        long first,
        List<Word> words) {
    /** What this code writes, and all that it reads. */
    static final byte FORMAT = 1;

    /** More shards than this no cluster has. */
    private static final int SHARDS_MAX = 1024;

    public TalkFrame {
        if (format != FORMAT) {
            throw new IllegalArgumentException("a frame of format " + format + ", this one knows " + FORMAT);
        }
        if (from < 0 || from >= SHARDS_MAX || to < 0 || to >= SHARDS_MAX || from == to) {
            throw new IllegalArgumentException("a frame from shard " + from + " to shard " + to);
        }
        if (heard < 0 || first < 1) {
            throw new IllegalArgumentException("a frame that has heard " + heard + " words, and begins with " + first);
        }
        words = List.copyOf(words);
    }

    /** A buffer of its own. */
    public ByteBuffer encode() {
        ByteBuffer out = ByteBuffer.allocate(Codec.sizeOf(this, FORMAT));
        Codec.write(this, FORMAT, out);
        return out.flip();
    }

    /**
     * The bodies of its words stand in these bytes.
     *
     * @throws MalformedFrameException where they are no such frame
     */
    public static TalkFrame decode(ByteBuffer bytes) {
        TalkFrame frame = Codec.read(TalkFrame.class, FORMAT, bytes);
        if (bytes.hasRemaining()) {
            throw new MalformedFrameException(bytes.remaining() + " bytes behind a frame of shard " + frame.from);
        }
        return frame;
    }
}
