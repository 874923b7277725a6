package io.duramen.simulation.run;

import io.duramen.broker.shard.OperatorRequest.ChangeDestination;
import io.duramen.broker.shard.OperatorRequest.FindFull;
import io.duramen.broker.shard.OperatorRequest.FullEntry;
import io.duramen.simulation.SeededRandom;
import io.duramen.simulation.Simulation;
import io.duramen.simulation.broker.SimulatedServer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Limits queues at random times, whose senders are refused or wait then, and sees that none of their partitions comes to have more
 * than it may, whatever happens to the server meanwhile. Confined to the simulation.
 */
final class Limiter {
    private static final int WAIT_NANOS_MAX = 20_000_000;

    /** No batch of a producer has more messages than the least limit. */
    private static final int LEAST = 4;

    private static final int MOST = 6;

    private final SimulatedServer server;
    private final Simulation simulation;
    private final SeededRandom random;
    private final List<String> queues;

    /** Queues that were asked to be limited otherwise, and maybe are. */
    private final Set<String> asked = new HashSet<>();

    /** Since the last change: most that a partition may have by now, where it had more when it was limited. */
    private final Map<Integer, Long> most = new HashMap<>();

    /** Shards that were looked at since then. */
    private final Set<Integer> looked = new HashSet<>();

    private boolean ended;
    private long changes;
    private long full;

    Limiter(SimulatedServer server, SeededRandom random, List<String> queues) {
        this.server = server;
        this.simulation = server.simulation();
        this.random = random;
        this.queues = queues;
        next();
    }

    private void next() {
        simulation.after(random.below(WAIT_NANOS_MAX), () -> {
            if (!ended) {
                if (random.oneIn(4)) {
                    change(random.pick(queues));
                } else {
                    look();
                }
                next();
            }
        });
    }

    private void change(String queue) {
        if (!server.isOpen()) {
            return;
        }
        String messages = random.oneIn(8) ? "" : "" + random.between(LEAST, MOST);
        String bytes = random.oneIn(2) ? "" : "" + random.between(1000, 4000);
        String settings = "max-messages:" + messages + " max-bytes:" + bytes + " when-full:"
                + (random.oneIn(4) ? "refuse" : "block");
        changes++;
        most.clear();
        looked.clear();
        asked.add(queue);
        long change = changes;
        server.asks(new ChangeDestination(queue, settings)).whenComplete((done, refusal) -> {
            if (changes == change && refusal == null) {
                simulation.note("operator", "has limited " + queue + " to " + settings, 0, 0);
                asked.remove(queue);
            }
        });
    }

    private void look() {
        if (!server.isOpen() || !asked.isEmpty()) {
            return;
        }
        long before = changes;
        for (int number = 0; number < server.shards(); number++) {
            int shard = number;
            server.asks(shard, new FindFull("")).whenComplete((page, refusal) -> {
                if (refusal == null && changes == before) {
                    page.entries().forEach(entry -> check(shard, entry));
                    looked.add(shard);
                }
            });
        }
    }

    /** What is not full has no more than it may, and is not among these. */
    private void check(int shard, FullEntry now) {
        full++;
        long may = most.getOrDefault(now.partition(), looked.contains(shard) ? now.messagesMax() : Long.MAX_VALUE);
        if (now.messages() > may) {
            throw new AssertionError(now + " has more messages than " + may);
        }
        most.put(now.partition(), Math.max(now.messages(), now.messagesMax()));
    }

    /** How often it has seen a partition that was full. */
    long full() {
        return full;
    }

    /** Changes nothing more; what is limited stays so. */
    void end() {
        ended = true;
    }
}
