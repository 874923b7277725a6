package io.duramen.node.cluster;

import io.duramen.log.LogConfig;
import io.duramen.replication.raft.Mending;
import io.duramen.replication.raft.RaftReplica;
import io.duramen.replication.raft.Replacement;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** The shards of this node that begin anew in place of damaged logs, each on its own, and those that others do. From any thread. */
final class Mendings {
    private final String self;
    private final List<LocalReplica> replicas;

    /** @param self name of this node */
    Mendings(String self, List<LocalReplica> replicas) {
        this.self = self;
        this.replicas = replicas;
    }

    /** Whether a replica takes no part, since it copies another's log in place of its own. */
    boolean areUnderWay() {
        return replicas.stream().map(LocalReplica::mending).anyMatch(Mending::isBegun);
    }

    /** Name of a node one of whose replicas does: this one, or whom it has let leave where it leads. */
    Optional<String> beginsAnew() {
        return areUnderWay()
                ? Optional.of(self)
                : replicas.stream()
                        .flatMap(replica -> replica.log().stream())
                        .flatMap(log -> log.leaves().leaving().stream())
                        .findFirst();
    }

    /** Name of a node, other than that one, one of whose replicas does, or was let leave by this node lately. */
    Optional<String> leavingBut(String node) {
        Stream<String> letLeave = replicas.stream()
                .flatMap(replica -> replica.log().stream())
                .flatMap(log -> log.leaves().gone().stream());
        return Stream.concat(areUnderWay() ? Stream.of(self) : Stream.empty(), letLeave)
                .filter(name -> !name.equals(node))
                .findFirst();
    }

    /** Whether another's log is due in place of this one's. */
    boolean isDue(LocalReplica replica) {
        return replica.mending().isBegun();
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
