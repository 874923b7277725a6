package io.duramen.node.cluster;

import io.duramen.node.shard.Logs.Due;
import io.duramen.protocol.frame.ForShard;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which shards this node has a replica of, and which it is to have, as those say that lead them: the group's log decides, and this follows. It takes one
 * once its leader names it among the replicas, and drops one once it is decided that it is none. Shard 0, with the catalogue, it has for as long as it is a node of the cluster. From any thread.
 */
final class Holdings {
    private static final Logger LOG = LoggerFactory.getLogger(Holdings.class);

    private final String self;
    private final ClusterFile file;
    private final Map<Integer, Due> due = new ConcurrentHashMap<>();

    /** As the file has it, which is asked for whatever passes between nodes, and may be busy with its disk. */
    private final Map<Integer, List<String>> without = new ConcurrentHashMap<>();

    /** @param self name of this node */
    Holdings(String self, ClusterFile file, int shards) {
        this.self = self;
        this.file = file;
        for (int shard = 0; shard < shards; shard++) {
            if (!file.hasShard(shard)) {
                without.put(shard, file.votersIn(shard));
            }
        }
    }

    /** Never waits. */
    boolean has(int shard) {
        return !without.containsKey(shard);
    }

    /** Names of the nodes that decide in a shard that this one has no replica of, as was told last; empty where it never was. Never waits. */
    List<String> votersIn(int shard) {
        return without.getOrDefault(shard, List.of());
    }

    void votersIn(int shard, List<String> names) {
        if (without.replace(shard, names) == null || names.equals(file.votersIn(shard))) {
            return;
        }
        try {
            file.votersIn(shard, names);
        } catch (IOException e) {
            LOG.warn("Which nodes have shard {} is not noted; it is told again", shard, e);
        }
    }

    /** What is to be done about a shard. */
    Due due(int shard) {
        return due.getOrDefault(shard, Due.NOTHING);
    }

    /**
     * A node has told how a shard stands.
     *
     * @param epoch of the shard, as far as this node's replica knows, where it has one: who led before that does not know who belongs to it now
     */
    void said(String node, ShardStanding standing, long epoch) {
        if (standing.shard() == ForShard.CATALOGUE || !standing.leader().equals(Optional.of(node))) {
            return;
        }
        boolean isMember = standing.has(self);
        if (has(standing.shard()) == isMember) {
            due.remove(standing.shard());
        } else if (isMember) {
            due.put(standing.shard(), Due.TAKE);
        } else if (standing.isDecided() && standing.epoch() >= epoch) {
            due.put(standing.shard(), Due.DROP);
        }
    }

    /**
     * Its replica is in place.
     *
     * @throws IOException where that cannot be noted: it has none then
     */
    void taken(int shard) throws IOException {
        file.hasShard(shard, true);
        without.remove(shard);
        due.remove(shard);
    }

    /**
     * It has none from here on, whatever files there are of it.
     *
     * @throws IOException where that cannot be noted: it has one yet
     */
    void dropped(int shard) throws IOException {
        file.hasShard(shard, false);
        without.put(shard, file.votersIn(shard));
        due.remove(shard);
    }
}
