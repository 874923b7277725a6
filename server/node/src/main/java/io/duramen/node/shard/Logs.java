package io.duramen.node.shard;

import io.duramen.log.LogConfig;
import io.duramen.node.directory.DataDirectory;
import io.duramen.node.relay.Crossings;
import io.duramen.protocol.FormatLevel;
import io.duramen.replication.LocalLog;
import io.duramen.replication.ReplicatedLog;
import io.duramen.runtime.Clock;
import io.duramen.runtime.agent.Waker;
import io.duramen.runtime.disk.FileDisk;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Makes the logs of this node's shards. Used by one thread at a time, but for what says otherwise. */
public interface Logs extends AutoCloseable {
    /** Those of a node by itself. */
    Logs LOCAL = new Logs() {
        @Override
        public void prepare(DataDirectory directory) throws IOException {
            directory.requireNoCluster();
        }

        @Override
        public void prepare(DataDirectory directory, int shard) {
            // Nothing was copied for it.
        }

        @Override
        public ReplicatedLog open(int shard, FileDisk disk, Clock clock, LogConfig config, Waker waker) {
            return new LocalLog(disk, clock, config, new SecureRandom().nextInt());
        }

        @Override
        public void close() {
            // Nothing is shared.
        }
    };

    /**
     * Checks that what the directory holds may be opened by these, and puts in place what was copied for it; while none of its shards
     * runs, and before their state is opened.
     *
     * @throws IOException where it may not
     */
    void prepare(DataDirectory directory) throws IOException;

    /**
     * Puts in place what was copied for a shard, which does not run; others may. From any thread.
     *
     * @throws IOException where that cannot be done
     */
    void prepare(DataDirectory directory, int shard) throws IOException;

    /**
     * A log that was not started yet. From any thread, one for a shard.
     *
     * @param disk of this log alone; closed with it
     * @param waker called from any thread when the log has something to do
     */
    ReplicatedLog open(int shard, FileDisk disk, Clock clock, LogConfig config, Waker waker);

    /** Who leads, where other nodes may; empty on a node by itself. */
    default Optional<Leaderships> leaderships() {
        return Optional.empty();
    }

    /** The other nodes, where each may lead some of the shards; empty where one leads all. The same each time. */
    default Optional<Crossings.Nodes> severalLeaders() {
        return Optional.empty();
    }

    /** What is known of what each shard does; there where {@link #severalLeaders} are, and the same each time. */
    default Optional<ShardLoads> loads() {
        return Optional.empty();
    }

    /**
     * Whether others have what a shard's log has, which cannot be opened since it is damaged: then {@link #prepare} puts another's in
     * its place.
     *
     * @param damage where, for people
     */
    default boolean replacesDamaged(int shard, String damage) {
        return false;
    }

    /** Whether {@link #prepare} copies another's log in place of a shard's, which may take long. From any thread. */
    default boolean copiesFirst(int shard) {
        return false;
    }

    /** On how many nodes a shard is; 0 on a node by itself, or where that is not known. From any thread. */
    default int replicasOf(int shard) {
        return 0;
    }

    /** Whether so many of the nodes that a shard is on answer that one of them may lead it; true where these are not known. From any thread. */
    default boolean mayBeLed(int shard) {
        return true;
    }

    /** What is to be done about a shard, where a node needs not have all. */
    enum Due {
        NOTHING,
        /** This node is to have a replica of it. */
        TAKE,
        /** It is to have none any more. */
        DROP
    }

    /** Whether this node has a replica of a shard; others lead the rest. From any thread. */
    default boolean isHeld(int shard) {
        return true;
    }

    /** What is to be done about a shard. From any thread. */
    default Due due(int shard) {
        return Due.NOTHING;
    }

    /** Tells other nodes what this one leads, and asks what it is to have. To be called some times in an election timeout; waits for no node. */
    default void lookAround() {}

    /**
     * Puts a replica of a shard in place that this node has none of, which may take long; from any thread, while that shard does not run.
     *
     * @return whether it has it then; false where that is not wanted any more
     * @throws IOException where it cannot be put in place
     */
    default boolean take(int shard) throws IOException {
        return false;
    }

    /**
     * Removes the replica of a shard, which does not run, but for what it had voted.
     *
     * @throws IOException where that cannot be done; it is gone on with at the next start
     */
    default void drop(int shard) throws IOException {}

    /** The node ends: what {@link #prepare} waits for is not waited for any more. From any thread. */
    default void giveUp() {}

    /** Whether other nodes may lead. */
    default boolean areReplicated() {
        return leaderships().isPresent();
    }

    /** {@link FormatLevel} up to which this node reads what others write. */
    default int formatMax() {
        return FormatLevel.NEWEST;
    }

    /** @param decided tells, from any thread, in which level each shard's log is written, by number; 0 where that is not known yet */
    default void followFormat(Supplier<List<Integer>> decided) {
        // Nobody else writes what this node reads.
    }

    /** How this node stands among them; empty on a node by itself. */
    default Optional<Replicas> replicas() {
        return Optional.empty();
    }

    /** Once all logs are closed. */
    @Override
    void close();
}
