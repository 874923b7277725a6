package io.duramen.replication.raft;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/**
 * The first frame of either side. Immutable. Later versions only put something behind: a greeting of one is read as far as this one
 * knows it, so that nodes of two releases talk with each other.
 *
 * <pre>
 *   | magic 8 | version 2 | length 2, cluster | length 2, from | length 2, to
 *   | length 2, directory | length 2, clients | length 2, starts | length 2, known | joining 1
 *   | format max 4 | format level 4
 * </pre>
 *
 * @param cluster to which both belong, and who founded it
 * @param from name of the node that says this
 * @param to name of the node that it means
 * @param said what it says of itself
 * @param joining whether that directory is new in a cluster that has data
 */
record Greeting(String cluster, String from, String to, Introduction.Said said, boolean joining) {
    private static final long MAGIC = 0x4475_5265_5065_6572L;
    private static final short VERSION = 5;

    /** Length of what stands behind the texts, and before them. */
    private static final int OTHERS_LENGTH = 19;

    /** What this node says to another. */
    static Greeting from(PeerNetworkConfig config, RaftPeer to) {
        return new Greeting(
                config.cluster().get(),
                config.self().name(),
                to.name(),
                config.introduction().said().get(),
                config.introduction().joining().getAsBoolean());
    }

    PeerFrame toFrame() {
        List<byte[]> texts = Stream.of(cluster, from, to, said.directory(), said.clients(), said.starts(), said.known())
                .map(text -> text.getBytes(StandardCharsets.UTF_8))
                .toList();
        int length =
                OTHERS_LENGTH + texts.stream().mapToInt(text -> 2 + text.length).sum();
        ByteBuffer content = ByteBuffer.allocate(length);
        content.putLong(MAGIC).putShort(VERSION);
        for (byte[] text : texts) {
            content.putShort((short) text.length).put(text);
        }
        content.put((byte) (joining ? 1 : 0)).putInt(said.formatMax()).putInt(said.formatLevel());
        return new PeerFrame(PeerFrame.GREETING, (byte) 0, 0, content.array());
    }

    /** @throws IllegalArgumentException where that is no greeting, or one of another version */
    static Greeting of(PeerFrame frame) {
        ByteBuffer content = ByteBuffer.wrap(frame.content());
        try {
            if (frame.kind() != PeerFrame.GREETING || content.getLong() != MAGIC) {
                throw new IllegalArgumentException("no greeting of a node");
            }
            short version = content.getShort();
            if (version < VERSION) {
                throw new IllegalArgumentException("a greeting of version " + version + ", this one knows " + VERSION);
            }
            Greeting greeting = read(content);
            if (version == VERSION && content.hasRemaining()) {
                throw new IllegalArgumentException(content.remaining() + " bytes behind a greeting");
            }
            return greeting;
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("a greeting that ends early", e);
        }
    }

    private static Greeting read(ByteBuffer content) {
        String cluster = text(content);
        String from = text(content);
        String to = text(content);
        String directory = text(content);
        String clients = text(content);
        String starts = text(content);
        String known = text(content);
        boolean joining = content.get() != 0;
        return new Greeting(
                cluster,
                from,
                to,
                new Introduction.Said(directory, clients, starts, known, content.getInt(), content.getInt()),
                joining);
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
