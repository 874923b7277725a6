package io.duramen.simulation.run;

import io.duramen.broker.BrokerConfig;
import io.duramen.metadata.ShardImage;
import io.duramen.simulation.Simulation;
import io.duramen.simulation.broker.SimulatedDatabase;
import io.duramen.simulation.broker.SimulatedServer;
import io.duramen.simulation.disk.SimulatedMedium;

/** Starts other servers on copies of a medium: with the image and without, their state must be that of the one running. */
final class ReplayCheck {
    private final SimulatedServer server;
    private final BrokerConfig config;
    private final SimulatedServer.Floors floors;

    ReplayCheck(SimulatedServer server, BrokerConfig config, SimulatedServer.Floors floors) {
        this.server = server;
        this.config = config;
        this.floors = floors;
    }

    void compare() {
        ShardImage running = server.image();
        require(running, recovered(true), "from its image");
        require(running, recovered(false), "from zero");
    }

    private static void require(ShardImage running, ShardImage recovered, String how) {
        if (!running.equals(recovered)) {
            throw new AssertionError("replay " + how + " gives another state:\n" + running + "\nbecame\n" + recovered);
        }
    }

    private ShardImage recovered(boolean withImage) {
        Simulation world = new Simulation(1);
        SimulatedServer.Keeping kept = withImage ? copied(world) : empty(world);
        SimulatedServer other = new SimulatedServer(world, server.medium().copyFor(world), kept, config, floors);
        other.start();
        while (!other.isLeading() && world.step()) {
            // Replays.
        }
        return other.image();
    }

    private SimulatedServer.Keeping copied(Simulation world) {
        return new SimulatedServer.Keeping(
                server.keeping().images().copyFor(world),
                server.keeping().database().copyFor(world));
    }

    private static SimulatedServer.Keeping empty(Simulation world) {
        return new SimulatedServer.Keeping(new SimulatedMedium(world), new SimulatedDatabase(world, false));
    }
}
