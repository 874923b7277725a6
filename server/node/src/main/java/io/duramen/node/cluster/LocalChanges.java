package io.duramen.node.cluster;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.replication.raft.MemberChanges;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Changes who belongs to the groups of shards that this node leads. From any thread. */
final class LocalChanges implements ClusterChanges.Leaders {
    /** A change that takes more election timeouts ends the leadership. */
    private static final int TIMEOUTS_MAX = 8;

    private final String self;
    private final List<LocalReplica> replicas;
    private final Duration patience;

    /** Completed once this node has left all shards, or will not; null where it leaves none. */
    private volatile CompletableFuture<Void> leaving;

    /** @param replicas of this node, by shard */
    LocalChanges(String self, List<LocalReplica> replicas, Duration electionTimeout) {
        this.self = self;
        this.replicas = replicas;
        this.patience = electionTimeout.multipliedBy(TIMEOUTS_MAX);
    }

    /** How long a change is waited for. */
    Duration patience() {
        return patience;
    }

    @Override
    public Optional<String> change(int shard, MemberChange change, boolean anyway) {
        LocalReplica replica = replicas.get(shard);
        if (!anyway && change.isDone(replica, replicas.get(0).roster())) {
            return Optional.empty();
        }
        return Optional.of(await(replica, change.begin(changes(replica))));
    }

    /** Of several that are let go at once: with the first that this node has left it leads no more. */
    @Override
    public ClusterChanges.Left leave() {
        List<CompletableFuture<String>> left =
                replicas.stream().map(replica -> changes(replica).remove(self)).toList();
        leaving = CompletableFuture.allOf(
                left.stream().map(one -> one.handle((outcome, failure) -> null)).toArray(CompletableFuture[]::new));
        return shard -> await(replicas.get(shard), left.get(shard));
    }

    /** Waits, for a while, until this node has left all shards, where it leaves any. */
    void awaitLeft() {
        CompletableFuture<Void> now = leaving;
        if (now == null) {
            return;
        }
        try {
            now.get(patience.toMillis(), TimeUnit.MILLISECONDS);
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
            return change.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new ProtocolException(
                    e.getCause() instanceof MemberChanges.NotLeadingException
                            ? ErrorCode.NOT_LEADER
                            : ErrorCode.INVALID_REQUEST,
                    e.getCause().getMessage());
        } catch (TimeoutException e) {
            throw new ProtocolException(
                    ErrorCode.NO_MAJORITY,
                    "it is not decided yet, and the list of nodes will tell: " + replica.change());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ProtocolException(ErrorCode.NO_MAJORITY, "interrupted before that was decided");
        }
    }
}
