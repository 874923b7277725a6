package io.duramen.node.shard;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * How much each node has to do, which is the sum of what the shards do that it leads, as one of them knows it at a moment; and what would even
 * that out. Immutable.
 */
final class Burdens {
    /** Who does less than this is idle. See {@link LoadMeter}. */
    static final long IDLE = 64 * 1_024;

    /** Who does less than this is not relieved: so nobody goes from one state to the other and back with a load that stays about the same. */
    static final long BUSY = 2 * IDLE;

    private final List<Optional<String>> leaders;
    private final List<String> nodes;
    private final List<Long> loads;
    private final Map<String, Long> sums = new HashMap<>();

    /**
     * @param leaders names of who leads each shard
     * @param nodes names of those that may
     * @param loads of the shards, by number
     */
    Burdens(List<Optional<String>> leaders, List<String> nodes, List<Long> loads) {
        this.leaders = leaders;
        this.nodes = nodes;
        this.loads = loads;
        for (int shard = 0; shard < leaders.size(); shard++) {
            if (leaders.get(shard).isPresent()) {
                sums.merge(leaders.get(shard).get(), loads.get(shard), Long::sum);
            }
        }
    }

    long of(String node) {
        return sums.getOrDefault(node, 0L);
    }

    private boolean isLedBy(String node, int shard) {
        return leaders.get(shard).equals(Optional.of(node));
    }

    boolean areIdle() {
        return nodes.stream().allMatch(node -> of(node) < IDLE);
    }

    /** Who is to hand on: of those that could relieve themselves, if everybody took what it is handed, the one that has most to do. */
    Optional<String> first() {
        return nodes.stream()
                .sorted(Comparator.comparing(this::of).reversed().thenComparing(Comparator.naturalOrder()))
                .filter(node -> toHandOn(node, (shard, to) -> true).isPresent())
                .findFirst();
    }

    /**
     * What a node is to hand on: to whoever has least to do, what then leaves both with least; so that the one of both that has more to do has at
     * least a tenth less than this node has now.
     */
    Optional<Spreading.Due> toHandOn(String from, Gathering.Successors successors) {
        if (of(from) < BUSY) {
            return Optional.empty();
        }
        return nodes.stream()
                .filter(node -> !node.equals(from))
                .sorted(Comparator.comparing(this::of).thenComparing(Comparator.naturalOrder()))
                .flatMap(to -> best(from, to, successors).stream())
                .findFirst();
    }

    /** Of several that are as good the last: whoever has the catalogue keeps it. */
    private Optional<Spreading.Due> best(String from, String to, Gathering.Successors successors) {
        return IntStream.range(0, leaders.size())
                .filter(shard -> isLedBy(from, shard))
                .filter(shard -> 10 * most(shard, from, to) <= 9 * of(from))
                .filter(shard -> successors.canTake(shard, to))
                .boxed()
                .min(Comparator.<Integer>comparingLong(shard -> most(shard, from, to))
                        .thenComparing(Comparator.reverseOrder()))
                .map(shard -> new Spreading.Due(shard, to));
    }

    /** What the one of two nodes has to do that has more, once a shard was handed on. */
    private long most(int shard, String from, String to) {
        return Math.max(of(from) - loads.get(shard), of(to) + loads.get(shard));
    }
}
