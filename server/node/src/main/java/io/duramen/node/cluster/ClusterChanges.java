package io.duramen.node.cluster;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.replication.raft.MemberChanges;
import io.duramen.replication.raft.RaftPeer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Changes who belongs to the cluster, in each of its shards: one after the other, and where it ends in between, the same change is asked for
 * again and goes on where it stands. From any thread.
 */
final class ClusterChanges {
    /** A change that takes more election timeouts ends the leadership. */
    private static final int TIMEOUTS_MAX = 8;

    private final RaftPeer self;
    private final List<LocalReplica> replicas;
    private final long patienceMillis;

    /** Completed once this node has left all shards, or will not; null where it leaves none. */
    private volatile CompletableFuture<Void> leaving;

    /** @param replicas of this node, which leads all shards whenever something is asked for */
    ClusterChanges(RaftPeer self, List<LocalReplica> replicas, Duration electionTimeout) {
        this.self = self;
        this.replicas = replicas;
        this.patienceMillis = TIMEOUTS_MAX * electionTimeout.toMillis();
    }

    /** As {@link io.duramen.node.shard.Replicas#add}. */
    String add(RaftPeer added) {
        return each(
                replica -> replica.roster().voters().contains(added) || isUnderWay(replica, "adding " + added + ":"),
                changes -> changes.add(added));
    }

    /** As {@link io.duramen.node.shard.Replicas#replace}. */
    String replace(String name, RaftPeer by) {
        return each(
                replica -> replica.roster().voters().contains(by) && !isVoter(replica, name)
                        || isUnderWay(replica, "adding " + by + " in place of " + name + ":"),
                changes -> changes.replace(name, by));
    }

    /** As {@link io.duramen.node.shard.Replicas#remove}. */
    String remove(String name) {
        if (name.equals(self.name())) {
            return leave();
        }
        return each(replica -> replica.roster().peer(name).isEmpty(), changes -> changes.remove(name));
    }

    private static boolean isVoter(LocalReplica replica, String name) {
        return replica.roster().voters().stream().anyMatch(peer -> peer.name().equals(name));
    }

    private static boolean isUnderWay(LocalReplica replica, String change) {
        return replica.change().startsWith(change);
    }

    /** @param done whether there is nothing to do for it in a shard; where that is so in all, the first says why it cannot be done */
    private String each(Predicate<LocalReplica> done, Function<MemberChanges, CompletableFuture<String>> change) {
        List<LocalReplica> left = replicas.stream().filter(done.negate()).toList();
        if (left.isEmpty()) {
            left = List.of(replicas.get(0));
        }
        String outcome = "";
        List<Integer> changed = new ArrayList<>();
        for (LocalReplica replica : left) {
            try {
                outcome = await(replica, change.apply(changes(replica)));
                changed.add(replica.shard());
            } catch (ProtocolException e) {
                throw halfway(e, changed);
            }
        }
        return outcome;
    }

    private ProtocolException halfway(ProtocolException cause, List<Integer> changed) {
        return changed.isEmpty()
                ? cause
                : new ProtocolException(
                        cause.code(),
                        cause.getMessage() + "; that holds for all shards but " + changed
                                + ", and to go on, say the same again at the node that leads");
    }

    /** With the first shard that this node has left it leads no more: so it leaves all at once. */
    private String leave() {
        List<CompletableFuture<String>> left = replicas.stream()
                .map(replica -> changes(replica).remove(self.name()))
                .toList();
        leaving = CompletableFuture.allOf(
                left.stream().map(one -> one.handle((outcome, failure) -> null)).toArray(CompletableFuture[]::new));
        String outcome = "";
        List<Integer> changed = new ArrayList<>();
        ProtocolException failure = null;
        for (int i = 0; i < left.size(); i++) {
            try {
                outcome = await(replicas.get(i), left.get(i));
                changed.add(i);
            } catch (ProtocolException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw halfway(failure, changed);
        }
        return outcome;
    }

    /** Waits, for a while, until this node has left all shards, where it leaves any. */
    void awaitLeft() {
        CompletableFuture<Void> now = leaving;
        if (now == null) {
            return;
        }
        try {
            now.get(patienceMillis, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            return; // Whoever asked for it is told.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            leaving = null;
        }
    }

    private static MemberChanges changes(LocalReplica replica) {
        return replica.log()
                .orElseThrow(() -> new ProtocolException(
                        ErrorCode.NOT_LEADER, "shard " + replica.shard() + " has not been opened yet"))
                .members();
    }

    private String await(LocalReplica replica, CompletableFuture<String> change) {
        try {
            return change.get(patienceMillis, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new ProtocolException(ErrorCode.INVALID_REQUEST, e.getCause().getMessage());
        } catch (TimeoutException e) {
            throw new ProtocolException(
                    ErrorCode.NO_MAJORITY,
                    "it is not decided yet, and the list of nodes will tell: " + replica.change());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ProtocolException(ErrorCode.NO_MAJORITY, "interrupted before that was decided");
        }
    }

    /** What is said of all shards together. */
    static String state(List<LocalReplica> replicas) {
        List<String> states = replicas.stream().map(LocalReplica::change).toList();
        if (states.stream().distinct().count() == 1) {
            return states.get(0);
        }
        List<String> told = new ArrayList<>();
        for (LocalReplica replica : replicas) {
            Optional.of(states.get(replica.shard()))
                    .filter(state -> !state.isEmpty())
                    .ifPresent(state -> told.add("shard " + replica.shard() + ": " + state));
        }
        return String.join("; ", told);
    }
}
