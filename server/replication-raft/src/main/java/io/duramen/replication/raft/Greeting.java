package io.duramen.replication.raft;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The first frame of either side. Immutable.
 *
 * <pre>
 *   | magic 8 | version 2 | length 2, cluster | length 2, from | length 2, to
 * </pre>
 *
 * @param cluster to which both belong
 * @param from name of the node that says this
 * @param to name of the node that it means
 */
record Greeting(String cluster, String from, String to) {
    private static final long MAGIC = 0x4475_5265_5065_6572L;
    private static final short VERSION = 1;

    PeerFrame toFrame() {
        byte[][] texts = {bytes(cluster), bytes(from), bytes(to)};
        ByteBuffer content = ByteBuffer.allocate(16 + texts[0].length + texts[1].length + texts[2].length);
        content.putLong(MAGIC).putShort(VERSION);
        for (byte[] text : texts) {
            content.putShort((short) text.length).put(text);
        }
        return new PeerFrame(PeerFrame.GREETING, (byte) 0, 0, content.array());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** @throws IllegalArgumentException where that is no greeting, or one of another version */
    static Greeting of(PeerFrame frame) {
        ByteBuffer content = ByteBuffer.wrap(frame.content());
        try {
            if (frame.kind() != PeerFrame.GREETING || content.getLong() != MAGIC) {
                throw new IllegalArgumentException("no greeting of a node");
            }
            short version = content.getShort();
            if (version != VERSION) {
                throw new IllegalArgumentException("a greeting of version " + version + ", this one knows " + VERSION);
            }
            Greeting greeting = new Greeting(text(content), text(content), text(content));
            if (content.hasRemaining()) {
                throw new IllegalArgumentException(content.remaining() + " bytes behind a greeting");
            }
            return greeting;
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("a greeting that ends early", e);
        }
    }

    private static String text(ByteBuffer content) {
        int length = Short.toUnsignedInt(content.getShort());
        if (length > content.remaining()) {
            throw new IllegalArgumentException("a text of " + length + " bytes, with " + content.remaining() + " left");
        }
        byte[] text = new byte[length];
        content.get(text);
        return new String(text, StandardCharsets.UTF_8);
    }
}
