package io.duramen.node.cluster;

import io.duramen.protocol.FormatLevel;
import io.duramen.replication.raft.Introduction;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * In which {@link FormatLevel} the nodes write, as far as this one knows, and up to which each reads. What was decided once holds for
 * good, whoever knows of it. From any thread.
 */
final class Formats {
    private final int max;
    private final Map<String, Integer> maxOf = new ConcurrentHashMap<>();
    private volatile Supplier<List<Integer>> ofShards = List::of;

    /** The highest that was decided in a shard, and is remembered or was told by another. */
    private volatile int known;

    /**
     * @param max up to which this node reads
     * @param known that is remembered
     */
    Formats(int max, int known) {
        this.max = max;
        this.known = known;
    }

    int max() {
        return max;
    }

    void follow(Supplier<List<Integer>> decided) {
        ofShards = decided;
    }

    /** In which at least one shard is written, so that all have to read it. */
    int highest() {
        return Math.max(
                known, ofShards.get().stream().mapToInt(Integer::intValue).max().orElse(0));
    }

    /** In which all shards are written. */
    int lowest() {
        return Math.max(
                FormatLevel.OLDEST,
                ofShards.get().stream().mapToInt(Integer::intValue).min().orElse(0));
    }

    /** Up to which that node reads, where it has said so since this one started. */
    OptionalInt maxOf(String node) {
        Integer said = maxOf.get(node);
        return said == null ? OptionalInt.empty() : OptionalInt.of(said);
    }

    /**
     * A node says up to which level it reads.
     *
     * @throws Introduction.RefusedException where it cannot read what this one may have to send it
     */
    void requireReads(String node, int itsMax) {
        if (itsMax < highest()) {
            throw new Introduction.RefusedException(unreadable(node, itsMax, highest()));
        }
    }

    /** Why this node can take no part where that level was decided; empty where it can. */
    Optional<String> unreadable(String self, int decided) {
        return decided > max ? Optional.of(unreadable(self, max, decided)) : Optional.empty();
    }

    private static String unreadable(String node, int itsMax, int decided) {
        return "node " + node + " reads format levels up to " + itsMax + ", and level " + decided
                + " was decided in the cluster: start it with a version that reads that";
    }

    void met(String node, int itsMax, int decided) {
        maxOf.put(node, itsMax);
        known = Math.max(known, decided);
    }
}
