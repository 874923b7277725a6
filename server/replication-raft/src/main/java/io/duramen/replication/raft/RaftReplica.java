package io.duramen.replication.raft;

import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.NodeManager;
import com.alipay.sofa.jraft.RaftServiceFactory;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.conf.Configuration;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.option.RaftOptions;
import com.alipay.sofa.jraft.option.ReadOnlyOption;
import com.alipay.sofa.jraft.rpc.RpcClient;
import com.alipay.sofa.jraft.util.Endpoint;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The engine's part of a replica: made, started and ended by the shard's agent. */
public final class RaftReplica {
    private static final Logger LOG = LoggerFactory.getLogger(RaftReplica.class);
    private static final long PAUSE_NANOS = 200_000;

    private final Place place;
    private final EngineParts parts;
    private final EngineEvents events;
    private final Progress progress;
    private final Node node;

    /**
     * Where a replica stands. Immutable.
     *
     * @param files the replica keeps two small files of its own beside those of the log
     * @param client with which it reaches the others; shut down with the replica
     * @param loans where the others ask it for files
     * @param mayStand whether it may be chosen to lead at the moment; asked from any thread
     * @param roster told by the replica who belongs to the group
     * @param mending what is known of the log's damage
     * @param unread up to where the log's entries are read no more
     * @param register told who has forgotten what it had stored
     */
    public record Place(
            RaftConfig config,
            ReplicaFiles files,
            RpcClient client,
            LoanDesk loans,
            BooleanSupplier mayStand,
            Roster roster,
            Mending mending,
            Unread unread,
            Introduction.Register register) {
        Place(RaftConfig config, ReplicaFiles files, RpcClient client, LoanDesk loans) {
            this(config, files, client, loans, (node, said) -> {});
        }

        Place(RaftConfig config, ReplicaFiles files, RpcClient client, LoanDesk loans, Introduction.Register register) {
            this(
                    config,
                    files,
                    client,
                    loans,
                    () -> true,
                    Roster.of(config.peers()),
                    new Mending(Mending.OtherShards.NONE),
                    new Unread(),
                    register);
        }

        Place with(Mending known, Unread before) {
            return new Place(config, files, client, loans, mayStand, roster, known, before, register);
        }

        SmallFile voteFile() {
            return new PathFile(files.log().resolve(ReplicaFiles.VOTE));
        }

        SmallFile membersFile() {
            return new PathFile(files.log().resolve(ReplicaFiles.MEMBERS));
        }

        /** The others find it from here on, as one that may follow them. */
        void beginFollowing(Followers.Follower follower) {
            loans.followers().add(config.group(), self().toString(), follower);
        }

        void endFollowing(Followers.Follower follower) {
            loans.followers().remove(config.group(), self().toString(), follower);
        }

        /** That one has not stored any more what it had told to have; from any thread. */
        void tellForgotten(Endpoint peer, String what) {
            roster.peer(peer).ifPresent(known -> register.forgot(known.name(), what + " of " + config.group()));
        }

        PeerId self() {
            return config.self().toEngine();
        }
    }

    /** @param progress is told how far the others are, while this replica leads */
    RaftReplica(Place place, EngineParts parts, EngineEvents events, Progress progress) {
        this.progress = progress;
        this.place = place;
        this.parts = parts;
        this.events = events;
        this.node = RaftServiceFactory.createRaftNode(place.config().group(), place.self());
    }

    Node node() {
        return node;
    }

    /**
     * Starts it, blocking.
     *
     * @param serve does what the engine asks of the log meanwhile
     * @throws IOException where it does not start
     */
    void start(IntSupplier serve) throws IOException {
        NodeManager.getInstance().addAddress(place.self().getEndpoint());
        if (!await("start", () -> node.init(options()), serve)) {
            throw new IOException(
                    "the replica of " + place.config().group() + " did not start; see the engine's messages");
        }
    }

    /**
     * Ends it, blocking: its threads use the log no more.
     *
     * @param successor who is to lead in its place, where it leads; empty for whoever is furthest
     * @param handedOver called on a thread of its own once that is done: nothing is waited for any more
     */
    void close(IntSupplier serve, Optional<RaftPeer> successor, Runnable handedOver) {
        try {
            await(
                    "end",
                    () -> {
                        successor.ifPresent(this::handOver);
                        handedOver.run();
                        node.shutdown();
                        node.join();
                        return null;
                    },
                    serve);
        } catch (IOException e) {
            LOG.warn(
                    "The replica of {} did not end as it should", place.config().group(), e);
        }
    }

    private void handOver(RaftPeer successor) {
        Status begun = node.transferLeadershipTo(successor.toEngine());
        if (!begun.isOk()) {
            LOG.warn("{} could not be made the leader: {}", successor.name(), begun.getErrorMsg());
            return;
        }
        long giveUpNanos = System.nanoTime() + place.config().electionTimeout().toNanos();
        while (place.self().equals(node.getLeaderId()) && System.nanoTime() - giveUpNanos < 0) {
            LockSupport.parkNanos(this, PAUSE_NANOS);
        }
    }

    /** Runs a step of the engine's, which may wait for the log, on a thread of its own. */
    private <T> T await(String what, Callable<T> step, IntSupplier serve) throws IOException {
        FutureTask<T> task = new FutureTask<>(step);
        new Thread(task, what + "-" + place.config().group()).start();
        while (!task.isDone()) {
            if (serve.getAsInt() == 0) {
                LockSupport.parkNanos(this, PAUSE_NANOS);
            }
        }
        try {
            return task.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IOException("the consensus engine failed to " + what + ": " + e.getCause(), e.getCause());
        }
    }

    private PeerRpcFactory.Options options() {
        PeerRpcFactory.Options options = new PeerRpcFactory.Options(
                new VoteFirstClient(place.client(), parts.vote(), place.self(), this::mayStand, progress));
        int timeoutMillis = Math.toIntExact(place.config().electionTimeout().toMillis());
        options.setElectionTimeoutMs(timeoutMillis);
        options.setInitialConf(new Configuration(place.config().members().peers()));
        options.setServiceFactory(parts);
        options.setFsm(events);
        // Where the engine's own parts would keep things; ours know.
        options.setLogUri("ours");
        options.setRaftMetaUri("ours");
        options.setSnapshotUri("ours");
        options.setSnapshotIntervalSecs(0);
        options.setDisableCli(true);
        options.setSharedElectionTimer(true);
        options.setSharedVoteTimer(true);
        options.setSharedStepDownTimer(true);
        options.setSharedSnapshotTimer(true);
        options.setSharedTimerPool(true);
        options.setRpcConnectTimeoutMs(Math.max(50, timeoutMillis / 4));
        options.setRpcDefaultTimeout(timeoutMillis * 2);
        options.setRpcProcessorThreadPoolSize(6);
        options.setRaftOptions(raftOptions(place.config().electionTimeout()));
        return options;
    }

    private boolean mayStand() {
        return place.mayStand().getAsBoolean() && !place.mending().isStuck();
    }

    private static RaftOptions raftOptions(Duration electionTimeout) {
        RaftOptions options = new RaftOptions();
        options.setDisruptorBufferSize(1024);
        options.setApplyBatch(64);
        options.setMaxAppendBufferSize(2 << 20);
        options.setMaxBodySize(1 << 20);
        options.setMaxReplicatorInflightMsgs(16);
        options.setMaxElectionDelayMs(Math.toIntExact(electionTimeout.toMillis()));
        options.setReadOnlyOptions(ReadOnlyOption.ReadOnlySafe);
        options.setEnableLogEntryChecksum(false);
        return options;
    }
}
