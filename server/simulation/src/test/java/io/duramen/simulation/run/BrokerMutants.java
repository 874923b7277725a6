package io.duramen.simulation.run;

import io.duramen.broker.shard.ShardAgent;
import io.duramen.metadata.MetadataStore;
import io.duramen.metadata.Projection;
import io.duramen.replication.ReplicatedLog;
import io.duramen.runtime.Clock;
import io.duramen.runtime.disk.Disk;
import io.duramen.simulation.broker.Promises;
import io.duramen.simulation.broker.SimulatedServer;
import java.io.IOException;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;

/** Runs of the whole broker on a disk or a database that does something wrong. */
public final class BrokerMutants {
    private BrokerMutants() {}

    public static LongConsumer on(UnaryOperator<Disk> mutant) {
        return seed -> new BrokerRun(
                        seed, (random, keepsLog) -> new OnMutant(BrokerFloors.of(random, keepsLog), mutant))
                .run();
    }

    /** Runs on a database that commits how far the state is before the rows are in. */
    public static LongConsumer withHeadFirst() {
        return seed -> new BrokerRun(seed, BrokerFloors::of, true).run();
    }

    /** Runs on a store that has forgotten the dedup ids when a server starts. */
    public static LongConsumer withDedupIdsForgottenAtStart() {
        return seed -> new BrokerRun(
                        seed,
                        (random, keepsLog) ->
                                new Forgetting(BrokerFloors.of(random, keepsLog), log -> log, ForgetfulStore::ofIds))
                .run();
    }

    /** Runs on a store that has forgotten how often messages were delivered when a server starts. */
    public static LongConsumer withDeliveriesForgottenAtStart() {
        return seed -> new BrokerRun(
                        seed,
                        (random, keepsLog) ->
                                new Forgetting(BrokerFloors.of(random, keepsLog), log -> log, ForgetfulStore::ofCounts))
                .run();
    }

    /** Runs on a log in which messages that become dead letters stay where they were, too, when it is replayed. */
    public static LongConsumer withDeadLettersUnsettled() {
        return seed -> new BrokerRun(
                        seed,
                        (random, keepsLog) -> new Forgetting(
                                BrokerFloors.of(random, keepsLog), DeadLettersUnsettled::new, store -> store))
                .run();
    }

    /** Runs on a log whose records of branches' ends are not taken for what they are when they are replayed. */
    public static LongConsumer withBranchesEndsForgotten() {
        return withForgotten(DecisionsForgotten.BRANCH_ENDED);
    }

    /** Runs on a log whose records of what was decided about transactions of several shards are not taken for that. */
    public static LongConsumer withDecisionsForgotten() {
        return withForgotten(DecisionsForgotten.TRANSACTION_DECIDED);
    }

    private static LongConsumer withForgotten(byte type) {
        return seed -> new BrokerRun(
                        seed,
                        (random, keepsLog) -> new Forgetting(
                                BrokerFloors.of(random, keepsLog),
                                log -> new DecisionsForgotten(log, type),
                                store -> store))
                .run();
    }

    private record Forgetting(
            SimulatedServer.Floors floors, UnaryOperator<ReplicatedLog> logs, UnaryOperator<MetadataStore> stores)
            implements SimulatedServer.Floors {
        @Override
        public ReplicatedLog log(Disk disk, Clock clock) {
            return logs.apply(floors.log(disk, clock));
        }

        @Override
        public void takeBack(Disk disk, Clock clock, long committedIndex) throws IOException {
            floors.takeBack(disk, clock, committedIndex);
        }

        @Override
        public ShardAgent.Metadata metadata(Projection database, Disk images) {
            ShardAgent.Metadata metadata = floors.metadata(database, images);
            return new ShardAgent.Metadata(stores.apply(metadata.store()), metadata.config());
        }
    }

    /** Runs on logs of which one that is cut off from the others tells what it has alone as committed. */
    public static LongConsumer withAnswersBeforeCommit() {
        return withPromises(Promises.ALL_BUT_COMMIT);
    }

    /** Runs on logs of which one that is cut off from the others takes itself for leased however long. */
    public static LongConsumer withDispatchWithoutLease() {
        return withPromises(Promises.ALL_BUT_LEASE);
    }

    private static LongConsumer withPromises(Promises promises) {
        return seed -> new BrokerRun(
                        seed, (random, keepsLog) -> new Promising(BrokerFloors.of(random, keepsLog), promises))
                .run();
    }

    private record Promising(SimulatedServer.Floors floors, Promises promises) implements SimulatedServer.Floors {
        @Override
        public ReplicatedLog log(Disk disk, Clock clock) {
            return floors.log(disk, clock);
        }

        @Override
        public void takeBack(Disk disk, Clock clock, long committedIndex) throws IOException {
            floors.takeBack(disk, clock, committedIndex);
        }

        @Override
        public ShardAgent.Metadata metadata(Projection database, Disk images) {
            return floors.metadata(database, images);
        }
    }

    /** Runs on logs that take back what was committed, where another node leads. */
    public static LongConsumer withCommittedTakenBack() {
        return seed ->
                new BrokerRun(seed, (random, keepsLog) -> new TakingBack(BrokerFloors.of(random, keepsLog))).run();
    }

    private record TakingBack(SimulatedServer.Floors floors) implements SimulatedServer.Floors {
        private static final int TOO_MANY = 3;

        @Override
        public ReplicatedLog log(Disk disk, Clock clock) {
            return floors.log(disk, clock);
        }

        @Override
        public void takeBack(Disk disk, Clock clock, long committedIndex) throws IOException {
            floors.takeBack(disk, clock, Math.max(0, committedIndex - TOO_MANY));
        }

        @Override
        public ShardAgent.Metadata metadata(Projection database, Disk images) {
            return floors.metadata(database, images);
        }
    }

    private record OnMutant(SimulatedServer.Floors floors, UnaryOperator<Disk> mutant)
            implements SimulatedServer.Floors {
        @Override
        public ReplicatedLog log(Disk disk, Clock clock) {
            return floors.log(mutant.apply(disk), clock);
        }

        @Override
        public void takeBack(Disk disk, Clock clock, long committedIndex) throws IOException {
            floors.takeBack(mutant.apply(disk), clock, committedIndex);
        }

        @Override
        public ShardAgent.Metadata metadata(Projection database, Disk images) {
            return floors.metadata(database, images);
        }
    }
}
