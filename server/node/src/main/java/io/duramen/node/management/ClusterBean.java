package io.duramen.node.management;

import io.duramen.broker.shard.OperatorRequest;
import io.duramen.management.ClusterMXBean;
import io.duramen.management.ClusterNodeRow;
import io.duramen.management.ClusterShardRow;
import io.duramen.node.shard.Replicas;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Thread-safe. */
final class ClusterBean implements ClusterMXBean {
    private static final String BEGINS_ANEW = "BEGINS_ANEW";

    private final Replicas replicas;
    private final ShardQuestions questions;
    private final Audit audit;

    ClusterBean(Replicas replicas, ShardQuestions questions, Audit audit) {
        this.replicas = replicas;
        this.questions = questions;
        this.audit = audit;
    }

    @Override
    public String getId() {
        return replicas.standing().cluster();
    }

    @Override
    public String getRole() {
        Replicas.Standing standing = replicas.standing();
        if (standing.leads()) {
            return "LEADING";
        }
        return standing.beginsAnew().isPresent() ? BEGINS_ANEW : "FOLLOWING";
    }

    @Override
    public String getLeader() {
        return replicas.standing().leader().orElse("");
    }

    @Override
    public long getEpoch() {
        return replicas.standing().epoch();
    }

    @Override
    public long getCommittedIndex() {
        return replicas.standing().committedIndex();
    }

    @Override
    public List<String> getInSync() {
        return replicas.standing().nodes().stream()
                .filter(Replicas.Member::inSync)
                .map(Replicas.Member::name)
                .toList();
    }

    @Override
    public int getMinInSync() {
        return replicas.standing().minInSync();
    }

    @Override
    public boolean isDrained() {
        return replicas.standing().drained();
    }

    @Override
    public int getFormatLevel() {
        return replicas.standing().format().level();
    }

    @Override
    public int getFormatMax() {
        return replicas.standing().format().max();
    }

    @Override
    public List<ClusterNodeRow> list() {
        return audit.look("list of the cluster's nodes", () -> {
            Replicas.Standing standing = replicas.standing();
            return standing.nodes().stream().map(node -> row(node, standing)).toList();
        });
    }

    @Override
    public List<ClusterShardRow> listShards() {
        return audit.look(
                "list of the cluster's shards",
                () -> replicas.standing().shards().stream()
                        .map(ClusterBean::row)
                        .toList());
    }

    private static ClusterShardRow row(Replicas.OfShard shard) {
        return new ClusterShardRow(
                shard.shard(),
                shard.leader().orElse(""),
                shard.epoch(),
                shard.committedIndex(),
                shard.replicas(),
                shard.inSync(),
                shard.lagEntries().orElse(-1),
                shard.change());
    }

    private static String role(Replicas.Member node, Replicas.Standing standing) {
        if (standing.beginsAnew().equals(Optional.of(node.name()))) {
            return BEGINS_ANEW;
        }
        if (!node.votes()) {
            return "JOINING";
        }
        List<String> leaders = Stream.concat(
                        standing.leader().stream(),
                        standing.shards().stream().flatMap(shard -> shard.leader().stream()))
                .toList();
        return leaders.isEmpty() ? "UNKNOWN" : leaders.contains(node.name()) ? "LEADING" : "FOLLOWING";
    }

    private static ClusterNodeRow row(Replicas.Member node, Replicas.Standing standing) {
        String role = role(node, standing);
        return new ClusterNodeRow(
                node.name(),
                node.address(),
                node.clientAddress().orElse(""),
                role,
                node.inSync(),
                node.lagEntries().orElse(-1),
                node.silentMillis().orElse(-1),
                node.formatMax().orElse(-1));
    }

    @Override
    public String getChange() {
        return replicas.standing().change();
    }

    @Override
    public String add(String node) {
        return audit.change("adding of node " + node, () -> replicas.add(Text.orEmpty(node)));
    }

    @Override
    public String remove(String node) {
        return audit.change("removal of node " + node, () -> replicas.remove(Text.orEmpty(node)));
    }

    @Override
    public String replace(String node, String by) {
        return audit.change(
                "replacement of node " + node + " by " + by,
                () -> replicas.replace(Text.orEmpty(node), Text.orEmpty(by)));
    }

    @Override
    public String addReplica(int shard, String node) {
        return audit.change(
                "replica of shard " + shard + " for node " + node,
                () -> replicas.addReplica(shard, Text.orEmpty(node)));
    }

    @Override
    public String removeReplica(int shard, String node) {
        return audit.change(
                "removal of the replica of shard " + shard + " of node " + node,
                () -> replicas.removeReplica(shard, Text.orEmpty(node)));
    }

    @Override
    public String moveReplica(int shard, String from, String to) {
        return audit.change(
                "move of the replica of shard " + shard + " of node " + from + " to " + to,
                () -> replicas.moveReplica(shard, Text.orEmpty(from), Text.orEmpty(to)));
    }

    @Override
    public String finishUpgrade() {
        return audit.change("end of the upgrade", () -> {
            int level = replicas.formatToFinish();
            questions.askAll(new OperatorRequest.DecideFormat(level), questions.deadline());
            return "format level " + level + " is written from here on";
        });
    }

    @Override
    public void stepDown(String node) {
        String to = Text.orEmpty(node);
        audit.change("step-down" + (to.isEmpty() ? "" : " in favour of " + to), () -> {
            replicas.stepDown(Optional.of(to).filter(name -> !name.isEmpty()));
            return "this node leads no more";
        });
    }

    @Override
    public void drain() {
        audit.change("drain", () -> {
            replicas.drain();
            return "this node does not lead, and is not chosen";
        });
    }

    @Override
    public void resume() {
        audit.change("resume", () -> {
            replicas.resume();
            return "this node may lead again";
        });
    }
}
