package io.duramen.node.cluster;

import io.duramen.protocol.ProtocolException;
import io.duramen.replication.raft.RaftPeer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Changes who belongs to the cluster, in each of its shards: one after the other, and where it ends in between, the same change is asked for
 * again and goes on where it stands. From any thread.
 */
final class ClusterChanges {
    private final String self;
    private final int shards;
    private final Leaders leaders;

    /** Who leads each shard, and changes who belongs to its group. From any thread. */
    interface Leaders {
        /**
         * Waits until it is decided, or begun where somebody is added.
         *
         * @param anyway to be told why it cannot be done, where there is nothing to do
         * @return what was done; empty where there was nothing to do
         * @throws ProtocolException where it cannot be done, or it is not known whether it was
         */
        Optional<String> change(int shard, MemberChange change, boolean anyway);

        /**
         * Has this node leave all shards.
         *
         * @throws ProtocolException where it cannot
         */
        Left leave();
    }

    /** How the leaving of each shard ends. */
    interface Left {
        /**
         * Waits until it is decided.
         *
         * @return what was done
         * @throws ProtocolException where it cannot be done, or it is not known whether it was
         */
        String outcome(int shard);
    }

    /** @param self name of this node */
    ClusterChanges(String self, int shards, Leaders leaders) {
        this.self = self;
        this.shards = shards;
        this.leaders = leaders;
    }

    /** As {@link io.duramen.node.shard.Replicas#add}. */
    String add(RaftPeer added) {
        return each(MemberChange.adding(added));
    }

    /** As {@link io.duramen.node.shard.Replicas#replace}. */
    String replace(String name, RaftPeer by) {
        return each(MemberChange.replacing(name, by));
    }

    /** As {@link io.duramen.node.shard.Replicas#remove}. */
    String remove(String name) {
        return name.equals(self) ? leave() : each(MemberChange.removing(name));
    }

    /** As {@link io.duramen.node.shard.Replicas#addReplica}. */
    String addReplica(int shard, RaftPeer node) {
        return inShard(shard, MemberChange.adding(node));
    }

    /** As {@link io.duramen.node.shard.Replicas#removeReplica}. */
    String removeReplica(int shard, String name) {
        return inShard(shard, MemberChange.removing(name));
    }

    /** As {@link io.duramen.node.shard.Replicas#moveReplica}. */
    String moveReplica(int shard, String from, RaftPeer to) {
        return inShard(shard, MemberChange.replacing(from, to));
    }

    private String inShard(int shard, MemberChange change) {
        return leaders.change(shard, change.ofShard(), true).orElseThrow();
    }

    /** That with the catalogue last: whoever is in there knows that it is in all others that it is to be in. */
    private String each(MemberChange change) {
        Optional<String> outcome = Optional.empty();
        List<Integer> changed = new ArrayList<>();
        for (int shard = shards - 1; shard >= 0; shard--) {
            try {
                Optional<String> done = leaders.change(shard, change, false);
                if (done.isPresent()) {
                    outcome = done;
                    changed.add(shard);
                }
            } catch (ProtocolException e) {
                throw halfway(e, changed);
            }
        }
        return outcome.or(() -> leaders.change(0, change, true)).orElseThrow();
    }

    private ProtocolException halfway(ProtocolException cause, List<Integer> changed) {
        return changed.isEmpty()
                ? cause
                : new ProtocolException(
                        cause.code(),
                        cause.getMessage() + "; that holds for all shards but " + changed
                                + ", and to go on, say the same again at the node that leads");
    }

    private String leave() {
        Left left = leaders.leave();
        String outcome = "";
        List<Integer> changed = new ArrayList<>();
        ProtocolException failure = null;
        for (int shard = 0; shard < shards; shard++) {
            try {
                outcome = left.outcome(shard);
                changed.add(shard);
            } catch (ProtocolException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw halfway(failure, changed);
        }
        return outcome;
    }
}
