package io.duramen.replication.raft;

import com.alipay.sofa.jraft.rpc.InvokeCallback;
import com.alipay.sofa.jraft.rpc.RpcRequests.AppendEntriesRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.AppendEntriesResponse;
import com.alipay.sofa.jraft.util.Endpoint;
import io.duramen.runtime.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/**
 * How far the other replicas have the leader's log, as their answers to it tell. Of one leadership at a time, since only a leader
 * asks. From any thread.
 */
final class Progress {
    private final Clock clock;
    private final Runnable onStored;
    private final Map<Endpoint, Reached> reached = new ConcurrentHashMap<>();
    private long epoch;
    private long sentIndex;

    /**
     * @param index up to which the replica has the log
     * @param storedIndex up to which it has it on its disk, as far as that is known: heartbeats are answered before
     * @param heardNanos when it was asked what it has answered last
     * @param inSyncNanos when it was last asked something in answer to which it had all that was committed then
     */
    record Reached(long index, long storedIndex, long heardNanos, Optional<Long> inSyncNanos) {}

    /** @param onStored called after each answer of one that has stored something; from any thread */
    Progress(Clock clock, Runnable onStored) {
        this.clock = clock;
        this.onStored = onStored;
    }

    /** Empty where that one has not answered this leader. */
    Optional<Reached> of(RaftPeer peer) {
        return Optional.ofNullable(reached.get(peer.toEngine().getEndpoint()));
    }

    /** A callback that takes note of the answer, and goes on to that one. */
    InvokeCallback watch(Endpoint endpoint, AppendEntriesRequest request, InvokeCallback then) {
        sent(request);
        long askedNanos = clock.nanos();
        return new InvokeCallback() {
            @Override
            public void complete(Object answer, Throwable failure) {
                if (answer instanceof AppendEntriesResponse response && response.getSuccess()) {
                    answered(endpoint, request, askedNanos);
                }
                then.complete(answer, failure);
            }

            @Override
            public Executor executor() {
                return then.executor();
            }
        };
    }

    private void answered(Endpoint endpoint, AppendEntriesRequest request, long askedNanos) {
        if (!isOfNow(request.getTerm())) {
            return; // what was stored then may have been taken back since
        }
        long index = request.getPrevLogIndex() + request.getEntriesCount();
        long storedIndex = request.getEntriesCount() == 0 ? 0 : index;
        reached.merge(
                endpoint,
                new Reached(index, storedIndex, askedNanos, inSync(index, request, askedNanos)),
                (before, now) -> new Reached(
                        Math.max(before.index, now.index),
                        Math.max(before.storedIndex, now.storedIndex),
                        Math.max(before.heardNanos, now.heardNanos),
                        inSync(Math.max(before.index, now.index), request, askedNanos)
                                .or(before::inSyncNanos)));
        if (storedIndex > 0) {
            onStored.run();
        }
    }

    /** Whether that is no earlier leadership than the one that is counted; a later one is counted from here on. */
    private synchronized boolean isOfNow(long asked) {
        if (asked > epoch) {
            reached.clear();
            epoch = asked;
            sentIndex = 0;
        }
        return asked == epoch;
    }

    private synchronized void sent(AppendEntriesRequest request) {
        if (isOfNow(request.getTerm()) && request.getEntriesCount() > 0) {
            sentIndex = Math.max(sentIndex, request.getPrevLogIndex() + request.getEntriesCount());
        }
    }

    /** Index of the last entry that any other was sent by the leader of the latest epoch in which this replica has led. */
    synchronized long sentIndex() {
        return sentIndex;
    }

    /** Whether this replica was elected in that epoch, and in none since: only who was sends others entries, or asks for their state. */
    synchronized boolean hasLedIn(long asked) {
        return asked == epoch;
    }

    private static Optional<Long> inSync(long index, AppendEntriesRequest request, long askedNanos) {
        return index >= request.getCommittedIndex() ? Optional.of(askedNanos) : Optional.empty();
    }
}
