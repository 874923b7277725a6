package io.duramen.node.shard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Brings the leaderships of all shards together at one node, since shards talk with each other inside a process only. Whoever leads shard
 * 0 is to have them all: a node that leads another hands that on to it. Each waits longer after each attempt, so two nodes do not hand
 * the same to each other over and over; and who leads shard 0 and does not get the rest, because its replica of one is far behind, hands on
 * what it has to who leads that one, less and less often. Nothing is handed on to a node that lacks what is committed of it: that would
 * only end a leadership from which that node gets it. Decides alone: who asks does it. Used by one thread.
 */
final class Gathering {
    /** Whether a node has what is committed of a shard that this one leads. */
    interface Successors {
        boolean canTake(int shard, String node);
    }

    /** A node that leads shard 0 waits for the rest for so many election timeouts at first. */
    private static final int PATIENCE_TIMEOUTS = 10;

    private static final int LONGER_MAX = 32;

    private final String self;
    private final Successors successors;
    private final long timeoutNanos;
    private final Pause[] pauses;
    private Optional<String> centre = Optional.empty();
    private long centreSinceNanos;
    private int patience = PATIENCE_TIMEOUTS;

    /** Between attempts to hand on a shard. */
    private static final class Pause {
        private long untilNanos;
        private int timeouts;
    }

    /** @param self name of this node */
    Gathering(String self, int shards, Duration electionTimeout, Successors successors) {
        this.self = self;
        this.successors = successors;
        this.timeoutNanos = electionTimeout.toNanos();
        this.pauses = new Pause[shards];
        for (int shard = 0; shard < shards; shard++) {
            pauses[shard] = new Pause();
        }
    }

    /** This node has all: whatever was tried before is forgotten. */
    void complete() {
        patience = PATIENCE_TIMEOUTS;
        for (Pause pause : pauses) {
            pause.timeouts = 0;
        }
    }

    /**
     * What this node is to hand on now, and to whom, by shard.
     *
     * @param leaders names of who leads each shard, as far as this node knows
     */
    Map<Integer, String> toHandOn(List<Optional<String>> leaders, long nowNanos) {
        Optional<String> first = leaders.get(0);
        if (!first.equals(centre)) {
            centre = first;
            centreSinceNanos = nowNanos;
        }
        if (first.isEmpty()) {
            return Map.of();
        }
        return first.get().equals(self) ? givenUp(leaders, nowNanos) : due(first.get(), leaders, nowNanos);
    }

    private Map<Integer, String> due(String to, List<Optional<String>> leaders, long nowNanos) {
        Map<Integer, String> due = new TreeMap<>();
        for (int shard : led(leaders)) {
            Pause pause = pauses[shard];
            boolean isDue = pause.timeouts == 0 || nowNanos - pause.untilNanos >= 0;
            if (isDue && successors.canTake(shard, to)) {
                pause.timeouts = Math.min(LONGER_MAX, Math.max(1, 2 * pause.timeouts));
                pause.untilNanos = nowNanos + pause.timeouts * timeoutNanos;
                due.put(shard, to);
            }
        }
        return due;
    }

    /** All of it, where one of the others that lead something has been waited for in vain. */
    private Map<Integer, String> givenUp(List<Optional<String>> leaders, long nowNanos) {
        Optional<String> other = leaders.stream()
                .flatMap(Optional::stream)
                .filter(name -> !name.equals(self))
                .findFirst();
        if (other.isEmpty()) {
            centreSinceNanos = nowNanos; // All are here, or are being chosen.
            return Map.of();
        }
        List<Integer> led = led(leaders);
        if (nowNanos - centreSinceNanos < patience * timeoutNanos
                || !led.stream().allMatch(shard -> successors.canTake(shard, other.get()))) {
            return Map.of();
        }
        patience = Math.min(LONGER_MAX * PATIENCE_TIMEOUTS, 2 * patience);
        centreSinceNanos = nowNanos;
        Map<Integer, String> all = new TreeMap<>();
        led.forEach(shard -> all.put(shard, other.get()));
        return all;
    }

    private List<Integer> led(List<Optional<String>> leaders) {
        List<Integer> led = new ArrayList<>();
        for (int shard = 0; shard < leaders.size(); shard++) {
            if (leaders.get(shard).equals(Optional.of(self))) {
                led.add(shard);
            }
        }
        return led;
    }
}
