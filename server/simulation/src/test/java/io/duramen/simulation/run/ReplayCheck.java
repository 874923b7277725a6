package io.duramen.simulation.run;

import io.duramen.broker.BrokerConfig;
import io.duramen.metadata.ShardImage;
import io.duramen.simulation.Simulation;
import io.duramen.simulation.broker.Ground;
import io.duramen.simulation.broker.SimulatedServer;
import java.util.List;
import java.util.function.BiFunction;

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
        List<ShardImage> running = server.images();
        require(running, recovered(Ground::copyFor), "from its image");
        require(running, recovered(Ground::logFor), "from zero");
    }

    private static void require(List<ShardImage> running, List<ShardImage> recovered, String how) {
        if (!running.equals(recovered)) {
            throw new AssertionError("replay " + how + " gives another state:\n" + running + "\nbecame\n" + recovered);
        }
    }

    private List<ShardImage> recovered(BiFunction<Ground, Simulation, Ground> copy) {
        Simulation world = new Simulation(1);
        List<Ground> copies = server.grounds().stream()
                .map(ground -> copy.apply(ground, world))
                .toList();
        SimulatedServer other = new SimulatedServer(world, copies, config, floors);
        other.start();
        while (!other.isOpen() && world.step()) {
            // Replays.
        }
        return other.images();
    }
}
