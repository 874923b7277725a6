package io.duramen.node.cluster;

import io.duramen.replication.raft.Mending;
import io.duramen.replication.raft.RaftLog;
import io.duramen.replication.raft.RaftPeer;
import io.duramen.replication.raft.ReplicaRow;
import io.duramen.replication.raft.Roster;
import io.duramen.replication.raft.Unread;
import java.util.List;
import java.util.Optional;

/** This node's replica of a shard: its log, which is another after each leadership, and who else has one. From any thread. */
final class LocalReplica {
    private final int shard;
    private final Roster roster;
    private final Mending mending;
    private final Unread unread = new Unread();

    /** Null before it was made. */
    private volatile RaftLog log;

    /** When it was first found without a leader since it had one; 0 where it has. */
    private volatile long leaderlessNanos;

    /** @param others this node's shards, this one among them */
    LocalReplica(int shard, Roster roster, Mending.OtherShards others) {
        this.mending = new Mending(others);
        this.shard = shard;
        this.roster = roster;
    }

    int shard() {
        return shard;
    }

    Roster roster() {
        return roster;
    }

    /** What is known of the damage of its logs, from one to the next. */
    Mending mending() {
        return mending;
    }

    /** Up to where its logs are read no more, from one to the next. */
    Unread unread() {
        return unread;
    }

    /** Whether that one has all that is committed here, where this one leads. */
    boolean isInSync(String name) {
        return rows().stream().filter(row -> row.peer().name().equals(name)).anyMatch(ReplicaRow::inSync);
    }

    /** Whether it leads, and who belongs to its group is decided. */
    boolean areMembersDecided() {
        return log().map(opened -> opened.members().areDecided()).orElse(false);
    }

    /** This node has none any more. */
    void dropped(RaftPeer self) {
        log = null;
        roster.forget(self);
    }

    void opened(RaftLog made) {
        log = made;
    }

    Optional<RaftLog> log() {
        return Optional.ofNullable(log);
    }

    /** Whom it takes for the leader, itself included. */
    Optional<RaftPeer> leader() {
        return log().flatMap(RaftLog::leader);
    }

    /** Whether its disk has no room for a further segment. */
    boolean isFull() {
        return log().map(log -> log.room().isNeeded()).orElse(false);
    }

    /** Who was found to lead in its place, where it leads and its disk is full. */
    Optional<String> relievedBy() {
        return log().flatMap(log -> log.room().chosen()).map(RaftPeer::name);
    }

    long epoch() {
        return log().map(RaftLog::epoch).orElse(0L);
    }

    long committedIndex() {
        return log().map(RaftLog::committedIndex).orElse(0L);
    }

    List<ReplicaRow> rows() {
        return log().map(RaftLog::replicas).orElse(List.of());
    }

    /** Which change of its members is under way, or how the last one ended. */
    String change() {
        return log().map(opened -> opened.members().state()).orElse("");
    }

    /** Whether who belongs to it changes, which would end with this leadership. */
    boolean isChanging() {
        return log().map(opened -> opened.members().isUnderWay()).orElse(false);
    }

    /** Whether it has been without a leader for so long, as far as this was asked. */
    boolean isLeaderlessFor(long nanos) {
        long now = System.nanoTime();
        if (leader().isPresent()) {
            leaderlessNanos = 0;
            return false;
        }
        if (leaderlessNanos == 0) {
            leaderlessNanos = now;
        }
        return now - leaderlessNanos >= nanos;
    }
}
