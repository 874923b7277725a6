package io.duramen.replication.raft;

import com.alipay.sofa.jraft.ReplicatorGroup;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.error.RemotingException;
import com.alipay.sofa.jraft.option.RpcOptions;
import com.alipay.sofa.jraft.rpc.Connection;
import com.alipay.sofa.jraft.rpc.InvokeCallback;
import com.alipay.sofa.jraft.rpc.InvokeContext;
import com.alipay.sofa.jraft.rpc.RpcClient;
import com.alipay.sofa.jraft.rpc.RpcContext;
import com.alipay.sofa.jraft.rpc.RpcRequests.AppendEntriesRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.AppendEntriesResponse;
import com.alipay.sofa.jraft.util.Endpoint;
import com.google.protobuf.Message;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** Connects the replicas of one process, and cuts them off from each other. From any thread. */
final class TestNetwork implements AutoCloseable {
    private final ExecutorService executor = Executors.newCachedThreadPool();
    private final Map<Endpoint, LoanDesk> loans = new ConcurrentHashMap<>();
    private final Map<Endpoint, RequestDesk> desks = new ConcurrentHashMap<>();
    private final Map<Endpoint, AtomicInteger> refusedAppends = new ConcurrentHashMap<>();
    private final Map<Endpoint, AtomicInteger> filledAppends = new ConcurrentHashMap<>();
    private final Set<Endpoint> cutOff = ConcurrentHashMap.newKeySet();
    private final Map<Endpoint, ReplicatorGroup> replicators = new ConcurrentHashMap<>();

    /** Where others ask that node for files. */
    LoanDesk loansOf(RaftPeer peer) {
        return loansAt(peer.toEngine().getEndpoint());
    }

    private LoanDesk loansAt(Endpoint endpoint) {
        return loans.computeIfAbsent(endpoint, key -> new LoanDesk());
    }

    private RequestDesk deskAt(Endpoint endpoint) {
        return desks.computeIfAbsent(endpoint, key -> new RequestDesk(executor, loansAt(endpoint)));
    }

    RpcClient clientOf(RaftPeer peer) {
        return new Client(peer.toEngine().getEndpoint());
    }

    /** Nothing goes to or comes from that node any more, nor do answers. */
    void cutOff(RaftPeer peer) {
        cutOff.add(peer.toEngine().getEndpoint());
    }

    /** How often that node has told a leader that it has no such entry as it would go on behind. */
    int refusedAppends(RaftPeer peer) {
        AtomicInteger count = refusedAppends.get(peer.toEngine().getEndpoint());
        return count == null ? 0 : count.get();
    }

    /** How often that node was sent entries. */
    int filledAppends(RaftPeer peer) {
        AtomicInteger count = filledAppends.get(peer.toEngine().getEndpoint());
        return count == null ? 0 : count.get();
    }

    void heal(RaftPeer peer) {
        Endpoint back = peer.toEngine().getEndpoint();
        cutOff.remove(back);
        PeerId id = new PeerId(back, 0);
        executor.execute(() -> replicators.forEach((from, group) -> {
            if (!from.equals(back)) {
                group.checkReplicator(id, true);
            }
        }));
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }

    private boolean isConnected(Endpoint one, Endpoint other) {
        return !cutOff.contains(one) && !cutOff.contains(other);
    }

    private final class Client implements RpcClient {
        private final Endpoint self;

        Client(Endpoint self) {
            this.self = self;
        }

        @Override
        public boolean init(RpcOptions options) {
            return true;
        }

        @Override
        public void shutdown() {
            replicators.remove(self);
        }

        @Override
        public boolean checkConnection(Endpoint endpoint) {
            return isConnected(self, endpoint);
        }

        @Override
        public boolean checkConnection(Endpoint endpoint, boolean createIfAbsent) {
            return checkConnection(endpoint);
        }

        @Override
        public void closeConnection(Endpoint endpoint) {}

        @Override
        public void registerConnectEventListener(ReplicatorGroup group) {
            replicators.put(self, group);
        }

        @Override
        public Object invokeSync(Endpoint endpoint, Object request, InvokeContext context, long timeoutMillis)
                throws InterruptedException, RemotingException {
            CompletableFuture<Object> answer = new CompletableFuture<>();
            invokeAsync(
                    endpoint,
                    request,
                    context,
                    (result, error) -> {
                        if (error == null) {
                            answer.complete(result);
                        } else {
                            answer.completeExceptionally(error);
                        }
                    },
                    timeoutMillis);
            try {
                return answer.get(timeoutMillis, TimeUnit.MILLISECONDS);
            } catch (ExecutionException | TimeoutException e) {
                throw new RemotingException(e);
            }
        }

        @Override
        public void invokeAsync(
                Endpoint endpoint, Object request, InvokeContext context, InvokeCallback callback, long timeoutMillis)
                throws RemotingException {
            if (!isConnected(self, endpoint)) {
                throw new RemotingException("cut off");
            }
            if (request instanceof AppendEntriesRequest append && append.getEntriesCount() > 0) {
                filledAppends
                        .computeIfAbsent(endpoint, of -> new AtomicInteger())
                        .incrementAndGet();
            }
            Answer answer = new Answer(self, endpoint, callback);
            try {
                deskAt(endpoint).handle((Message) request, answer);
            } catch (RejectedExecutionException e) {
                throw new RemotingException(e);
            }
        }
    }

    /** Also stands for the connection: one for each request, which keeps nothing. */
    private final class Answer implements RpcContext, Connection {
        private final Endpoint from;
        private final Endpoint to;
        private final InvokeCallback callback;
        private final Map<String, Object> attributes = new ConcurrentHashMap<>();

        Answer(Endpoint from, Endpoint to, InvokeCallback callback) {
            this.from = from;
            this.to = to;
            this.callback = callback;
        }

        @Override
        public void sendResponse(Object response) {
            boolean arrives = isConnected(from, to);
            if (response instanceof AppendEntriesResponse append && append.hasLastLogIndex() && !append.getSuccess()) {
                refusedAppends.computeIfAbsent(to, of -> new AtomicInteger()).incrementAndGet();
            }
            Runnable complete = () ->
                    callback.complete(arrives ? response : null, arrives ? null : new RemotingException("cut off"));
            try {
                if (callback.executor() == null) {
                    executor.execute(complete);
                } else {
                    callback.executor().execute(complete);
                }
            } catch (RejectedExecutionException e) {
                // Its replica has ended.
            }
        }

        @Override
        public Connection getConnection() {
            return this;
        }

        @Override
        public String getRemoteAddress() {
            return from.toString();
        }

        @Override
        public Object getAttribute(String key) {
            return attributes.get(key);
        }

        @Override
        public void setAttribute(String key, Object value) {
            attributes.put(key, value);
        }

        @Override
        public Object setAttributeIfAbsent(String key, Object value) {
            return attributes.putIfAbsent(key, value);
        }

        @Override
        public void close() {}
    }
}
