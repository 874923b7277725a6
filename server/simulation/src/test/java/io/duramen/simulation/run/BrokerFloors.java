package io.duramen.simulation.run;

import io.duramen.log.LogConfig;
import io.duramen.metadata.MetadataStore;
import io.duramen.metadata.snapshot.SnapshotMetadataStore;
import io.duramen.replication.LocalLog;
import io.duramen.replication.ReplicatedLog;
import io.duramen.runtime.Clock;
import io.duramen.runtime.disk.Disk;
import io.duramen.simulation.SeededRandom;
import io.duramen.simulation.broker.SimulatedServer;
import io.duramen.simulation.log.LogFloors;

/** The floors that a node has, on whatever disk they are given. */
record BrokerFloors(LogConfig config, boolean keepsLog) implements SimulatedServer.Floors {
    static SimulatedServer.Floors of(SeededRandom random, boolean keepsLog) {
        return new BrokerFloors(LogFloors.config(random), keepsLog);
    }

    @Override
    public ReplicatedLog log(Disk disk, Clock clock) {
        LocalLog log = new LocalLog(disk, clock, config, LogFloors.SALT);
        return keepsLog ? new KeepingLog(log) : log;
    }

    @Override
    public MetadataStore store(Disk disk) {
        return new SnapshotMetadataStore(disk);
    }
}
