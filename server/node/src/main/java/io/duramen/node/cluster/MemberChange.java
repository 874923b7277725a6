package io.duramen.node.cluster;

import io.duramen.replication.raft.MemberChanges;
import io.duramen.replication.raft.RaftPeer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Who is to belong to a shard's group, and who no more. Immutable. As bytes: {@code NAME@HOST:PORT} of who is added, a line feed, the name of who is
 * removed; either may be empty.
 *
 * @param removed name of who is removed, or whose place the added one takes
 */
record MemberChange(Optional<RaftPeer> added, Optional<String> removed) {
    private static final char BETWEEN = '\n';

    MemberChange {
        if (added.isEmpty() && removed.isEmpty()) {
            throw new IllegalArgumentException("nobody is added, and nobody removed");
        }
    }

    static MemberChange adding(RaftPeer added) {
        return new MemberChange(Optional.of(added), Optional.empty());
    }

    static MemberChange removing(String name) {
        return new MemberChange(Optional.empty(), Optional.of(name));
    }

    static MemberChange replacing(String name, RaftPeer by) {
        return new MemberChange(Optional.of(by), Optional.of(name));
    }

    /** Whether there is nothing left to do for it in a shard that this node leads. */
    boolean isDone(LocalReplica replica) {
        if (added.isEmpty()) {
            return replica.roster().peer(removed.orElseThrow()).isEmpty();
        }
        boolean isIn = replica.roster().voters().contains(added.get());
        boolean isOut = removed.stream()
                .noneMatch(name -> replica.roster().voters().stream()
                        .anyMatch(peer -> peer.name().equals(name)));
        return isIn && isOut || replica.change().startsWith(this + ":");
    }

    /** As {@link MemberChanges} begins it. */
    CompletableFuture<String> begin(MemberChanges changes) {
        if (added.isEmpty()) {
            return changes.remove(removed.orElseThrow());
        }
        return removed.map(name -> changes.replace(name, added.get())).orElseGet(() -> changes.add(added.get()));
    }

    byte[] encode() {
        String text = added.map(RaftPeer::toString).orElse("") + BETWEEN + removed.orElse("");
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** @throws IllegalArgumentException where it is none */
    static MemberChange decode(ByteBuffer bytes) {
        String text = StandardCharsets.UTF_8.decode(bytes).toString();
        int between = text.indexOf(BETWEEN);
        if (between < 0) {
            throw new IllegalArgumentException("no change of members: '" + text + "'");
        }
        return new MemberChange(
                Optional.of(text.substring(0, between))
                        .filter(peer -> !peer.isEmpty())
                        .map(RaftPeer::parse),
                Optional.of(text.substring(between + 1)).filter(name -> !name.isEmpty()));
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
