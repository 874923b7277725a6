package io.duramen.simulation.broker;

import io.duramen.simulation.Simulation;
import io.duramen.simulation.disk.SimulatedMedium;

/**
 * What of a shard outlives its processes. Confined to the simulation.
 *
 * @param log where the log is
 * @param images where images of the state are
 * @param database with the state
 */
public record Ground(SimulatedMedium log, SimulatedMedium images, SimulatedDatabase database) {
    /** @param headFirst see {@link SimulatedDatabase} */
    public static Ground fresh(Simulation simulation, boolean headFirst) {
        return new Ground(
                new SimulatedMedium(simulation),
                new SimulatedMedium(simulation),
                new SimulatedDatabase(simulation, headFirst));
    }

    /** The same, as it is now, for another world. */
    public Ground copyFor(Simulation world) {
        return new Ground(log.copyFor(world), images.copyFor(world), database.copyFor(world));
    }

    /** The same log, as it is now, for another world, and nothing beside it. */
    public Ground logFor(Simulation world) {
        return new Ground(log.copyFor(world), new SimulatedMedium(world), new SimulatedDatabase(world, false));
    }

    void cutPower() {
        log.cutPower();
        images.cutPower();
        database.crash();
    }

    void killProcess() {
        log.killProcess();
        images.killProcess();
        database.crash();
    }
}
