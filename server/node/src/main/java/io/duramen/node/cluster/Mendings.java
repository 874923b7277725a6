package io.duramen.node.cluster;

import io.duramen.log.LogConfig;
import io.duramen.replication.raft.Mending;
import io.duramen.replication.raft.RaftReplica;
import io.duramen.replication.raft.Replacement;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/** What is known of the damage of this node's logs, by their shards. From any thread. */
final class Mendings {
    private final Map<Integer, Mending> byShard = new ConcurrentHashMap<>();

    Mending of(int shard) {
        return byShard.computeIfAbsent(shard, number -> new Mending());
    }

    /** Whether a replica takes no part, since it copies another's log in place of its own. */
    boolean areUnderWay() {
        return byShard.values().stream().anyMatch(Mending::isBegun);
    }

    /**
     * Puts another's log in place where that is due, blocking; while the replica does not run.
     *
     * @throws IOException where it was given up
     */
    void carryOut(RaftReplica.Place place, LogConfig log, BooleanSupplier givenUp) throws IOException {
        if (place.mending().isBegun()) {
            new Replacement(place, log).run(givenUp);
        }
    }
}
