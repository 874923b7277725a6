package io.duramen.simulation.run;

import io.duramen.metadata.MetadataStore;
import io.duramen.replication.ReplicatedLog;
import io.duramen.runtime.Clock;
import io.duramen.runtime.disk.Disk;
import io.duramen.simulation.broker.SimulatedServer;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;

/** Runs of the whole broker on a disk that does something wrong. */
public final class BrokerMutants {
    private BrokerMutants() {}

    public static LongConsumer on(UnaryOperator<Disk> mutant) {
        return seed -> new BrokerRun(
                        seed, (random, keepsLog) -> new OnMutant(BrokerFloors.of(random, keepsLog), mutant))
                .run();
    }

    private record OnMutant(SimulatedServer.Floors floors, UnaryOperator<Disk> mutant)
            implements SimulatedServer.Floors {
        @Override
        public ReplicatedLog log(Disk disk, Clock clock) {
            return floors.log(mutant.apply(disk), clock);
        }

        @Override
        public MetadataStore store(Disk disk) {
            return floors.store(disk);
        }
    }
}
