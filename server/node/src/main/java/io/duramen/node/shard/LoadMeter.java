package io.duramen.node.shard;

import io.duramen.broker.shard.ShardCounters.Counter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Measures how much the shards do that this node leads, and tells the others each election timeout. A load is a rate, smoothed over about a minute:
 * the bytes that are appended in a second, and a kilobyte for each message that is handed out. Who begins to lead a shard goes on from what its
 * predecessor has said. Used by one thread.
 */
final class LoadMeter {
    /** What a message costs that is handed out, in bytes appended. */
    static final long MESSAGE_BYTES = 1_024;

    /** What was done so many election timeouts ago counts a third of what is done now. */
    static final int SMOOTHED_TIMEOUTS = 60;

    /** How the shards of this node stand. */
    interface Counts {
        long get(int shard, Counter counter);
    }

    /** A shard that this node leads: its counts when they were read last. */
    private static final class Reading {
        private long bytes;
        private long handedOut;
        private long atNanos;
        private double load;
    }

    private final Counts counts;
    private final ShardLoads loads;
    private final long timeoutNanos;
    private final Map<Integer, Reading> led = new TreeMap<>();
    private Optional<Long> toldNanos = Optional.empty();

    LoadMeter(Counts counts, ShardLoads loads, Duration electionTimeout) {
        this.counts = counts;
        this.loads = loads;
        this.timeoutNanos = electionTimeout.toNanos();
    }

    /**
     * Measures once more.
     *
     * @param leaders names of who leads each shard, as far as this node knows
     * @param nodes names of those that are to know
     * @return how much each shard does, by number; empty where that is not known
     */
    List<OptionalLong> look(List<Optional<String>> leaders, String self, List<String> nodes, long nowNanos) {
        Map<Integer, Long> own = new TreeMap<>();
        for (int shard = 0; shard < leaders.size(); shard++) {
            if (leaders.get(shard).equals(Optional.of(self))) {
                own.put(shard, measure(shard, nowNanos));
            } else {
                led.remove(shard);
            }
        }
        loads.say(own, nowNanos);
        boolean due = toldNanos.isEmpty() || nowNanos - toldNanos.get() >= timeoutNanos;
        if (due && !own.isEmpty()) {
            toldNanos = Optional.of(nowNanos);
            loads.tell(own, nodes.stream().filter(node -> !node.equals(self)).toList());
        }
        return loads.all(nowNanos);
    }

    private long measure(int shard, long nowNanos) {
        long bytes = counts.get(shard, Counter.LOG_BYTES);
        long handedOut = counts.get(shard, Counter.MESSAGES_HANDED_OUT);
        Reading reading = led.get(shard);
        if (reading == null) {
            reading = new Reading();
            reading.load = loads.of(shard, nowNanos).orElse(0);
            led.put(shard, reading);
        } else if (bytes >= reading.bytes && nowNanos > reading.atNanos) {
            // Else segments went, and what was appended meanwhile cannot be seen: that while is left out.
            long nanos = nowNanos - reading.atNanos;
            double done = bytes - reading.bytes + (double) MESSAGE_BYTES * (handedOut - reading.handedOut);
            double rate = done * Duration.ofSeconds(1).toNanos() / nanos;
            double share = 1 - Math.exp(-(double) nanos / (SMOOTHED_TIMEOUTS * timeoutNanos));
            reading.load += share * (rate - reading.load);
        }
        reading.bytes = bytes;
        reading.handedOut = handedOut;
        reading.atNanos = nowNanos;
        return Math.min(ToldLoads.LOAD_MAX, Math.round(reading.load));
    }
}
