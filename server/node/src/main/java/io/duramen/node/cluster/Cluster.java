package io.duramen.node.cluster;

import io.duramen.log.LogConfig;
import io.duramen.node.directory.DataDirectory;
import io.duramen.node.relay.Crossings;
import io.duramen.node.shard.Leaderships;
import io.duramen.node.shard.Logs;
import io.duramen.node.shard.Replicas;
import io.duramen.node.shard.ShardLoads;
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
import io.duramen.replication.raft.Roster;
import io.duramen.runtime.Clock;
import io.duramen.runtime.agent.Waker;
import io.duramen.runtime.disk.FileDisk;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The cluster that this node is one of: its talk with the others, and the replicas' logs. */
public final class Cluster implements Logs {
    private static final Logger LOG = LoggerFactory.getLogger(Cluster.class);

    /** A node that has said nothing for so many election timeouts does not count for a majority. */
    private static final int TIMEOUTS_HEARD = 5;

    /** So many a node waits for the others before it takes part. */
    private static final int TIMEOUTS_TO_MEET = 2;

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Membership membership;
    private final DataDirectory directory;
    private final ClusterFile file;
    private final PeerNetwork network;
    private final LogConfig logConfig;
    private final List<LocalReplica> replicas;
    private final Handover handover;
    private final Mendings mendings;
    private final Optional<LeaderRequests> leaders;
    private final Optional<ShardLoads> loads;
    private volatile Crossings.Nodes.Listener crossings = (node, number, content) -> {};

    private volatile boolean closed;

    private Cluster(
            Membership membership, DataDirectory directory, ClusterFile file, Wires wires, LogConfig logConfig) {
        this.logConfig = logConfig;
        this.membership = membership;
        this.directory = directory;
        this.file = file;
        this.network = wires.network;
        this.handover = new Handover(
                membership,
                peer(membership.self()),
                wires.rosters,
                new Holdings(membership.self().name(), file, wires.rosters.size()),
                wires.network::hasHeard);
        this.replicas = handover.replicas();
        this.mendings = handover.mendings();
        this.leaders = membership.hasSeveralLeaders()
                ? Optional.of(new LeaderRequests(handover, network::tell))
                : Optional.empty();
        this.loads = leaders.map(asked -> new ShardLoads(
                replicas.size(),
                handover.electionTimeout(),
                (node, content) -> network.tell(node, NodeRequests.LOADS, content)));
        network.mayLead(handover::mayLead);
        network.onTold(this::told);
    }

    private void told(String node, byte number, byte[] content) {
        if (number == NodeRequests.LOADS) {
            loads.ifPresent(known -> known.told(node, content, System.nanoTime()));
        } else if (number >= NodeRequests.FIRST) {
            leaders.ifPresent(asked -> asked.told(node, number, content));
        } else {
            crossings.told(node, number, content);
        }
    }

    /** @param rosters of the shards, by number */
    private record Wires(PeerNetwork network, List<Roster> rosters) {}

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
        requireAllShards(membership, file);
        List<Roster> rosters = rosters(membership, directory, file);
        Roster roster = rosters.size() == 1 ? rosters.get(0) : Roster.of(rosters, peer(membership.self()));
        PeerNetwork network = PeerNetwork.open(new PeerNetworkConfig(
                () -> file.cluster() + PeerNetworkConfig.ledBy(membership.hasSeveralLeaders()),
                peer(membership.self()),
                roster,
                tls,
                listening(membership),
                PeerNetworkConfig.FRAME_BYTES_DEFAULT,
                new Introduction(
                        () -> file.said(membership.clientAddress()),
                        () -> file.task() == ClusterFile.Task.JOIN,
                        file)));
        try {
            requireSilent(membership, roster, network);
            file.keep();
            awaitOthers(membership, roster, file);
        } catch (IOException e) {
            network.close();
            throw e;
        }
        return new Cluster(membership, directory, file, new Wires(network, rosters), log);
    }

    /**
     * Waits for a while until all others have been met: they know when this directory was put back from a copy, and has forgotten what
     * it had promised, and when they write what this version does not read. Those that are away tell later, if nobody else does. Blocking.
     *
     * @throws IOException where that is so
     */
    private static void awaitOthers(Membership membership, Roster roster, ClusterFile file) throws IOException {
        Duration patience = membership.config().electionTimeout().multipliedBy(TIMEOUTS_TO_MEET);
        long endNanos = System.nanoTime() + patience.toNanos();
        boolean theyKnowMore = (!file.isFresh() || file.task() == ClusterFile.Task.JOIN)
                && membership.config().recoverWithout().isEmpty();
        while (theyKnowMore
                && file.refused().isEmpty()
                && System.nanoTime() - endNanos < 0
                && !hasMetAll(membership, roster, file)) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        if (file.refused().isPresent()) {
            throw new IOException(file.refused().get());
        }
    }

    private static boolean hasMetAll(Membership membership, Roster roster, ClusterFile file) {
        return roster.voters().stream()
                .allMatch(peer -> peer.name().equals(membership.self().name()) || file.hasMet(peer.name()));
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

    private static void requireAllShards(Membership membership, ClusterFile file) throws IOException {
        for (int shard = 0; shard < membership.shards(); shard++) {
            if (!membership.hasSeveralLeaders() && !file.hasShard(shard)) {
                throw new IOException("cluster.leaders=one, and this node has no replica of shard " + shard
                        + ": where one node leads, each has all shards. Give it one first, with 'cluster add-replica',"
                        + " while cluster.leaders is several");
            }
        }
    }

    /**
     * Who belongs to the cluster, by shard. A change of nodes may have come to some shards only: this node is of use while one of them
     * has it.
     */
    private static List<Roster> rosters(Membership membership, DataDirectory directory, ClusterFile file)
            throws IOException {
        List<Roster> rosters = new ArrayList<>();
        List<Roster> held = new ArrayList<>();
        RaftPeer self = peer(membership.self());
        for (int shard = 0; shard < membership.shards(); shard++) {
            if (file.hasShard(shard)) {
                held.add(roster(membership, directory, shard));
                rosters.add(held.get(held.size() - 1));
            } else {
                rosters.add(Roster.of(List.of(self)));
            }
        }
        if (held.stream().noneMatch(roster -> roster.has(self))) {
            throw new IOException(self.name() + " was removed from cluster '"
                    + membership.config().id() + "', which has the nodes "
                    + rosters.get(0).everyone()
                    + ": its directory is of no use there any more. To add this machine again, give it"
                    + " another node.name and an empty directory");
        }
        return rosters;
    }

    /**
     * Who belongs to it: the log tells, once there is one; the settings tell before. They may still name who was removed, and need not
     * name who was added.
     */
    private static Roster roster(Membership membership, DataDirectory directory, int shard) throws IOException {
        List<RaftPeer> named = peers(membership);
        Roster roster;
        try {
            roster = Roster.of(new ReplicaFiles(directory.log(shard)), named);
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
        // Whose it is was checked when this was opened.
        for (LocalReplica replica : replicas) {
            prepare(own, replica.shard());
        }
        List<RaftReplica.Place> places = replicas.stream().map(this::place).toList();
        FirstStart start = new FirstStart(places, logConfig, () -> closed);
        switch (file.task()) {
            case NONE -> {
                return;
            }
            case JOIN -> join(start);
            case SEED -> start.seed(own, file);
        }
        file.done();
    }

    private void join(FirstStart start) throws IOException {
        if (leaders.isPresent()) {
            start.join(leaders.get()::belongsTo, this::drop);
        } else {
            start.join();
        }
    }

    @Override
    public boolean isHeld(int shard) {
        return handover.holdings().has(shard);
    }

    @Override
    public int replicasOf(int shard) {
        return handover.votersIn(shard).size();
    }

    @Override
    public boolean mayBeLed(int shard) {
        return handover.mayBeLed(shard);
    }

    @Override
    public Due due(int shard) {
        return handover.holdings().due(shard);
    }

    @Override
    public void lookAround() {
        leaders.ifPresent(LeaderRequests::lookAround);
    }

    @Override
    public boolean take(int shard) throws IOException {
        LocalReplica replica = replicas.get(shard);
        BooleanSupplier givenUp = () -> closed || due(shard) != Due.TAKE;
        new ReplicaFiles(directory.log(shard)).dropAllButVote();
        try {
            new Join(place(replica, replicas.get(0).roster().everyone()), logConfig).run(givenUp);
        } catch (IOException e) {
            if (givenUp.getAsBoolean()) {
                LOG.info("This node gets no replica of shard {} after all", shard);
                return false;
            }
            throw e;
        }
        handover.holdings().taken(shard);
        LOG.info("This node has a replica of shard {} from here on", shard);
        return true;
    }

    @Override
    public void drop(int shard) throws IOException {
        handover.holdings().dropped(shard);
        new ReplicaFiles(directory.log(shard)).dropAllButVote();
        replicas.get(shard).dropped(peer(membership.self()));
        LOG.info("This node has no replica of shard {} any more: it was removed from there", shard);
    }

    @Override
    public void prepare(DataDirectory own, int shard) throws IOException {
        if (!isHeld(shard)) {
            new ReplicaFiles(own.log(shard)).dropAllButVote();
            return;
        }
        Roster roster = replicas.get(shard).roster();
        if (!roster.has(peer(membership.self()))) {
            LOG.warn(
                    "This node was removed from the cluster, which has the nodes {}. It serves nobody any more, and is to"
                            + " be stopped",
                    roster.everyone());
        }
        new ReplicaFiles(own.log(shard)).settle();
        mendings.carryOut(place(replicas.get(shard)), logConfig, () -> closed);
    }

    @Override
    public boolean replacesDamaged(int shard, String damage) {
        LocalReplica replica = replicas.get(shard);
        boolean areOthers = replica.roster().voters().size() > 1
                && votes(replica)
                && new ReplicaFiles(directory.log(shard)).haveVote();
        if (areOthers) {
            replica.mending().requireAnother(damage);
        }
        return areOthers;
    }

    @Override
    public boolean copiesFirst(int shard) {
        return mendings.isDue(replicas.get(shard));
    }

    @Override
    public void giveUp() {
        closed = true;
    }

    @Override
    public ReplicatedLog open(int shard, FileDisk disk, Clock clock, LogConfig config, Waker waker) {
        LocalReplica replica = replicas.get(shard);
        RaftLog made = new RaftLog(disk, clock, config, new SecureRandom().nextInt(), place(replica));
        made.onDue(waker);
        handover.begun(replica);
        replica.opened(made);
        return made;
    }

    private RaftReplica.Place place(LocalReplica replica) {
        return place(replica, peers(membership));
    }

    private RaftReplica.Place place(LocalReplica replica, List<RaftPeer> peers) {
        RaftConfig raft = new RaftConfig(
                "shard-" + replica.shard(),
                peer(membership.self()),
                peers,
                membership.config().electionTimeout(),
                membership.config().catchUpRate().count(),
                membership.config().minInSync(),
                membership.config().recoverWithout());
        return network.place(
                raft,
                new ReplicaFiles(directory.log(replica.shard())),
                () -> file.refused().isEmpty() && handover.mayStand(replica),
                replica.roster(),
                replica.mending(),
                replica.unread());
    }

    @Override
    public Optional<Leaderships> leaderships() {
        return Optional.of(handover);
    }

    @Override
    public Optional<Crossings.Nodes> severalLeaders() {
        return membership.hasSeveralLeaders() ? Optional.of(new Others()) : Optional.empty();
    }

    @Override
    public Optional<ShardLoads> loads() {
        return loads;
    }

    /** The other nodes, over the connections that there are. */
    private final class Others implements Crossings.Nodes {
        @Override
        public String self() {
            return handover.self();
        }

        @Override
        public Optional<String> leader(int shard) {
            return handover.leader(shard);
        }

        @Override
        public void tell(String node, byte number, byte[] content) {
            network.tell(node, number, content);
        }

        @Override
        public void onTold(Listener listener) {
            crossings = listener;
        }
    }

    /** Why a client is not served here, and where it is instead; see {@link io.duramen.protocol.Redirect}. From any thread. */
    public ProtocolException refusal() {
        LocalReplica first = replicas.get(ForShard.CATALOGUE);
        Optional<RaftPeer> leader = first.leader();
        int answering =
                1 + network.heardWithin(membership.config().electionTimeout().multipliedBy(TIMEOUTS_HEARD));
        int voters = first.roster().voters().size();
        int needed = Membership.majority(voters);
        if (first.log().isPresent() && leader.isEmpty() && answering < needed && votes(first)) {
            return new ProtocolException(
                    ErrorCode.NO_MAJORITY,
                    "shard " + ForShard.CATALOGUE + " has no leader: " + answering + " of " + voters
                            + " nodes answer, and it takes " + needed + " to choose one");
        }
        return Redirect.to(
                leader.filter(one -> !one.name().equals(membership.self().name()))
                        .flatMap(one -> file.clientAddress(one.name())));
    }

    private boolean votes(LocalReplica replica) {
        return replica.roster().voters().contains(peer(membership.self()));
    }

    @Override
    public int formatMax() {
        return file.formats().max();
    }

    @Override
    public void followFormat(Supplier<List<Integer>> decided) {
        file.formats().follow(decided);
    }

    @Override
    public Optional<Replicas> replicas() {
        return Optional.of(new ClusterReplicas(membership, file, handover, leaders));
    }

    @Override
    public void close() {
        closed = true;
        leaders.ifPresent(LeaderRequests::close);
        network.close();
        try {
            file.rememberFormat();
        } catch (IllegalArgumentException e) {
            LOG.warn("Which format level was decided is not remembered beside the logs, which tell it, too", e);
        }
    }
}
