package io.duramen.simulation.run;

import io.duramen.simulation.SeededRandom;
import io.duramen.simulation.Simulation;
import io.duramen.simulation.broker.SimulatedServer;
import io.duramen.simulation.client.SimulatedClient;
import io.duramen.simulation.disk.DiskFaults;
import java.util.List;

/** Breaks things at random times, one after the other, and mends the server after a while. Confined to the simulation. */
final class FaultPlan {
    private static final int PAUSE_NANOS_MAX = 40_000_000;
    private static final int DOWN_NANOS_MAX = 10_000_000;

    private final SimulatedServer server;
    private final Simulation simulation;
    private final List<SimulatedClient> clients;
    private final SeededRandom random;
    private final DiskFaults disk;
    private boolean over;

    FaultPlan(SimulatedServer server, List<SimulatedClient> clients) {
        this.server = server;
        this.simulation = server.simulation();
        this.clients = clients;
        this.random = simulation.random().split();
        this.disk = server.medium().faults();
        next();
    }

    /** Ends all faults for good, and sees that the server is up. */
    void end() {
        over = true;
        disk.clear();
        server.keeping().images().faults().clear();
        if (server.isStopped() || disk.failures() > 0) {
            // A failed read ends the handing out of a partition until the next start.
            server.kill();
        }
        while (!server.isUp()) {
            server.start();
        }
    }

    private void next() {
        simulation.after(random.below(PAUSE_NANOS_MAX), () -> {
            if (!over) {
                strike();
                next();
            }
        });
    }

    private void strike() {
        if (server.isStopped()) {
            // Whoever runs the node looks at it and starts it anew.
            server.kill();
            startSoon();
            return;
        }
        switch (random.below(13)) {
            case 0, 1 -> server.cutPower();
            case 2, 3 -> server.kill();
            case 4 -> server.stop();
            case 5, 6, 7 -> random.pick(clients).drop();
            case 8 -> clients.forEach(SimulatedClient::drop);
            case 9 -> forAWhile(() -> disk.slowBy(random.between(5, 60)), () -> disk.slowBy(1));
            case 10 -> disk.failOperation(random.between(1, 60));
            case 11 -> server.keeping().images().faults().failOperation(random.between(1, 3));
            default -> forAWhile(this::fillDisk, () -> disk.quota(Long.MAX_VALUE));
        }
        startSoon();
    }

    private void fillDisk() {
        disk.quota(server.medium().usedBytes() + random.below(40_000));
    }

    private void forAWhile(Runnable begin, Runnable end) {
        begin.run();
        simulation.after(random.below(PAUSE_NANOS_MAX), end);
    }

    private void startSoon() {
        if (!server.isUp()) {
            simulation.after(random.below(DOWN_NANOS_MAX), this::start);
        }
    }

    private void start() {
        if (over || server.isUp()) {
            return;
        }
        disk.failOperation(Long.MAX_VALUE);
        if (random.oneIn(4)) {
            disk.cutPowerInCall(random.between(1, 15));
        }
        boolean started = server.start();
        disk.cutPowerInCall(Long.MAX_VALUE);
        if (!started) {
            startSoon();
        }
    }
}
