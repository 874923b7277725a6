package io.duramen.replication.raft;

import com.alipay.sofa.jraft.conf.Configuration;
import com.alipay.sofa.jraft.conf.ConfigurationEntry;
import com.alipay.sofa.jraft.entity.LogEntry;
import com.alipay.sofa.jraft.entity.LogId;
import com.alipay.sofa.jraft.entity.PeerId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Who belongs to a group from an entry on. Immutable. Written as four lists, each with a count of 16 bits and names of a length
 * of 16 bits in UTF-8.
 *
 * @param peers who votes
 * @param learners who follows without a vote
 * @param oldPeers while the members change: who votes besides; else empty
 * @param oldLearners likewise
 */
record Members(List<PeerId> peers, List<PeerId> learners, List<PeerId> oldPeers, List<PeerId> oldLearners) {
    static Members of(List<PeerId> peers) {
        return new Members(List.copyOf(peers), List.of(), List.of(), List.of());
    }

    static Members of(LogEntry entry) {
        return new Members(
                orNone(entry.getPeers()),
                orNone(entry.getLearners()),
                orNone(entry.getOldPeers()),
                orNone(entry.getOldLearners()));
    }

    private static List<PeerId> orNone(List<PeerId> peers) {
        return peers == null ? List.of() : List.copyOf(peers);
    }

    void putInto(LogEntry entry) {
        entry.setPeers(peers);
        entry.setLearners(learners.isEmpty() ? null : learners);
        entry.setOldPeers(oldPeers.isEmpty() ? null : oldPeers);
        entry.setOldLearners(oldLearners.isEmpty() ? null : oldLearners);
    }

    ConfigurationEntry toEngine(long index, long epoch) {
        return new ConfigurationEntry(
                new LogId(index, epoch), new Configuration(peers, learners), new Configuration(oldPeers, oldLearners));
    }

    /** Whether one node alone decides. */
    boolean isOne() {
        return peers.size() == 1 && learners.isEmpty() && oldPeers.isEmpty();
    }

    ByteBuffer encode() {
        List<byte[]> names = new ArrayList<>();
        int length = 8;
        for (List<PeerId> list : lists()) {
            for (PeerId peer : list) {
                byte[] name = peer.toString().getBytes(StandardCharsets.UTF_8);
                names.add(name);
                length += 2 + name.length;
            }
        }
        ByteBuffer bytes = ByteBuffer.allocate(length);
        int at = 0;
        for (List<PeerId> list : lists()) {
            bytes.putShort((short) list.size());
            for (int i = 0; i < list.size(); i++) {
                byte[] name = names.get(at++);
                bytes.putShort((short) name.length).put(name);
            }
        }
        return bytes.flip();
    }

    private List<List<PeerId>> lists() {
        return List.of(peers, learners, oldPeers, oldLearners);
    }

    /** @throws IOException where that is not what {@link #encode} wrote */
    static Members decode(ByteBuffer from) throws IOException {
        ByteBuffer bytes = from.duplicate();
        Members members = new Members(peers(bytes), peers(bytes), peers(bytes), peers(bytes));
        if (bytes.hasRemaining() || members.peers.isEmpty()) {
            throw new IOException(
                    "members of a group that are none, or with " + bytes.remaining() + " bytes behind them");
        }
        return members;
    }

    private static List<PeerId> peers(ByteBuffer bytes) throws IOException {
        int count = unsignedShort(bytes);
        List<PeerId> peers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int length = unsignedShort(bytes);
            if (length > bytes.remaining()) {
                throw new IOException("a member's name of " + length + " bytes, with " + bytes.remaining() + " left");
            }
            byte[] name = new byte[length];
            bytes.get(name);
            PeerId peer = new PeerId();
            if (!peer.parse(new String(name, StandardCharsets.UTF_8))) {
                throw new IOException("a member's name that is none");
            }
            peers.add(peer);
        }
        return List.copyOf(peers);
    }

    private static int unsignedShort(ByteBuffer bytes) throws IOException {
        if (bytes.remaining() < 2) {
            throw new IOException("members of a group end early");
        }
        return Short.toUnsignedInt(bytes.getShort());
    }
}
