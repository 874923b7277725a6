package io.duramen.node.cluster;

import io.duramen.replication.raft.MemberChanges;
import io.duramen.replication.raft.RaftPeer;
import io.duramen.replication.raft.Roster;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Who is to belong to a shard's group, and who no more. Immutable. As bytes: its scope, a line feed, {@code NAME@HOST:PORT} of who is added, a line
 * feed, the name of who is removed; either of these may be empty.
 *
 * @param removed name of who is removed, or whose place the added one takes
 */
record MemberChange(Scope scope, Optional<RaftPeer> added, Optional<String> removed) {
    private static final String BETWEEN = "\n";
    private static final int PARTS = 3;

    /** What is changed. */
    enum Scope {
        /** Which nodes the cluster has: it concerns the shards that are on all of them, or on the one that goes. */
        CLUSTER,
        /** Which nodes of the cluster a shard is on. */
        SHARD
    }

    MemberChange {
        if (added.isEmpty() && removed.isEmpty()) {
            throw new IllegalArgumentException("nobody is added, and nobody removed");
        }
    }

    static MemberChange adding(RaftPeer added) {
        return new MemberChange(Scope.CLUSTER, Optional.of(added), Optional.empty());
    }

    static MemberChange removing(String name) {
        return new MemberChange(Scope.CLUSTER, Optional.empty(), Optional.of(name));
    }

    static MemberChange replacing(String name, RaftPeer by) {
        return new MemberChange(Scope.CLUSTER, Optional.of(by), Optional.of(name));
    }

    /** The same, of one shard alone; who is added is a node of the cluster. */
    MemberChange ofShard() {
        return new MemberChange(Scope.SHARD, added, removed);
    }

    /**
     * Whether there is nothing left to do for it in a shard that this node leads.
     *
     * @param cluster all nodes, which have shard 0
     */
    boolean isDone(LocalReplica replica, Roster cluster) {
        Roster roster = replica.roster();
        boolean isOut = removed.stream()
                .noneMatch(name ->
                        roster.voters().stream().anyMatch(peer -> peer.name().equals(name)));
        if (added.isEmpty()) {
            return roster.peer(removed.orElseThrow()).isEmpty();
        }
        boolean isIn = roster.voters().contains(added.get());
        boolean concerns = scope == Scope.SHARD
                || removed.isPresent()
                || roster.voters()
                        .containsAll(cluster.voters().stream()
                                .filter(voter -> !voter.equals(added.get()))
                                .toList());
        return !concerns
                || isIn && isOut
                || isOut && removed.isPresent()
                || replica.change().startsWith(this + ":");
    }

    /** As {@link MemberChanges} begins it. */
    CompletableFuture<String> begin(MemberChanges changes) {
        if (added.isEmpty()) {
            return changes.remove(removed.orElseThrow());
        }
        boolean keepsVotes = scope == Scope.SHARD;
        return removed.map(name -> changes.replace(name, added.get(), keepsVotes))
                .orElseGet(() -> changes.add(added.get(), keepsVotes));
    }

    byte[] encode() {
        return String.join(BETWEEN, scope.name(), added.map(RaftPeer::toString).orElse(""), removed.orElse(""))
                .getBytes(StandardCharsets.UTF_8);
    }

    /** @throws IllegalArgumentException where it is none */
    static MemberChange decode(ByteBuffer bytes) {
        String text = StandardCharsets.UTF_8.decode(bytes).toString();
        String[] parts = text.split(BETWEEN, -1);
        if (parts.length != PARTS) {
            throw new IllegalArgumentException("no change of members: '" + text + "'");
        }
        return new MemberChange(
                Scope.valueOf(parts[0]),
                Optional.of(parts[1]).filter(peer -> !peer.isEmpty()).map(RaftPeer::parse),
                Optional.of(parts[2]).filter(name -> !name.isEmpty()));
    }

    /** As the state of a change that is under way begins. */
    @Override
    public String toString() {
        if (added.isEmpty()) {
            return "removing " + removed.orElseThrow();
        }
        return "adding " + added.get()
                + removed.map(name -> " in place of " + name).orElse("");
    }
}
