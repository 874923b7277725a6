package io.duramen.simulation.run;

import io.duramen.broker.shard.OperatorRequest.ChangeDestination;
import io.duramen.broker.shard.OperatorRequest.FindSettings;
import io.duramen.broker.shard.OperatorRequest.SettingEntry;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.simulation.SeededRandom;
import io.duramen.simulation.Simulation;
import io.duramen.simulation.broker.SimulatedServer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Changes at random times to which queue the dead letters of queues go, and sees in the end that what it was told of its last
 * changes holds, whatever happened to the server meanwhile. Confined to the simulation.
 */
final class SettingsChanger {
    /** Where dead letters go while that is changed. */
    static final String CHANGED = "DLQ.changed";

    private static final String KEY = "dead-letters";
    private static final int WAIT_NANOS_MAX = 40_000_000;

    private final SimulatedServer server;
    private final Simulation simulation;
    private final SeededRandom random;
    private final List<String> queues;

    /** What may hold: what was told last, and what was asked for since without an answer. */
    private final Map<String, Set<String>> possible = new HashMap<>();

    private final Map<String, CompletableFuture<List<SettingEntry>>> found = new HashMap<>();
    private boolean over;

    SettingsChanger(SimulatedServer server, SeededRandom random, List<String> queues) {
        this.server = server;
        this.simulation = server.simulation();
        this.random = random;
        this.queues = queues;
        queues.forEach(queue -> possible.put(queue, Set.of("DLQ." + queue)));
        next();
    }

    private void next() {
        simulation.after(random.below(WAIT_NANOS_MAX), () -> {
            if (!over) {
                change(random.pick(queues), random.oneIn(2));
                next();
            }
        });
    }

    private void change(String queue, boolean elsewhere) {
        if (!server.isOpen()) {
            return;
        }
        String wanted = elsewhere ? CHANGED : "DLQ." + queue;
        Set<String> before = possible.get(queue);
        Set<String> now = new HashSet<>(before);
        now.add(wanted);
        possible.put(queue, now);
        server.asks(new ChangeDestination(queue, KEY + ":" + (elsewhere ? CHANGED : "")))
                .whenComplete((done, refusal) -> {
                    if (possible.get(queue) != now) {
                        return; // another was asked for since
                    }
                    if (refusal == null) {
                        simulation.note("operator", "has changed " + queue + " to " + wanted, 0, 0);
                        possible.put(queue, Set.of(wanted));
                    } else if (refusal instanceof ProtocolException why
                            && why.code() == ErrorCode.DESTINATION_NOT_FOUND) {
                        possible.put(queue, before);
                    }
                });
    }

    void end() {
        over = true;
    }

    /** Asks for what holds. */
    void look() {
        queues.forEach(queue -> found.put(queue, server.asks(new FindSettings(queue))));
    }

    /** After the answers have come. */
    void check() {
        found.forEach((queue, answer) -> {
            if (!answer.isDone()) {
                throw new AssertionError("the server has not told what holds for '" + queue + "'");
            }
            String holds = answer.join().stream()
                    .filter(one -> one.key().equals(KEY))
                    .findFirst()
                    .orElseThrow()
                    .value();
            if (!possible.get(queue).contains(holds)) {
                throw new AssertionError(
                        "dead letters of '" + queue + "' go to " + holds + ", which is none of " + possible.get(queue));
            }
        });
    }
}
