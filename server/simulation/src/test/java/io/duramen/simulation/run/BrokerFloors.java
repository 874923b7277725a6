package io.duramen.simulation.run;

import io.duramen.broker.MetadataConfig;
import io.duramen.broker.shard.ShardAgent;
import io.duramen.log.LogConfig;
import io.duramen.log.ShardLog;
import io.duramen.metadata.MetadataStore;
import io.duramen.metadata.Projection;
import io.duramen.metadata.snapshot.ProjectedMetadataStore;
import io.duramen.metadata.snapshot.SnapshotMetadataStore;
import io.duramen.replication.LocalLog;
import io.duramen.replication.ReplicatedLog;
import io.duramen.runtime.Clock;
import io.duramen.runtime.disk.Disk;
import io.duramen.runtime.settings.Bytes;
import io.duramen.simulation.SeededRandom;
import io.duramen.simulation.broker.SimulatedServer;
import io.duramen.simulation.log.LogFloors;
import java.io.IOException;
import java.time.Duration;

/** The floors that a node has, on whatever disk they are given. */
record BrokerFloors(LogConfig config, MetadataConfig metadata, boolean inDatabase, boolean keepsLog)
        implements SimulatedServer.Floors {
    static SimulatedServer.Floors of(SeededRandom random, boolean keepsLog) {
        return new BrokerFloors(LogFloors.config(random), metadata(random), !random.oneIn(4), keepsLog);
    }

    @Override
    public ReplicatedLog log(Disk disk, Clock clock) {
        LocalLog log = new LocalLog(disk, clock, config, LogFloors.SALT);
        return keepsLog ? new KeepingLog(log) : log;
    }

    @Override
    public void takeBack(Disk disk, Clock clock, long committedIndex) throws IOException {
        try (ShardLog log = new ShardLog(disk, clock, config, LogFloors.SALT)) {
            log.openUncommitted(committedIndex);
            if (log.isIdle()) { // else it stores an index that was lost, and all stays this time
                log.truncateSuffix(committedIndex);
            }
        }
    }

    private static MetadataConfig metadata(SeededRandom random) {
        return new MetadataConfig(
                MetadataConfig.Store.FILE,
                Duration.ofMillis(random.between(1, 100)),
                new Bytes(random.between(500, 50_000)),
                Duration.ofMillis(random.between(5, 200)),
                new Bytes(random.between(1000, 100_000)),
                Duration.ofMillis(random.between(1, 50)),
                random.between(1, 5));
    }

    @Override
    public ShardAgent.Metadata metadata(Projection database, Disk images) {
        MetadataStore store =
                inDatabase ? new ProjectedMetadataStore(database, images) : new SnapshotMetadataStore(images);
        return new ShardAgent.Metadata(store, metadata);
    }
}
