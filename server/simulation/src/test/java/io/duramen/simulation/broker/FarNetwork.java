package io.duramen.simulation.broker;

import io.duramen.broker.shard.ShardRequest;
import io.duramen.simulation.SeededRandom;
import io.duramen.simulation.Simulation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * What shards whose leaders are on several nodes say to each other: late, not always in order, and at times twice or not at all. It comes to
 * whoever leads, or to one that led and does not know that it was succeeded. Confined to the simulation.
 */
final class FarNetwork {
    private static final int DELAY_NANOS_MAX = 200_000;
    private static final int LONG_DELAY_NANOS_MAX = 20_000_000;

    /** A leader that has not heard of the next one. */
    record Former(int number, SimulatedShard shard) {}

    private final Simulation simulation;
    private final SeededRandom random;
    private final Supplier<List<SimulatedShard>> leaders;
    private final List<Former> formers = new ArrayList<>();

    /** @param leaders those who lead, by number of shard; empty where nobody does */
    FarNetwork(Simulation simulation, Supplier<List<SimulatedShard>> leaders) {
        this.simulation = simulation;
        this.random = simulation.random().split();
        this.leaders = leaders;
    }

    void carry(int to, ByteBuffer frame) {
        int fate = random.below(40);
        if (fate > 0) {
            later(to, frame, fate == 1 ? LONG_DELAY_NANOS_MAX : DELAY_NANOS_MAX);
        }
        if (fate == 2) {
            later(to, frame, LONG_DELAY_NANOS_MAX);
        }
    }

    private void later(int to, ByteBuffer frame, int delayNanosMax) {
        simulation.after(1 + random.below(delayNanosMax), () -> arrive(to, frame.duplicate()));
    }

    private void arrive(int to, ByteBuffer frame) {
        for (Former former : formers) {
            if (former.number == to && random.oneIn(2)) {
                former.shard.offer(new ShardRequest.FromAfar(frame));
                return;
            }
        }
        List<SimulatedShard> now = leaders.get();
        if (!now.isEmpty()) {
            now.get(to).offer(new ShardRequest.FromAfar(frame));
        }
    }

    boolean hasFormer() {
        return !formers.isEmpty();
    }

    void add(Former former) {
        formers.add(former);
    }

    List<Former> formers() {
        return formers;
    }

    /** All processes end. */
    void end() {
        formers.forEach(former -> former.shard.kill());
        formers.clear();
    }
}
