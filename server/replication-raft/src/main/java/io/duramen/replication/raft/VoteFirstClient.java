package io.duramen.replication.raft;

import com.alipay.sofa.jraft.ReplicatorGroup;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.error.RemotingException;
import com.alipay.sofa.jraft.option.RpcOptions;
import com.alipay.sofa.jraft.rpc.InvokeCallback;
import com.alipay.sofa.jraft.rpc.InvokeContext;
import com.alipay.sofa.jraft.rpc.RpcClient;
import com.alipay.sofa.jraft.rpc.RpcRequests.AppendEntriesRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.RequestVoteRequest;
import com.alipay.sofa.jraft.storage.RaftMetaStorage;
import com.alipay.sofa.jraft.util.Endpoint;
import java.util.function.BooleanSupplier;

/**
 * Stores the epoch and the replica's vote for itself before it asks others for theirs. The engine asks first and stores then: who
 * dies in between could vote for another in the same epoch after its restart, with its own request still on its way. Where the
 * replica is kept from leading, it asks nobody. Notes besides how far the others are. Called by
 * the engine's threads.
 */
final class VoteFirstClient implements RpcClient {
    private final RpcClient client;
    private final RaftMetaStorage vote;
    private final PeerId self;
    private final BooleanSupplier mayStand;
    private final Progress progress;

    VoteFirstClient(RpcClient client, RaftMetaStorage vote, PeerId self, BooleanSupplier mayStand, Progress progress) {
        this.mayStand = mayStand;
        this.progress = progress;
        this.client = client;
        this.vote = vote;
        this.self = self;
    }

    private void store(Object request) throws RemotingException {
        if (request instanceof RequestVoteRequest && !mayStand.getAsBoolean()) {
            throw new RemotingException("no vote is asked for: this node is kept from leading");
        }
        if (request instanceof RequestVoteRequest asked && !asked.getPreVote()) {
            try {
                vote.setTermAndVotedFor(asked.getTerm(), self);
            } catch (RuntimeException e) {
                throw new RemotingException("no vote is asked for: " + e.getMessage(), e);
            }
        }
    }

    @Override
    public boolean init(RpcOptions options) {
        return client.init(options);
    }

    @Override
    public void shutdown() {
        client.shutdown();
    }

    @Override
    public boolean checkConnection(Endpoint endpoint) {
        return client.checkConnection(endpoint);
    }

    @Override
    public boolean checkConnection(Endpoint endpoint, boolean createIfAbsent) {
        return client.checkConnection(endpoint, createIfAbsent);
    }

    @Override
    public void closeConnection(Endpoint endpoint) {
        client.closeConnection(endpoint);
    }

    @Override
    public void registerConnectEventListener(ReplicatorGroup replicators) {
        client.registerConnectEventListener(replicators);
    }

    @Override
    public Object invokeSync(Endpoint endpoint, Object request, InvokeContext context, long timeoutMillis)
            throws InterruptedException, RemotingException {
        store(request);
        return client.invokeSync(endpoint, request, context, timeoutMillis);
    }

    @Override
    public void invokeAsync(
            Endpoint endpoint, Object request, InvokeContext context, InvokeCallback callback, long timeoutMillis)
            throws InterruptedException, RemotingException {
        store(request);
        InvokeCallback noted =
                request instanceof AppendEntriesRequest append ? progress.watch(endpoint, append, callback) : callback;
        client.invokeAsync(endpoint, request, context, noted, timeoutMillis);
    }
}
