package io.duramen.node.cluster;

import io.duramen.node.shard.Leaderships;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.ForShard;
import io.duramen.replication.raft.Mending;
import io.duramen.replication.raft.RaftLog;
import io.duramen.replication.raft.RaftPeer;
import io.duramen.replication.raft.Roster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which shards this node leads, may lead, and hands on to another. Nothing here asks the consensus engine. From any thread. */
final class Handover implements Leaderships, Mending.OtherShards {
    private static final Logger LOG = LoggerFactory.getLogger(Handover.class);
    private static final int SECONDS_MAX = 10;

    /**
     * What a node that does not lead shard 0 leads nobody else for, it stands for once it lacks a leader for so many election timeouts; and
     * one whose disk is full for whatever lacks one for so long.
     */
    private static final int TIMEOUTS_LEADERLESS = 3;

    /** A node that has said nothing for so many is not counted on. */
    private static final int TIMEOUTS_HEARD = 5;

    /** Who has said that it leads is taken to do so for so many election timeouts. */
    private static final int TIMEOUTS_KNOWN = 3;

    private final RaftPeer peer;
    private final String self;
    private final Holdings holdings;
    private final KnownLeaders knownLeaders;
    private final BiPredicate<String, Duration> heard;
    private final Duration electionTimeout;
    private final List<LocalReplica> replicas;
    private final LocalChanges changes;
    private final Mendings mendings;

    /** Whether each node may lead some of the shards; else one leads all. */
    private final boolean several;

    /** Whether an operator keeps this node from leading. */
    private volatile boolean drained;

    /** Whether one of its shards is broken. */
    private volatile boolean aside;

    /** Whom an operator has chosen, for this time of leading. */
    private volatile Optional<String> chosen = Optional.empty();

    /**
     * @param rosters of the shards, by number
     * @param heard whether another node was, within a time
     */
    Handover(
            Membership membership,
            RaftPeer self,
            List<Roster> rosters,
            Holdings holdings,
            BiPredicate<String, Duration> heard) {
        this.heard = heard;
        this.peer = self;
        this.self = self.name();
        this.holdings = holdings;
        this.knownLeaders = new KnownLeaders(
                rosters.size(),
                TIMEOUTS_KNOWN * membership.config().electionTimeout().toNanos());
        this.electionTimeout = membership.config().electionTimeout();
        this.several = membership.hasSeveralLeaders();
        this.replicas = IntStream.range(0, rosters.size())
                .mapToObj(shard -> new LocalReplica(shard, rosters.get(shard), this))
                .toList();
        this.mendings = new Mendings(self.name(), replicas);
        this.changes = new LocalChanges(self.name(), replicas, electionTimeout);
    }

    List<LocalReplica> replicas() {
        return replicas;
    }

    LocalChanges changes() {
        return changes;
    }

    Mendings mendings() {
        return mendings;
    }

    Holdings holdings() {
        return holdings;
    }

    KnownLeaders knownLeaders() {
        return knownLeaders;
    }

    /** Names of all other nodes of the cluster: shard 0 is on all of them. */
    List<String> others() {
        return replicas.get(0).roster().everyone().stream()
                .map(RaftPeer::name)
                .filter(name -> !name.equals(self))
                .toList();
    }

    boolean isShard(ShardStanding standing) {
        return standing.shard() >= 0 && standing.shard() < replicas.size();
    }

    /** Whether this node is one of the cluster's, as far as it knows: one that was removed keeps what it has. */
    boolean belongsToCluster() {
        return replicas.get(ForShard.CATALOGUE).roster().has(peer);
    }

    /** Whether this node has perhaps got a replica without knowing it, or lost one. */
    boolean mayHaveOtherShards() {
        return replicas.stream()
                .anyMatch(replica -> !isReplica(replica) || replica.leader().isEmpty());
    }

    /** Whether this node's replica belongs to its group, as far as it knows. */
    private boolean isReplica(LocalReplica replica) {
        return holdings.has(replica.shard()) && replica.roster().has(peer);
    }

    boolean isDrained() {
        return drained;
    }

    void drained(boolean now) {
        drained = now;
    }

    /**
     * Whether this node may be chosen for a shard. While another leads shard 0, that is to lead the rest: this one stands only where that does
     * not come about. One whose disk is full leaves it to others, unless there are none.
     */
    boolean mayStand(LocalReplica replica) {
        if (!mayLead()) {
            return false;
        }
        if (replica.isFull() && !replica.isLeaderlessFor(TIMEOUTS_LEADERLESS * electionTimeout.toNanos())) {
            return false;
        }
        Optional<String> first = leader(0);
        return several
                || replica.shard() == 0
                || first.isEmpty()
                || first.get().equals(self)
                || replica.isLeaderlessFor(TIMEOUTS_LEADERLESS * electionTimeout.toNanos());
    }

    /** Whether it may lead at all: while one of its replicas begins anew it could not lead them all. */
    boolean mayLead() {
        return !drained && !aside && !mendings.areUnderWay();
    }

    @Override
    public String self() {
        return self;
    }

    @Override
    public List<String> voters() {
        return replicas.get(0).roster().voters().stream().map(RaftPeer::name).toList();
    }

    @Override
    public Duration electionTimeout() {
        return electionTimeout;
    }

    @Override
    public Optional<String> leader(int shard) {
        LocalReplica replica = replicas.get(shard);
        return isReplica(replica)
                ? replica.leader().map(RaftPeer::name)
                : knownLeaders.leader(shard, System.nanoTime());
    }

    /** Names of the nodes that decide in a shard; empty where that is not known. */
    List<String> votersIn(int shard) {
        LocalReplica replica = replicas.get(shard);
        if (isReplica(replica)) {
            return replica.roster().voters().stream().map(RaftPeer::name).toList();
        }
        List<String> told = knownLeaders.voters(shard);
        return told.isEmpty() ? holdings.votersIn(shard) : told;
    }

    /** Keeps who decides in shards that this node has no replica of: after a start nobody may be there to say so. */
    void rememberVoters() {
        for (LocalReplica replica : replicas) {
            List<String> voters = knownLeaders.voters(replica.shard());
            if (!holdings.has(replica.shard()) && !voters.isEmpty()) {
                holdings.votersIn(replica.shard(), voters);
            }
        }
    }

    @Override
    public boolean mayBeLed(int shard) {
        List<String> voters = votersIn(shard);
        Duration patience = electionTimeout.multipliedBy(TIMEOUTS_HEARD);
        long there = voters.stream()
                .filter(name -> name.equals(self) || heard.test(name, patience))
                .count();
        return voters.isEmpty() || there >= Membership.majority(voters.size());
    }

    private boolean leads(LocalReplica replica) {
        return leader(replica.shard()).equals(Optional.of(self));
    }

    boolean leadsAll() {
        return replicas.stream().allMatch(this::leads);
    }

    boolean leadsAny() {
        return replicas.stream().anyMatch(this::leads);
    }

    /** How each of some shards stands, as this node sees it. */
    List<ShardStanding> standings(List<LocalReplica> of) {
        return of.stream()
                .map(replica -> ShardStanding.of(replica, leader(replica.shard())))
                .toList();
    }

    /** What this node leads. */
    List<LocalReplica> led() {
        return replicas.stream().filter(this::leads).toList();
    }

    /** Its shards begin anew: who was to lead in this node's place has had its time. */
    void begun(LocalReplica replica) {
        if (replica.shard() == 0) {
            chosen = Optional.empty();
        }
    }

    @Override
    public boolean canTake(int shard, String node) {
        LocalReplica replica = replicas.get(shard);
        return replica.isInSync(node) && !(several && replica.isChanging());
    }

    @Override
    public boolean areInSync(RaftPeer peer) {
        return replicas.stream()
                .filter(replica -> leads(replica) && replica.roster().has(peer))
                .allMatch(replica -> replica.isInSync(peer.name()));
    }

    @Override
    public boolean mayLead(RaftPeer peer) {
        return areInSync(peer)
                && replicas.stream()
                        .filter(this::leads)
                        .flatMap(replica -> replica.log().stream())
                        .noneMatch(log -> log.leaves().isDamaged(peer));
    }

    @Override
    public Optional<String> leavingBut(String node) {
        return mendings.leavingBut(node);
    }

    @Override
    public void chosen(RaftPeer peer) {
        if (leadsAll()) {
            chosen = Optional.of(peer.name());
        }
    }

    @Override
    public void handOn(int shard, Optional<String> to) {
        LocalReplica replica = replicas.get(shard);
        replica.log().ifPresent(log -> log.stepDown(to.flatMap(replica.roster()::peer)));
    }

    /**
     * Has another node lead all shards that this one leads; returns when it leads none.
     *
     * @throws ProtocolException where it has not stepped down in time
     */
    void to(String successor) {
        chosen = Optional.of(successor);
        boolean left = await(handOnAll(RaftLog::stepDown), SECONDS_MAX * 1_000L);
        if (several) {
            chosen = Optional.empty();
        }
        if (!left) {
            throw new ProtocolException(ErrorCode.NOT_LEADER, "this node has not stepped down yet");
        }
    }

    /**
     * Hands each shard that this node leads on to whoever is furthest there; returns when it leads none.
     *
     * @throws ProtocolException where nobody else is in sync in one of them, and nothing has changed; or where it has not stepped down in time
     */
    void spread() {
        for (LocalReplica replica : replicas) {
            if (leads(replica)
                    && replica.roster().voters().stream()
                            .noneMatch(peer -> !peer.name().equals(self) && replica.isInSync(peer.name()))) {
                throw new ProtocolException(
                        ErrorCode.INVALID_REQUEST, "no other node is in sync in shard " + replica.shard());
            }
        }
        if (!await(handOnAll(RaftLog::stepDown), SECONDS_MAX * 1_000L)) {
            throw new ProtocolException(ErrorCode.NOT_LEADER, "this node has not stepped down yet");
        }
    }

    boolean isSpread() {
        return several;
    }

    @Override
    public void leadNoMore() {
        changes.awaitLeft();
        await(handOnAll(RaftLog::stepDown), electionTimeout.toMillis());
    }

    @Override
    public void chooseSuccessor() {
        await(handOnAll(RaftLog::handOnTo), electionTimeout.toMillis());
    }

    private List<CompletableFuture<?>> handOnAll(
            BiFunction<RaftLog, Optional<RaftPeer>, CompletableFuture<?>> handingOn) {
        Optional<String> ofAll = several ? chosen : successor();
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (LocalReplica replica : replicas) {
            if (leads(replica)) {
                Optional<String> successor = several ? ofAll.or(replica::relievedBy) : ofAll;
                replica.log()
                        .ifPresent(log -> all.add(handingOn.apply(log, successor.flatMap(replica.roster()::peer))));
            }
        }
        return all;
    }

    /**
     * Whom an operator has chosen, who leads shard 0, who has room where this node has none, or who has all of what this node leads; the same
     * for all shards.
     */
    private Optional<String> successor() {
        return chosen.or(() -> leader(0).filter(name -> !name.equals(self)))
                .or(this::relievedBy)
                .or(this::furthest);
    }

    private Optional<String> relievedBy() {
        return replicas.stream()
                .map(LocalReplica::relievedBy)
                .flatMap(Optional::stream)
                .findFirst();
    }

    private Optional<String> furthest() {
        List<LocalReplica> led = led();
        if (led.isEmpty()) {
            return Optional.empty();
        }
        return led.get(0).roster().voters().stream()
                .map(RaftPeer::name)
                .filter(name -> !name.equals(self) && led.stream().allMatch(replica -> replica.isInSync(name)))
                .findFirst();
    }

    private boolean await(List<CompletableFuture<?>> all, long millis) {
        try {
            CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(millis, TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("This node leads some shards yet, which were to be handed on", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    @Override
    public void standAside() {
        aside = true;
    }
}
