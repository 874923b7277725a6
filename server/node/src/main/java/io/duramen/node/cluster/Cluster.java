package io.duramen.node.cluster;

import io.duramen.log.LogConfig;
import io.duramen.metadata.ShardImage;
import io.duramen.metadata.snapshot.SnapshotMetadataStore;
import io.duramen.node.directory.DataDirectory;
import io.duramen.node.shard.Logs;
import io.duramen.node.shard.Replicas;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.Redirect;
import io.duramen.protocol.frame.ForShard;
import io.duramen.replication.ReplicatedLog;
import io.duramen.replication.raft.Introduction;
import io.duramen.replication.raft.Join;
import io.duramen.replication.raft.PeerNetwork;
import io.duramen.replication.raft.PeerNetworkConfig;
import io.duramen.replication.raft.PeerTls;
import io.duramen.replication.raft.RaftConfig;
import io.duramen.replication.raft.RaftLog;
import io.duramen.replication.raft.RaftPeer;
import io.duramen.replication.raft.RaftReplica;
import io.duramen.replication.raft.ReplicaFiles;
import io.duramen.replication.raft.ReplicaRow;
import io.duramen.replication.raft.Roster;
import io.duramen.replication.raft.Seed;
import io.duramen.runtime.Clock;
import io.duramen.runtime.SystemClock;
import io.duramen.runtime.disk.FileDisk;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The cluster that this node is one of: its talk with the others, and the replicas' logs. */
public final class Cluster implements Logs, Replicas {
    private static final Logger LOG = LoggerFactory.getLogger(Cluster.class);
    private static final int STEP_DOWN_SECONDS_MAX = 10;

    /** A change that takes more election timeouts ends the leadership. */
    private static final int CHANGE_TIMEOUTS_MAX = 8;

    /** A node that has said nothing for so many election timeouts does not count for a majority. */
    private static final int TIMEOUTS_HEARD = 5;

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Membership membership;
    private final DataDirectory directory;
    private final ClusterFile file;
    private final Roster roster;
    private final PeerNetwork network;
    private final LogConfig logConfig;
    private final Mendings mendings = new Mendings();

    private volatile boolean closed;

    /** The one of shard 0, which leads where this node does; null before it was made. */
    private volatile RaftLog log;

    /** Whether an operator keeps this node from leading. */
    private volatile boolean drained;

    private Cluster(
            Membership membership, DataDirectory directory, ClusterFile file, Wires wires, LogConfig logConfig) {
        this.logConfig = logConfig;
        this.membership = membership;
        this.directory = directory;
        this.file = file;
        this.network = wires.network;
        this.roster = wires.roster;
    }

    private record Wires(PeerNetwork network, Roster roster) {}

    /**
     * Checks the directory, and listens for the other nodes.
     *
     * @throws IOException where the directory is another node's, key or certificates cannot be had, or the address cannot be bound
     */
    public static Cluster open(Membership membership, DataDirectory directory, LogConfig log) throws IOException {
        // First, as it may be wrong: the file binds the directory to what the settings say.
        Optional<PeerTls> tls =
                membership.config().hasTls() ? Optional.of(PeerKeys.of(membership.config())) : Optional.empty();
        ClusterFile file = ClusterFile.open(directory, membership);
        Roster roster = roster(membership, directory);
        PeerNetwork network = PeerNetwork.open(new PeerNetworkConfig(
                file::cluster,
                peer(membership.self()),
                roster,
                tls,
                listening(membership),
                PeerNetworkConfig.FRAME_BYTES_DEFAULT,
                new Introduction(
                        file.directoryId(),
                        membership.clientAddress(),
                        () -> file.task() == ClusterFile.Task.JOIN,
                        file)));
        try {
            requireSilent(membership, roster, network);
            file.keep();
        } catch (IOException e) {
            network.close();
            throw e;
        }
        return new Cluster(membership, directory, file, new Wires(network, roster), log);
    }

    /** Who is said to be lost must not answer: it would lead beside this node. Blocking, for some election timeouts. */
    private static void requireSilent(Membership membership, Roster roster, PeerNetwork network) throws IOException {
        List<String> lost = membership.config().recoverWithout();
        Duration patience = membership.config().electionTimeout().multipliedBy(TIMEOUTS_HEARD);
        long endNanos = System.nanoTime() + patience.toNanos();
        boolean areMembers = roster.voters().stream().anyMatch(peer -> lost.contains(peer.name()));
        while (areMembers && System.nanoTime() - endNanos < 0) {
            if (network.heardWithin(patience) > 0) {
                throw new IOException("cluster.recover-without=" + String.join(",", lost)
                        + ": another node of the cluster answers, so not all of them are lost");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private static PeerNetworkConfig.Listening listening(Membership membership) {
        String address = membership.listenAddress();
        int colon = address.lastIndexOf(':');
        String host = address.substring(0, colon);
        return new PeerNetworkConfig.Listening(
                host.startsWith("[") ? host.substring(1, colon - 1) : host,
                Integer.parseInt(address.substring(colon + 1)),
                membership.config().plain());
    }

    /**
     * Who belongs to the cluster: the log tells, once there is one; the settings tell before. They may still name who was removed,
     * and need not name who was added.
     */
    private static Roster roster(Membership membership, DataDirectory directory) throws IOException {
        List<RaftPeer> named = peers(membership);
        Roster roster;
        try {
            roster = Roster.of(new ReplicaFiles(directory.log(ForShard.CATALOGUE)), named);
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    directory.path() + " says of the cluster's nodes what does not fit cluster.nodes: "
                            + e.getMessage(),
                    e);
        }
        for (RaftPeer said : named) {
            if (!roster.ever().contains(said)) {
                throw new IOException(contradiction(said, roster));
            }
        }
        RaftPeer self = peer(membership.self());
        if (!roster.has(self)) {
            throw new IOException(self.name() + " was removed from cluster '"
                    + membership.config().id() + "', which has the nodes " + roster.everyone()
                    + ": its directory is of no use there any more. To add this machine again, give it"
                    + " another node.name and an empty directory");
        }
        return roster;
    }

    private static String contradiction(RaftPeer said, Roster roster) {
        return "cluster.nodes names " + said + ", and the cluster has the nodes " + roster.everyone() + ". "
                + (roster.ever().stream().anyMatch(known -> known.name().equals(said.name()))
                        ? "A node keeps its address; to move it, replace it by one of another name"
                        : "A node is added with 'cluster add' while the cluster runs, and not by that setting");
    }

    private static List<RaftPeer> peers(Membership membership) {
        return membership.nodes().stream().map(Cluster::peer).toList();
    }

    private static RaftPeer peer(Membership.Member node) {
        return new RaftPeer(node.name(), node.host(), node.port());
    }

    @Override
    public void prepare(DataDirectory own) throws IOException {
        if (!roster.has(peer(membership.self()))) {
            LOG.warn(
                    "This node was removed from the cluster, which has the nodes {}. It serves nobody any more, and is to"
                            + " be stopped",
                    roster.everyone());
        }
        // Whose it is was checked when this was opened.
        for (int shard = 0; shard < own.shards(); shard++) {
            new ReplicaFiles(own.log(shard)).settle();
            mendings.carryOut(place(shard), logConfig, () -> closed);
        }
        RaftReplica.Place place = place(ForShard.CATALOGUE);
        switch (file.task()) {
            case NONE -> {
                return;
            }
            case JOIN -> new Join(place, logConfig).run(() -> closed);
            case SEED -> new Seed(place, logConfig, new SystemClock(), file).run(appliedIndex(own), () -> closed);
        }
        file.done();
    }

    @Override
    public boolean replacesDamaged(int shard, String damage) {
        boolean areOthers = roster.voters().size() > 1 && votes();
        if (areOthers) {
            mendings.of(shard).requireAnother(damage);
        }
        return areOthers;
    }

    @Override
    public void giveUp() {
        closed = true;
    }

    private static long appliedIndex(DataDirectory own) throws IOException {
        try (FileDisk disk = new FileDisk(own.image(ForShard.CATALOGUE))) {
            return new SnapshotMetadataStore(disk)
                    .load(ForShard.CATALOGUE)
                    .map(ShardImage::appliedIndex)
                    .orElse(0L);
        }
    }

    @Override
    public ReplicatedLog open(int shard, FileDisk disk, Clock clock, LogConfig config, Runnable wake) {
        RaftLog made = new RaftLog(disk, clock, config, new SecureRandom().nextInt(), place(shard));
        made.onDue(wake);
        log = made;
        return made;
    }

    private RaftReplica.Place place(int shard) {
        RaftConfig raft = new RaftConfig(
                "shard-" + shard,
                peer(membership.self()),
                peers(membership),
                membership.config().electionTimeout(),
                membership.config().catchUpRate().count(),
                membership.config().minInSync(),
                membership.config().recoverWithout());
        return network.place(raft, new ReplicaFiles(directory.log(shard)), () -> !drained, mendings.of(shard));
    }

    @Override
    public boolean areReplicated() {
        return true;
    }

    /** Why a client is not served here, and where it is instead; see {@link io.duramen.protocol.Redirect}. From any thread. */
    public ProtocolException refusal() {
        RaftLog now = log;
        Optional<RaftPeer> leader = now == null ? Optional.empty() : now.leader();
        int answering =
                1 + network.heardWithin(membership.config().electionTimeout().multipliedBy(TIMEOUTS_HEARD));
        int voters = roster.voters().size();
        int needed = Membership.majority(voters);
        if (now != null && leader.isEmpty() && answering < needed && votes()) {
            return new ProtocolException(
                    ErrorCode.NO_MAJORITY,
                    "shard " + ForShard.CATALOGUE + " has no leader: " + answering + " of " + voters
                            + " nodes answer, and it takes " + needed + " to choose one");
        }
        return Redirect.to(
                leader.filter(one -> !one.name().equals(membership.self().name()))
                        .flatMap(one -> file.clientAddress(one.name())));
    }

    private boolean votes() {
        return roster.voters().contains(peer(membership.self()));
    }

    @Override
    public Optional<Replicas> replicas() {
        return Optional.of(this);
    }

    @Override
    public Standing standing() {
        RaftLog now = log;
        Optional<String> leader = now == null ? Optional.empty() : now.leader().map(RaftPeer::name);
        boolean leads = leader.equals(Optional.of(membership.self().name()));
        List<ReplicaRow> rows = now == null ? List.of() : now.replicas();
        return new Standing(
                membership.config().id(),
                leads,
                leader,
                now == null ? 0 : now.epoch(),
                now == null ? 0 : now.committedIndex(),
                drained,
                membership.minInSync(roster.voters().size()),
                rows.stream().map(this::member).toList(),
                now == null ? "" : now.members().state(),
                beginsAnew(now));
    }

    /** Itself, or whom this node, which leads, has let leave for that. */
    private Optional<String> beginsAnew(RaftLog now) {
        return mendings.areUnderWay()
                ? Optional.of(membership.self().name())
                : Optional.ofNullable(now).flatMap(RaftLog::leaving);
    }

    private Member member(ReplicaRow row) {
        String name = row.peer().name();
        boolean self = name.equals(membership.self().name());
        return new Member(
                name,
                row.peer().host() + ":" + row.peer().port(),
                self ? Optional.of(membership.clientAddress()) : file.clientAddress(name),
                row.votes(),
                row.inSync(),
                row.lagEntries().map(OptionalLong::of).orElse(OptionalLong.empty()),
                row.silentMillis().map(OptionalLong::of).orElse(OptionalLong.empty()));
    }

    @Override
    public void stepDown(Optional<String> to) {
        Standing standing = requireLeading();
        String self = membership.self().name();
        List<String> others = standing.nodes().stream()
                .filter(node -> node.inSync() && node.votes() && !node.name().equals(self))
                .map(Member::name)
                .toList();
        if (others.isEmpty() || to.isPresent() && !others.contains(to.get())) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST,
                    to.map(name -> "'" + name + "' cannot take over: ").orElse("") + "in sync are " + others
                            + " besides this node");
        }
        try {
            log.stepDown(to.flatMap(roster::peer)).get(STEP_DOWN_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new ProtocolException(ErrorCode.NOT_LEADER, "this node has not stepped down yet: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ProtocolException(ErrorCode.NOT_LEADER, "interrupted while this node stepped down");
        }
    }

    private Standing requireLeading() {
        Standing standing = standing();
        if (!standing.leads()) {
            throw new ProtocolException(
                    ErrorCode.NOT_LEADER,
                    "this node does not lead"
                            + standing.leader()
                                    .map(name -> "; " + name + " does")
                                    .orElse(""));
        }
        return standing;
    }

    @Override
    public String add(String node) {
        RaftPeer added = parse(node);
        requireLeading();
        return await(log.members().add(added));
    }

    @Override
    public String remove(String name) {
        requireLeading();
        return await(log.members().remove(name));
    }

    @Override
    public String replace(String name, String by) {
        RaftPeer added = parse(by);
        requireLeading();
        return await(log.members().replace(name, added));
    }

    private static RaftPeer parse(String node) {
        try {
            return RaftPeer.parse(node);
        } catch (IllegalArgumentException e) {
            throw new ProtocolException(ErrorCode.INVALID_REQUEST, e.getMessage());
        }
    }

    private String await(CompletableFuture<String> change) {
        try {
            return change.get(
                    CHANGE_TIMEOUTS_MAX * membership.config().electionTimeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new ProtocolException(ErrorCode.INVALID_REQUEST, e.getCause().getMessage());
        } catch (TimeoutException e) {
            throw new ProtocolException(
                    ErrorCode.NO_MAJORITY,
                    "it is not decided yet, and the list of nodes will tell: "
                            + standing().change());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ProtocolException(ErrorCode.NO_MAJORITY, "interrupted before that was decided");
        }
    }

    @Override
    public void drain() {
        drained = true;
        try {
            if (standing().leads()) {
                stepDown(Optional.empty());
            }
        } catch (ProtocolException e) {
            drained = false;
            throw e;
        }
    }

    @Override
    public void resume() {
        drained = false;
    }

    @Override
    public void close() {
        closed = true;
        network.close();
    }
}
