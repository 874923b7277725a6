package io.duramen.replication.raft;

import com.alipay.sofa.jraft.rpc.Connection;
import com.alipay.sofa.jraft.rpc.ProtobufMsgFactory;
import com.alipay.sofa.jraft.rpc.RpcContext;
import com.alipay.sofa.jraft.rpc.RpcProcessor;
import com.alipay.sofa.jraft.rpc.RpcRequests.AppendEntriesRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.AppendEntriesRequestHeader;
import com.alipay.sofa.jraft.rpc.RpcRequests.GetFileRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.InstallSnapshotRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.InstallSnapshotResponse;
import com.alipay.sofa.jraft.rpc.impl.PingRequestProcessor;
import com.alipay.sofa.jraft.rpc.impl.core.AppendEntriesRequestProcessor;
import com.alipay.sofa.jraft.rpc.impl.core.InstallSnapshotRequestProcessor;
import com.alipay.sofa.jraft.rpc.impl.core.ReadIndexRequestProcessor;
import com.alipay.sofa.jraft.rpc.impl.core.RequestVoteRequestProcessor;
import com.alipay.sofa.jraft.rpc.impl.core.TimeoutNowRequestProcessor;
import com.google.protobuf.Message;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the engine handle what other replicas ask of those in this process. From any thread. Knows the requests of consensus alone: the
 * engine's commands to operators, which would change a group's members without asking who says so, are not among them; files are
 * read as {@link LoanDesk} says.
 */
final class RequestDesk {
    private static final Logger LOG = LoggerFactory.getLogger(RequestDesk.class);

    private final Map<String, RpcProcessor<Message>> processors = new HashMap<>();
    private final AppendEntriesRequestProcessor appends;
    private final Executor executor;
    private final LoanDesk loans;

    /**
     * @param loans what replicas in this process lend
     * @param executor for all but appends, whose order a thread for each replica keeps
     */
    RequestDesk(Executor executor, LoanDesk loans) {
        ProtobufMsgFactory.load();
        this.executor = executor;
        this.loans = loans;
        appends = new AppendEntriesRequestProcessor(executor);
        register(appends);
        register(new RequestVoteRequestProcessor(executor));
        register(new TimeoutNowRequestProcessor(executor));
        register(new ReadIndexRequestProcessor(executor));
        register(new InstallSnapshotRequestProcessor(executor));
        register(new PingRequestProcessor(executor));
    }

    @SuppressWarnings("unchecked")
    private void register(RpcProcessor<? extends Message> processor) {
        processors.put(processor.interest(), (RpcProcessor<Message>) processor);
    }

    /**
     * Handles a request, which is answered on another thread.
     *
     * @throws IllegalArgumentException where no such request is known, or its lengths do not fit each other
     */
    void handle(Message request, RpcContext context) {
        if (request instanceof GetFileRequest asked) {
            execute(executor, () -> loans.handle(asked, context));
            return;
        }
        RpcProcessor<Message> processor = processors.get(request.getClass().getName());
        if (processor == null) {
            throw new IllegalArgumentException("a request of a kind that is not answered: "
                    + request.getDescriptorForType().getName());
        }
        if (request instanceof InstallSnapshotRequest install) {
            install(install, context, processor);
            return;
        }
        Executor on = executor;
        if (request instanceof AppendEntriesRequest append) {
            requireSound(append);
            hear(append);
            on = processor.executorSelector().select(processor.interest(), headerOf(append));
        }
        execute(on == null ? executor : on, () -> processor.handleRequest(context, request));
    }

    /** One that has the entry behind which its leader would go on has nothing to copy, and the engine nothing to do. */
    private void install(InstallSnapshotRequest request, RpcContext context, RpcProcessor<Message> processor) {
        long index = request.getMeta().getLastIncludedIndex();
        long epoch = request.getMeta().getLastIncludedTerm();
        loans.followers()
                .find(request.getGroupId(), request.getPeerId())
                .map(follower -> follower.has(index, epoch))
                .orElseGet(() -> CompletableFuture.completedFuture(false))
                .thenAccept(has -> execute(executor, () -> {
                    if (has) {
                        LOG.info("The leader goes on behind entry {}, which is here: nothing is copied", index);
                        context.sendResponse(InstallSnapshotResponse.newBuilder()
                                .setTerm(request.getTerm())
                                .setSuccess(true)
                                .build());
                    } else {
                        processor.handleRequest(context, request);
                    }
                }));
    }

    /** What comes without entries says behind which one the leader goes on; one that it cannot name is 0. */
    private void hear(AppendEntriesRequest request) {
        if (request.getEntriesCount() == 0) {
            loans.followers()
                    .find(request.getGroupId(), request.getPeerId())
                    .ifPresent(follower -> follower.goesOnBehind(request.getPrevLogIndex(), request.getTerm()));
        }
    }

    private static void execute(Executor on, Runnable work) {
        try {
            on.execute(work);
        } catch (RejectedExecutionException e) {
            LOG.debug("A request came when the replica ended", e);
        }
    }

    /** The engine allocates by these lengths, and compares them with nothing. */
    private static void requireSound(AppendEntriesRequest request) {
        long left = request.getData().size();
        for (var entry : request.getEntriesList()) {
            if (entry.getDataLen() < 0 || entry.getDataLen() > left) {
                throw new IllegalArgumentException(
                        "an entry of " + entry.getDataLen() + " bytes in a request with " + left + " left");
            }
            left -= entry.getDataLen();
        }
    }

    private static AppendEntriesRequestHeader headerOf(AppendEntriesRequest request) {
        return AppendEntriesRequestHeader.newBuilder()
                .setGroupId(request.getGroupId())
                .setPeerId(request.getPeerId())
                .setServerId(request.getServerId())
                .build();
    }

    /** A connection over which requests came is gone. */
    void closed(String remoteAddress, Connection connection) {
        appends.onClosed(remoteAddress, connection);
    }
}
