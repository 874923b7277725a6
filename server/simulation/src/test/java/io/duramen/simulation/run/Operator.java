package io.duramen.simulation.run;

import io.duramen.broker.shard.OperatorRequest.PauseDestination;
import io.duramen.simulation.SeededRandom;
import io.duramen.simulation.Simulation;
import io.duramen.simulation.broker.Attachment;
import io.duramen.simulation.broker.Observer;
import io.duramen.simulation.broker.SimulatedServer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Pauses queues and has them go on at random times, and sees that nothing is handed out of what is paused, whatever happens to
 * the server meanwhile. Confined to the simulation.
 */
final class Operator implements Observer {
    private static final int WAIT_NANOS_MAX = 30_000_000;
    private static final int RETRY_NANOS = 2_000_000;

    private final SimulatedServer server;
    private final Simulation simulation;
    private final SeededRandom random;
    private final List<String> queues;

    /** The operator was told that they are, and has not had them go on. */
    private final Set<String> paused = new HashSet<>();

    /** About which the server has been asked, and has not answered; with the number of the question. */
    private final Map<String, Integer> asked = new HashMap<>();

    private int questions;

    private boolean over;

    Operator(SimulatedServer server, SeededRandom random, List<String> queues) {
        this.server = server;
        this.simulation = server.simulation();
        this.random = random;
        this.queues = queues;
        server.add(this);
        next();
    }

    private void next() {
        simulation.after(random.below(WAIT_NANOS_MAX), () -> {
            if (!over) {
                ask(random.pick(queues), random.oneIn(2));
                next();
            }
        });
    }

    private void ask(String queue, boolean pause) {
        if (!server.isOpen() || asked.containsKey(queue)) {
            return;
        }
        int question = ++questions;
        asked.put(queue, question);
        if (!pause) {
            paused.remove(queue);
        }
        server.asks(new PauseDestination(queue, pause)).whenComplete((done, refusal) -> {
            // An answer to what was asked before it was asked again says nothing.
            if (asked.remove(queue, question) && pause && refusal == null) {
                simulation.note("operator", "has paused " + queue, 0, 0);
                paused.add(queue);
            }
        });
    }

    /** Has everything go on, for good. */
    void end() {
        over = true;
        queues.forEach(this::resume);
    }

    private void resume(String queue) {
        paused.remove(queue);
        if (!server.isOpen() || asked.containsKey(queue)) {
            simulation.after(RETRY_NANOS, () -> resume(queue));
            return;
        }
        int question = ++questions;
        asked.put(queue, question);
        server.asks(new PauseDestination(queue, false)).whenComplete((done, refusal) -> asked.remove(queue, question));
    }

    @Override
    public void delivering(Attachment attachment, Delivery delivery) {
        String queue = attachment.subscription().destination();
        if (paused.contains(queue)) {
            throw new AssertionError(delivery.place() + " is handed out of '" + queue + "', which is paused");
        }
    }

    @Override
    public void died(boolean powerCut) {
        asked.clear();
    }
}
