package io.duramen.node.management;

import io.duramen.broker.shard.ShardCounters;
import io.duramen.broker.shard.ShardCounters.Counter;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/** What several shards say, as one number. */
final class Counts {
    /** So few that clients hardly wait while they are counted. */
    private static final int CHUNK = 100;

    private Counts() {}

    static long sum(List<ShardCounters> shards, Counter counter) {
        return sum(shards, one -> one.get(counter));
    }

    static <T> long sum(List<T> all, ToLongFunction<T> count) {
        return all.stream().mapToLong(count).sum();
    }

    static <T> int most(List<T> all, ToIntFunction<T> count) {
        return all.stream().mapToInt(count).max().orElse(0);
    }

    static <T> void inChunks(List<T> all, Consumer<List<T>> action) {
        for (int from = 0; from < all.size(); from += CHUNK) {
            action.accept(all.subList(from, Math.min(all.size(), from + CHUNK)));
        }
    }
}
