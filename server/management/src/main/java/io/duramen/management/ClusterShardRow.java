package io.duramen.management;

import java.util.List;
import javax.management.ConstructorParameters;

/**
 * How a node's replica of a shard stands. Immutable.
 *
 * @param leader name of the node that leads the shard, as far as this one knows; empty where it knows of none
 * @param epoch number of that leadership
 * @param committedIndex index of the last entry that is committed, as far as this node knows
 * @param replicas names of the nodes that have a replica of it, and decide in it
 * @param inSync names of the nodes that have all that is committed; empty where who leads it has not said so
 * @param lagEntries that the leader has and the node that is furthest behind has not; -1 where that is not known
 * @param change of the nodes that is under way in the shard, or how the last one ended
 */
public record ClusterShardRow(
        int shard,
        String leader,
        long epoch,
        long committedIndex,
        List<String> replicas,
        List<String> inSync,
        long lagEntries,
        String change) {
    @ConstructorParameters({"shard", "leader", "epoch", "committedIndex", "replicas", "inSync", "lagEntries", "change"})
    public ClusterShardRow {
        replicas = List.copyOf(replicas);
        inSync = List.copyOf(inSync);
    }

    public int getShard() {
        return shard;
    }

    public String getLeader() {
        return leader;
    }

    public long getEpoch() {
        return epoch;
    }

    public long getCommittedIndex() {
        return committedIndex;
    }

    public List<String> getReplicas() {
        return replicas;
    }

    public List<String> getInSync() {
        return inSync;
    }

    public long getLagEntries() {
        return lagEntries;
    }

    public String getChange() {
        return change;
    }
}
