package io.duramen.replication.raft;

import java.time.Duration;
import java.util.List;

/**
 * One replica of a shard's log. Immutable.
 *
 * @param group of the replicas of one log; letters, digits, hyphens and underscores, a letter first; in one process, one
 *     replica of a group under one address
 * @param self this node; one of {@code peers}
 * @param peers with whom a log that has no members yet begins
 * @param electionTimeout without a word from the leader, before another is chosen; up to twice that
 * @param copyBytesPerSecond at which a replica that lacks what was deleted copies the leader's log, at most
 * @param copiesMin replicas that have to have an entry on disk before it counts as kept, the leader's own among them; 0 for a
 *     majority of whoever belongs to the group
 * @param recoverWithout names of all others that decide, where these are lost for good: the replica starts as the only one of its group, with
 *     what it has; empty where nobody is
 */
public record RaftConfig(
        String group,
        RaftPeer self,
        List<RaftPeer> peers,
        Duration electionTimeout,
        long copyBytesPerSecond,
        int copiesMin,
        List<String> recoverWithout) {
    private static final long COPY_RATE_DEFAULT = 64L << 20;

    public RaftConfig {
        peers = List.copyOf(peers);
        recoverWithout = List.copyOf(recoverWithout);
        if (!group.matches("[A-Za-z][A-Za-z0-9_-]*")) {
            throw new IllegalArgumentException("'" + group + "' is no name of a group");
        }
        if (!peers.contains(self)) {
            throw new IllegalArgumentException(self + " is not one of " + peers);
        }
        if (peers.stream().map(RaftPeer::name).distinct().count() < peers.size()
                || peers.stream().map(RaftPeer::toEngine).distinct().count() < peers.size()) {
            throw new IllegalArgumentException("two nodes of the same name or address: " + peers);
        }
        if (electionTimeout.toMillis() < 100 || electionTimeout.toMillis() > 60_000) {
            throw new IllegalArgumentException("an election timeout of " + electionTimeout + ", not 100 ms to 60 s");
        }
        if (copyBytesPerSecond < 1) {
            throw new IllegalArgumentException("copies at " + copyBytesPerSecond + " bytes a second");
        }
        if (copiesMin < 0 || copiesMin > peers.size()) {
            throw new IllegalArgumentException(copiesMin + " copies on " + peers.size() + " nodes");
        }
    }

    /** With the usual rate for copies, and kept by a majority. */
    public RaftConfig(String group, RaftPeer self, List<RaftPeer> peers, Duration electionTimeout) {
        this(group, self, peers, electionTimeout, COPY_RATE_DEFAULT, 0, List.of());
    }

    /** Whether more replicas may have to keep an entry than decide about it. */
    boolean mayAskBeyondMajority() {
        return copiesMin > 0;
    }

    Members members() {
        return Members.of(peers.stream().map(RaftPeer::toEngine).toList());
    }
}
