package io.duramen.node.cluster;

import io.duramen.replication.raft.RaftPeer;
import io.duramen.replication.raft.ReplicaRow;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How a shard's group stands, as one of the nodes sees it: how far the others are, the leader alone knows. Immutable. Several of them as bytes,
 * big-endian, texts with an i32 length before them:
 *
 * <pre>
 *   i32 count, and each: i32 shard  i64 epoch  i64 committed index  text leader, or none  text change  u8 decided
 *                        i32 rows, and each: text NAME@HOST:PORT  u8 votes  u8 in sync  i64 lag, or -1  i64 silent, or -1
 * </pre>
 *
 * @param leader name of who leads it, as far as that node knows
 * @param change of the members that is under way, or how the last one ended
 * @param isDecided whether who belongs to it is decided, and nothing of that is under way
 */
record ShardStanding(
        int shard,
        Optional<String> leader,
        long epoch,
        long committedIndex,
        List<ReplicaRow> rows,
        String change,
        boolean isDecided) {
    private static final long UNKNOWN = -1;

    ShardStanding {
        rows = List.copyOf(rows);
    }

    /** @param leader name of who leads it, as far as this node knows */
    static ShardStanding of(LocalReplica replica, Optional<String> leader) {
        return new ShardStanding(
                replica.shard(),
                leader,
                replica.epoch(),
                replica.committedIndex(),
                replica.rows(),
                replica.change(),
                replica.areMembersDecided());
    }

    /** Whether that node follows or decides. */
    boolean has(String node) {
        return rows.stream().anyMatch(row -> row.peer().name().equals(node));
    }

    /** What is said of all shards together. */
    static String change(List<ShardStanding> standings) {
        if (standings.stream().map(ShardStanding::change).distinct().count() == 1) {
            return standings.get(0).change;
        }
        List<String> told = new ArrayList<>();
        for (ShardStanding standing : standings) {
            if (!standing.change.isEmpty()) {
                told.add("shard " + standing.shard + ": " + standing.change);
            }
        }
        return String.join("; ", told);
    }

    static byte[] encode(List<ShardStanding> standings) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(standings.size());
            for (ShardStanding standing : standings) {
                standing.write(out);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e); // Memory does not fail.
        }
        return bytes.toByteArray();
    }

    private void write(DataOutputStream out) throws IOException {
        out.writeInt(shard);
        out.writeLong(epoch);
        out.writeLong(committedIndex);
        write(leader.orElse(""), out);
        write(change, out);
        out.writeBoolean(isDecided);
        out.writeInt(rows.size());
        for (ReplicaRow row : rows) {
            write(row.peer().toString(), out);
            out.writeBoolean(row.votes());
            out.writeBoolean(row.inSync());
            out.writeLong(row.lagEntries().orElse(UNKNOWN));
            out.writeLong(row.silentMillis().orElse(UNKNOWN));
        }
    }

    private static void write(String text, DataOutputStream out) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /**
     * @throws IllegalArgumentException where that is not what {@link #encode} wrote
     * @throws java.nio.BufferUnderflowException where it ends early
     */
    static List<ShardStanding> decode(ByteBuffer bytes) {
        List<ShardStanding> standings = new ArrayList<>();
        int count = bytes.getInt();
        for (int i = 0; i < count; i++) {
            standings.add(read(bytes));
        }
        if (bytes.hasRemaining()) {
            throw new IllegalArgumentException(bytes.remaining() + " bytes behind the standing of shards");
        }
        return standings;
    }

    private static ShardStanding read(ByteBuffer bytes) {
        int shard = bytes.getInt();
        long epoch = bytes.getLong();
        long committedIndex = bytes.getLong();
        Optional<String> leader = Optional.of(text(bytes)).filter(name -> !name.isEmpty());
        String change = text(bytes);
        boolean isDecided = bytes.get() != 0;
        List<ReplicaRow> rows = new ArrayList<>();
        int count = bytes.getInt();
        for (int i = 0; i < count; i++) {
            RaftPeer peer = RaftPeer.parse(text(bytes));
            boolean votes = bytes.get() != 0;
            boolean inSync = bytes.get() != 0;
            Optional<Long> lag = known(bytes.getLong());
            rows.add(new ReplicaRow(peer, votes, lag, known(bytes.getLong()), inSync));
        }
        return new ShardStanding(shard, leader, epoch, committedIndex, rows, change, isDecided);
    }

    private static Optional<Long> known(long number) {
        return number == UNKNOWN ? Optional.empty() : Optional.of(number);
    }

    private static String text(ByteBuffer bytes) {
        int length = bytes.getInt();
        if (length < 0 || length > bytes.remaining()) {
            throw new IllegalArgumentException("a text of " + length + " bytes, with " + bytes.remaining() + " left");
        }
        byte[] text = new byte[length];
        bytes.get(text);
        return new String(text, StandardCharsets.UTF_8);
    }
}
