package io.duramen.node.shard;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * Has all nodes do about as much. Where it is known what the shards do, who has most to do hands one on to who has least; while all are idle, and where
 * nothing is known of that, who leads most to who leads fewest. One at a time, and only once nobody else has begun to lead for a while, and none
 * twice within a minute for what it does: so it comes to rest. Nothing is handed on to a node that lacks what is committed of it. Decides alone: who asks
 * does it. Used by one thread.
 */
final class Spreading {
    /** Leaders have to have stayed for so many election timeouts. */
    private static final int STEADY_TIMEOUTS = 10;

    private static final int LONGER_MAX = 32;

    /** Who did not take what was handed on, since it is drained maybe, is not asked again for so many election timeouts. */
    private static final int UNWILLING_TIMEOUTS = 600;

    /** What a shard does is no reason to hand it on for so many election timeouts from when it had another leader. */
    static final int MOVED_TIMEOUTS = 60;

    private final String self;
    private final long timeoutNanos;
    private final Gathering.Successors successors;
    private List<Optional<String>> before = List.of();
    private long steadySinceNanos;
    private int longer = 1;

    /** What was handed on last, until it is seen who leads it. */
    private Optional<Due> last = Optional.empty();

    /** Until when a node is not asked. */
    private final Map<String, Long> unwilling = new HashMap<>();

    /** Who led each shard when it had a leader last, by number. */
    private final Map<Integer, String> ledBy = new HashMap<>();

    /** Until when what a shard does is no reason. */
    private final Map<Integer, Long> moved = new HashMap<>();

    /** What is to be handed on. */
    record Due(int shard, String to) {}

    /** @param self name of this node */
    Spreading(String self, long electionTimeoutNanos, Gathering.Successors successors) {
        this.self = self;
        this.timeoutNanos = electionTimeoutNanos;
        this.successors = successors;
    }

    /**
     * What this node is to hand on now.
     *
     * @param leaders names of who leads each shard, as far as this node knows
     * @param nodes names of those that may
     * @param loads of the shards, by number, where they are known; see {@link LoadMeter}
     */
    Optional<Due> toHandOn(
            List<Optional<String>> leaders, List<String> nodes, List<OptionalLong> loads, long nowNanos) {
        if (!leaders.equals(before)) {
            before = leaders;
            noteMoves(nowNanos);
            steadySinceNanos = nowNanos;
            longer = 1;
        }
        last.filter(due -> nowNanos - steadySinceNanos >= STEADY_TIMEOUTS * timeoutNanos)
                .ifPresent(due -> {
                    if (!leaders.get(due.shard).equals(Optional.of(due.to))) {
                        unwilling.put(due.to, nowNanos + UNWILLING_TIMEOUTS * timeoutNanos);
                    }
                    last = Optional.empty();
                });
        unwilling.values().removeIf(until -> nowNanos - until >= 0);
        moved.values().removeIf(until -> nowNanos - until >= 0);
        if (leaders.stream().anyMatch(Optional::isEmpty)
                || nowNanos - steadySinceNanos < STEADY_TIMEOUTS * longer * timeoutNanos) {
            return Optional.empty();
        }
        Optional<Due> due = due(leaders, nodes, loads);
        if (due.isPresent()) {
            last = due;
            steadySinceNanos = nowNanos;
            longer = Math.min(LONGER_MAX, 2 * longer);
        }
        return due;
    }

    private void noteMoves(long nowNanos) {
        for (int shard = 0; shard < before.size(); shard++) {
            if (before.get(shard).isPresent()) {
                String now = before.get(shard).get();
                String last = ledBy.put(shard, now);
                if (last != null && !last.equals(now)) {
                    moved.put(shard, nowNanos + MOVED_TIMEOUTS * timeoutNanos);
                }
            }
        }
    }

    private Optional<Due> due(List<Optional<String>> leaders, List<String> nodes, List<OptionalLong> loads) {
        if (loads.stream().allMatch(OptionalLong::isPresent)) {
            Burdens burdens = new Burdens(
                    leaders, nodes, loads.stream().map(OptionalLong::getAsLong).toList());
            return burdens.areIdle() ? byNumber(leaders, nodes) : byLoad(burdens);
        }
        // What is known of some only is to be known of all soon, or others go by it already.
        return hasHeard(leaders, loads) ? Optional.empty() : byNumber(leaders, nodes);
    }

    private boolean hasHeard(List<Optional<String>> leaders, List<OptionalLong> loads) {
        return IntStream.range(0, leaders.size())
                .anyMatch(shard -> !leaders.get(shard).equals(Optional.of(self))
                        && loads.get(shard).isPresent());
    }

    private Optional<Due> byLoad(Burdens burdens) {
        if (!burdens.first().equals(Optional.of(self))) {
            return Optional.empty();
        }
        return burdens.toHandOn(
                self,
                (shard, to) ->
                        !moved.containsKey(shard) && !unwilling.containsKey(to) && successors.canTake(shard, to));
    }

    /** The first by name of those that lead most. */
    private boolean leadsMost(List<Optional<String>> leaders, List<String> nodes) {
        long own = led(leaders, self);
        return nodes.stream()
                .filter(node -> !node.equals(self))
                .allMatch(node -> led(leaders, node) < own || led(leaders, node) == own && node.compareTo(self) > 0);
    }

    private Optional<Due> byNumber(List<Optional<String>> leaders, List<String> nodes) {
        if (!leadsMost(leaders, nodes)) {
            return Optional.empty();
        }
        long own = led(leaders, self);
        List<String> fewest = nodes.stream()
                .filter(node -> led(leaders, node) + 1 < own && !unwilling.containsKey(node))
                .sorted(Comparator.<String>comparingLong(node -> led(leaders, node))
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
        List<Due> due = new ArrayList<>();
        for (String to : fewest) {
            // The last first: whoever has the catalogue keeps it.
            for (int shard = leaders.size() - 1; shard >= 0; shard--) {
                if (leaders.get(shard).equals(Optional.of(self)) && successors.canTake(shard, to)) {
                    due.add(new Due(shard, to));
                }
            }
        }
        return due.stream().findFirst();
    }

    private static long led(List<Optional<String>> leaders, String node) {
        return leaders.stream()
                .filter(leader -> leader.equals(Optional.of(node)))
                .count();
    }
}
