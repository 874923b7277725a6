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

    /** Whether no change of the members is under way. */
    boolean isStable() {
        return oldPeers.isEmpty() && oldLearners.isEmpty();
    }

    /** Without a vote of anybody that has none here, and with one more that follows. */
    Members withLearner(PeerId learner) {
        List<PeerId> more = new ArrayList<>(learners);
        more.add(learner);
        return new Members(peers, List.copyOf(more), List.of(), List.of());
    }

    Members withoutLearner(PeerId learner) {
        return new Members(peers, without(learners, learner), oldPeers, without(oldLearners, learner));
    }

    Members withPeer(PeerId peer) {
        List<PeerId> more = new ArrayList<>(peers);
        more.add(peer);
        return new Members(List.copyOf(more), learners, List.of(), List.of());
    }

    Members withoutPeer(PeerId peer) {
        return new Members(without(peers, peer), learners, List.of(), List.of());
    }

    private static List<PeerId> without(List<PeerId> all, PeerId one) {
        return all.stream().filter(other -> !other.equals(one)).toList();
    }

    /** All of them, each once. */
    List<PeerId> everyone() {
        return lists().stream().flatMap(List::stream).distinct().toList();
    }

    /**
     * With names, where they were written before names were part of them.
     *
     * @param from members with names, of the same addresses
     */
    Members named(Members from) {
        return new Members(named(peers, from), named(learners, from), named(oldPeers, from), named(oldLearners, from));
    }

    private static List<PeerId> named(List<PeerId> peers, Members from) {
        return peers.stream().map(peer -> named(peer, from)).toList();
    }

    private static PeerId named(PeerId peer, Members from) {
        String end = "@" + peer.getIp();
        return from.everyone().stream()
                .filter(known ->
                        known.getPort() == peer.getPort() && known.getIp().endsWith(end))
                .findFirst()
                .orElse(peer);
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
