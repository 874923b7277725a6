package io.duramen.simulation.run;

import io.duramen.broker.BrokerConfig;
import io.duramen.simulation.SeededRandom;
import io.duramen.simulation.Simulation;
import io.duramen.simulation.broker.Ground;
import io.duramen.simulation.broker.SimulatedServer;
import io.duramen.simulation.broker.Step;
import io.duramen.simulation.client.SimulatedClient;
import io.duramen.simulation.disk.DiskFaults;
import java.util.ArrayList;
import java.util.List;

/** Breaks things at random times, one after the other, and mends the server after a while. Confined to the simulation. */
final class FaultPlan {
    private static final int PAUSE_NANOS_MAX = 40_000_000;
    private static final int DOWN_NANOS_MAX = 10_000_000;
    private static final int STEP_NANOS_MAX = 300_000;

    /** Destinations that an operator adds partitions to, and most that they have. */
    private static final List<String> GROWING =
            List.of("queue-0", "queue-1", "topic-0", "dedup", "ring-0", "ring-1", "halves");

    private static final int PARTITIONS_MAX = 7;

    private final SimulatedServer server;
    private final Simulation simulation;
    private final List<SimulatedClient> clients;
    private final BrokerConfig grown;
    private final SeededRandom random;
    private final List<Step> steps = new ArrayList<>();
    private Step awaited;
    private int stepsLeft;
    private boolean over;

    /** @param grown settings that the server starts with at some time, and from then on */
    FaultPlan(SimulatedServer server, List<SimulatedClient> clients, BrokerConfig grown) {
        this.server = server;
        this.grown = grown;
        this.simulation = server.simulation();
        this.clients = clients;
        this.random = simulation.random().split();
        server.onStep(this::reached);
        await(random.pick(List.of(Step.values())));
        next();
    }

    /** Ends all faults for good, and sees that the server is up. */
    void end() {
        over = true;
        awaited = null;
        boolean failed = false;
        for (Ground ground : server.grounds()) {
            failed |= ground.log().faults().failures() > 0;
            ground.log().faults().clear();
            ground.images().faults().clear();
        }
        if (server.isStopped() || server.isDeposed() || server.isCutOff() || failed) {
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
        Ground ground = random.pick(server.grounds());
        DiskFaults disk = ground.log().faults();
        switch (random.below(22)) {
            case 0, 1 -> server.cutPower();
            case 2, 3 -> server.kill();
            case 4 -> server.stop();
            case 5, 6, 7 -> random.pick(clients).drop();
            case 8 -> clients.forEach(SimulatedClient::drop);
            case 9 -> forAWhile(() -> disk.slowBy(random.between(5, 60)), () -> disk.slowBy(1));
            case 10 -> disk.failOperation(random.between(1, 60));
            case 11 -> ground.images().faults().failOperation(random.between(1, 3));
            case 12, 13, 14 -> await(random.pick(List.of(Step.values())));
            case 17, 18 -> lead(false);
            case 20, 21 -> lead(true);
            case 15, 16 -> server.grow(random.pick(GROWING), random.between(2, PARTITIONS_MAX));
            default -> forAWhile(() -> fillDisk(ground), () -> disk.quota(Long.MAX_VALUE));
        }
        startSoon();
    }

    /** Another node leads, of which who led before hears at once or later. */
    private void lead(boolean unheard) {
        if (server.isOverNodes()) {
            server.failOver(random.below(server.shards()), unheard);
        } else if (unheard) {
            server.cutOff(this::startSoon);
        } else {
            server.depose(this::startSoon);
        }
    }

    private void fillDisk(Ground ground) {
        ground.log().faults().quota(ground.log().usedBytes() + random.below(40_000));
    }

    /** At one of its next times, or soon after, the server dies. */
    private void await(Step step) {
        awaited = step;
        stepsLeft = random.below(4);
    }

    private void reached(Step step) {
        if (step != awaited || stepsLeft-- > 0) {
            return;
        }
        awaited = null;
        steps.add(step);
        simulation.after(random.oneIn(2) ? 0 : random.below(STEP_NANOS_MAX), () -> {
            if (!over && server.isUp()) {
                simulation.note("fault", "the server dies at step", step.ordinal(), 0);
                if (random.oneIn(2)) {
                    server.cutPower();
                } else {
                    server.kill();
                }
                startSoon();
            }
        });
    }

    /** At which steps of transactions the server died. */
    List<Step> steps() {
        return steps;
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
        for (Ground ground : server.grounds()) {
            ground.log().faults().failOperation(Long.MAX_VALUE);
        }
        DiskFaults disk = random.pick(server.grounds()).log().faults();
        if (random.oneIn(4)) {
            disk.cutPowerInCall(random.between(1, 15));
        }
        if (random.oneIn(4)) {
            server.settings(grown);
        }
        boolean started = server.start();
        disk.cutPowerInCall(Long.MAX_VALUE);
        if (!started) {
            startSoon();
        }
    }
}
