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
import java.util.function.BiConsumer;

/**
 * How far the other replicas have the leader's log, as their answers to it tell. Of one leadership at a time, since only a leader
 * asks. From any thread.
 */
final class Progress {
    private final Clock clock;
    private final Runnable onStored;
    private final BiConsumer<Endpoint, String> onForgotten;
    private final Map<Endpoint, Reached> reached = new ConcurrentHashMap<>();

    /** When who is added is added: what was asked before was asked of a replica that may be gone. */
    private final Map<Endpoint, Long> addedNanos = new ConcurrentHashMap<>();

    private long epoch;

    /**
     * @param index up to which the replica has the log
     * @param storedIndex up to which it has it on its disk, as far as that is known: heartbeats are answered before
     * @param heardNanos when it was asked what it has answered last
     * @param inSyncNanos when it was last asked something in answer to which it had all that was committed then
     */
    record Reached(long index, long storedIndex, long heardNanos, Optional<Long> inSyncNanos) {}

    /**
     * @param onStored called after each answer of one that has stored something; from any thread
     * @param onForgotten told of one whose log ends before what it has told to have stored, and what that was; from any thread
     */
    Progress(Clock clock, Runnable onStored, BiConsumer<Endpoint, String> onForgotten) {
        this.clock = clock;
        this.onStored = onStored;
        this.onForgotten = onForgotten;
    }

    /** Empty where that one has not answered this leader. */
    Optional<Reached> of(RaftPeer peer) {
        return Optional.ofNullable(reached.get(peer.toEngine().getEndpoint()));
    }

    /** That one begins anew, with nothing, from here on. */
    void begins(RaftPeer peer) {
        Endpoint endpoint = peer.toEngine().getEndpoint();
        addedNanos.put(endpoint, clock.nanos());
        reached.remove(endpoint);
    }

    private boolean isOfBefore(Endpoint endpoint, long askedNanos) {
        Long added = addedNanos.get(endpoint);
        return added != null && askedNanos - added < 0;
    }

    /** A callback that takes note of the answer, and goes on to that one. */
    InvokeCallback watch(Endpoint endpoint, AppendEntriesRequest request, InvokeCallback then) {
        long askedNanos = clock.nanos();
        long promisedIndex = promisedIndex(endpoint, request.getTerm());
        return new InvokeCallback() {
            @Override
            public void complete(Object answer, Throwable failure) {
                boolean counts = !isOfBefore(endpoint, askedNanos);
                if (counts && answer instanceof AppendEntriesResponse response && response.getSuccess()) {
                    answered(endpoint, request, askedNanos);
                }
                then.complete(answer, failure);
                if (counts && answer instanceof AppendEntriesResponse response) {
                    lookForForgotten(endpoint, promisedIndex, response);
                }
            }

            @Override
            public Executor executor() {
                return then.executor();
            }
        };
    }

    /** What it had told, before it was asked, to have on its disk, of the log of that leadership; 0 for nothing. */
    private long promisedIndex(Endpoint endpoint, long asked) {
        if (!isOfNow(asked)) {
            return 0;
        }
        Reached known = reached.get(endpoint);
        return known == null ? 0 : known.storedIndex;
    }

    /**
     * Who has stored an entry of a leadership keeps it while that lasts: the leader has all that is in it, and takes nothing back.
     */
    private void lookForForgotten(Endpoint endpoint, long promisedIndex, AppendEntriesResponse response) {
        if (!response.getSuccess() && response.hasLastLogIndex() && response.getLastLogIndex() < promisedIndex) {
            onForgotten.accept(
                    endpoint,
                    "had stored entry " + promisedIndex + ", and has none behind " + response.getLastLogIndex());
        }
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
        }
        return asked == epoch;
    }

    private static Optional<Long> inSync(long index, AppendEntriesRequest request, long askedNanos) {
        return index >= request.getCommittedIndex() ? Optional.of(askedNanos) : Optional.empty();
    }
}
