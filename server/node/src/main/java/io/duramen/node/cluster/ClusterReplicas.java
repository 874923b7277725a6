package io.duramen.node.cluster;

import io.duramen.node.shard.Replicas;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.replication.raft.RaftPeer;
import io.duramen.replication.raft.ReplicaRow;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/** The shards of this node among those of the others, taken together for an operator. From any thread. */
final class ClusterReplicas implements Replicas {
    private final Membership membership;
    private final ClusterFile file;
    private final Handover handover;

    /** The others, where each may lead some of the shards. */
    private final Optional<LeaderRequests> leaders;

    private final ClusterChanges changes;

    ClusterReplicas(Membership membership, ClusterFile file, Handover handover, Optional<LeaderRequests> leaders) {
        this.membership = membership;
        this.file = file;
        this.handover = handover;
        this.leaders = leaders;
        ClusterChanges.Leaders changing =
                leaders.<ClusterChanges.Leaders>map(asked -> asked).orElse(handover.changes());
        this.changes =
                new ClusterChanges(membership.self().name(), handover.replicas().size(), changing);
    }

    @Override
    public Standing standing() {
        List<ShardStanding> shards =
                leaders.map(LeaderRequests::standings).orElseGet(() -> handover.standings(handover.replicas()));
        ShardStanding first = shards.get(0);
        return new Standing(
                membership.config().id(),
                handover.isSpread() ? handover.leadsAny() : handover.leadsAll(),
                first.leader(),
                first.epoch(),
                first.committedIndex(),
                handover.isDrained(),
                membership.minInSync(handover.voters().size()),
                members(shards),
                ShardStanding.change(shards),
                shards.stream().map(ClusterReplicas::ofShard).toList(),
                new Format(file.formats().lowest(), file.formats().max()),
                handover.mendings().beginsAnew());
    }

    @Override
    public int formatToFinish() {
        int wanted = file.formats().max();
        for (Member member : requireAble().nodes()) {
            if (member.formatMax().isEmpty()) {
                throw new ProtocolException(
                        ErrorCode.INVALID_REQUEST,
                        "node " + member.name() + " has not said yet whether it reads format level " + wanted
                                + ": it has to run; where it is lost, replace or remove it first");
            }
            if (member.formatMax().getAsInt() < wanted) {
                throw new ProtocolException(
                        ErrorCode.INVALID_REQUEST,
                        "node " + member.name() + " reads format levels up to "
                                + member.formatMax().getAsInt() + ", and this one writes " + wanted
                                + " then: start it with the new version first");
            }
        }
        return wanted;
    }

    private static OfShard ofShard(ShardStanding standing) {
        return new OfShard(
                standing.shard(),
                standing.leader(),
                standing.epoch(),
                standing.committedIndex(),
                names(standing, ReplicaRow::votes),
                names(standing, ReplicaRow::inSync),
                standing.rows().stream()
                        .flatMap(row -> row.lagEntries().stream())
                        .mapToLong(Long::longValue)
                        .max(),
                standing.change());
    }

    private static List<String> names(ShardStanding standing, Predicate<ReplicaRow> which) {
        return standing.rows().stream()
                .filter(which)
                .map(row -> row.peer().name())
                .toList();
    }

    private List<Member> members(List<ShardStanding> shards) {
        List<ReplicaRow> rows =
                shards.stream().flatMap(standing -> standing.rows().stream()).toList();
        TreeSet<RaftPeer> peers = new TreeSet<>(Comparator.comparing(RaftPeer::name));
        rows.forEach(row -> peers.add(row.peer()));
        return peers.stream()
                .map(peer -> member(
                        peer,
                        rows.stream().filter(row -> row.peer().equals(peer)).toList()))
                .toList();
    }

    /** @param rows of one node, of each shard that it has */
    private Member member(RaftPeer peer, List<ReplicaRow> rows) {
        boolean everywhere =
                rows.size() >= (handover.isSpread() ? 1 : handover.replicas().size());
        return new Member(
                peer.name(),
                peer.host() + ":" + peer.port(),
                peer.name().equals(membership.self().name())
                        ? Optional.of(membership.clientAddress())
                        : file.clientAddress(peer.name()),
                everywhere && rows.stream().allMatch(ReplicaRow::votes),
                everywhere && rows.stream().allMatch(ReplicaRow::inSync),
                known(rows, ReplicaRow::lagEntries)
                        ? OptionalLong.of(values(rows, ReplicaRow::lagEntries).sum())
                        : OptionalLong.empty(),
                known(rows, ReplicaRow::silentMillis)
                        ? values(rows, ReplicaRow::silentMillis).max()
                        : OptionalLong.empty(),
                peer.name().equals(membership.self().name())
                        ? OptionalInt.of(file.formats().max())
                        : file.formats().maxOf(peer.name()));
    }

    private static boolean known(List<ReplicaRow> rows, Function<ReplicaRow, Optional<Long>> value) {
        return rows.stream().allMatch(row -> value.apply(row).isPresent());
    }

    private static LongStream values(List<ReplicaRow> rows, Function<ReplicaRow, Optional<Long>> value) {
        return rows.stream().flatMap(row -> value.apply(row).stream()).mapToLong(Long::longValue);
    }

    @Override
    public void stepDown(Optional<String> to) {
        Standing standing = requireLeading();
        handover.to(successor(standing, to));
    }

    private String successor(Standing standing, Optional<String> to) {
        String self = membership.self().name();
        List<String> others = standing.nodes().stream()
                .filter(node -> node.inSync() && node.votes() && !node.name().equals(self))
                .sorted(Comparator.comparingLong(node -> node.lagEntries().orElse(Long.MAX_VALUE)))
                .map(Member::name)
                .toList();
        if (others.isEmpty() || to.isPresent() && !others.contains(to.get())) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST,
                    to.map(name -> "'" + name + "' cannot take over: ").orElse("") + "in sync are " + others
                            + " besides this node");
        }
        return to.orElse(others.get(0));
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

    /** Where several nodes lead, each asks the others for what they lead. */
    private Standing requireAble() {
        return handover.isSpread() ? standing() : requireLeading();
    }

    @Override
    public String add(String node) {
        RaftPeer added = parse(node);
        requireAble();
        return changes.add(added);
    }

    @Override
    public String remove(String name) {
        requireAble();
        return changes.remove(name);
    }

    @Override
    public String replace(String name, String by) {
        RaftPeer added = parse(by);
        requireAble();
        return changes.replace(name, added);
    }

    private static RaftPeer parse(String node) {
        try {
            return RaftPeer.parse(node);
        } catch (IllegalArgumentException e) {
            throw new ProtocolException(ErrorCode.INVALID_REQUEST, e.getMessage());
        }
    }

    @Override
    public String addReplica(int shard, String node) {
        requireMovable(shard);
        return changes.addReplica(shard, nodeOf(node));
    }

    @Override
    public String removeReplica(int shard, String node) {
        requireMovable(shard);
        return changes.removeReplica(shard, nodeOf(node).name());
    }

    @Override
    public String moveReplica(int shard, String from, String to) {
        requireMovable(shard);
        return changes.moveReplica(shard, nodeOf(from).name(), nodeOf(to));
    }

    private void requireMovable(int shard) {
        String why = null;
        if (!handover.isSpread()) {
            why = "where one node leads all shards each has all of them: that takes cluster.leaders=several";
        } else if (shard < 0 || shard >= handover.replicas().size()) {
            why = "there is no shard " + shard + " of " + handover.replicas().size();
        } else if (shard == 0) {
            why = "shard 0, which has the catalogue, is on all nodes";
        }
        if (why != null) {
            throw new ProtocolException(ErrorCode.INVALID_REQUEST, why);
        }
    }

    /** A node that decides in the shard that all have. */
    private RaftPeer nodeOf(String name) {
        List<RaftPeer> nodes = handover.replicas().get(0).roster().voters();
        return nodes.stream()
                .filter(node -> node.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new ProtocolException(
                        ErrorCode.INVALID_REQUEST,
                        "'" + name + "' is none of the cluster's nodes: "
                                + nodes.stream().map(RaftPeer::name).toList()));
    }

    @Override
    public void drain() {
        handover.drained(true);
        try {
            Standing standing = standing();
            if (handover.leadsAny() && handover.isSpread()) {
                handover.spread();
            } else if (handover.leadsAny()) {
                handover.to(successor(standing, Optional.empty()));
            }
        } catch (ProtocolException e) {
            handover.drained(false);
            throw e;
        }
    }

    @Override
    public void resume() {
        handover.drained(false);
    }
}
