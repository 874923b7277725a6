package io.duramen.broker.destination;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Says how many partitions a destination gets and which shards carry them: a function of the catalogue and the settings, so
 * that the same catalogue leads to the same place. Immutable.
 */
public final class Placement {
    private static final int CATALOGUE = 0;

    private final int shards;
    private final int partitions;
    private final Map<NamePattern, Integer> partitionsOf;
    private final Set<String> dedicated;

    /**
     * @param partitions of a destination that no pattern names
     * @param partitionsOf {@code pattern=count} each; the first that matches is taken
     * @param dedicated names of destinations that get a shard of their own
     * @throws IllegalArgumentException where a policy is no pattern and count
     */
    public Placement(int shards, int partitions, List<String> partitionsOf, List<String> dedicated) {
        this.shards = shards;
        this.partitions = partitions;
        this.partitionsOf = policies(partitionsOf);
        this.dedicated = new HashSet<>(dedicated);
    }

    /** How many partitions a policy may ask for. */
    public static final int PARTITIONS_MAX = 64;

    /** @throws IllegalArgumentException where one is no pattern and count */
    public static void check(List<String> partitionsOf) {
        policies(partitionsOf);
    }

    private static Map<NamePattern, Integer> policies(List<String> texts) {
        Map<NamePattern, Integer> policies = new LinkedHashMap<>();
        for (String text : texts) {
            int at = text.lastIndexOf('=');
            String count = at < 0 ? "" : text.substring(at + 1).strip();
            if (at < 1 || !count.matches("[0-9]{1,2}") || count(count) < 1 || count(count) > PARTITIONS_MAX) {
                throw new IllegalArgumentException(
                        "broker.partitions-of: '" + text + "' is no NAME=COUNT with a count of 1 to " + PARTITIONS_MAX);
            }
            policies.put(new NamePattern(text.substring(0, at).strip()), count(count));
        }
        return policies;
    }

    private static int count(String digits) {
        return Integer.parseInt(digits);
    }

    /** How many partitions a new destination gets. */
    public int partitions(String name) {
        return dedicated.contains(name) ? 1 : asked(name).orElse(partitions);
    }

    /** How many partitions a destination has at least, new or not; empty where nothing is said of its name. */
    public OptionalInt asked(String name) {
        if (!dedicated.contains(name)) {
            for (Map.Entry<NamePattern, Integer> policy : partitionsOf.entrySet()) {
                if (policy.getKey().matches(name)) {
                    return OptionalInt.of(policy.getValue());
                }
            }
        }
        return OptionalInt.empty();
    }

    /**
     * Which of some shards carry further partitions, each in its turn the one with the fewest; of several the lowest number.
     *
     * @param load partitions that each shard carries; these are added
     */
    public static List<Integer> among(Set<Integer> shards, int count, int[] load) {
        List<Integer> places = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int emptiest = shards.stream()
                    .min(Comparator.<Integer>comparingInt(shard -> load[shard]).thenComparing(shard -> shard))
                    .orElseThrow();
            load[emptiest]++;
            places.add(emptiest);
        }
        return places;
    }

    /**
     * Which shards carry the new partitions of a destination, each in its turn the one with the fewest; of several the
     * lowest number.
     *
     * @param load partitions that each shard carries, those about to be created included
     * @param there names of the destinations that exist
     * @param own the shards of those that have one of their own
     * @throws ProtocolException with NO_FREE_SHARD where the destination is to have one of its own
     */
    public List<Integer> place(String name, int count, int[] load, Collection<String> there, Set<Integer> own) {
        if (dedicated.contains(name)) {
            return List.of(free(name, load));
        }
        Set<Integer> closed = new HashSet<>(own);
        closed.addAll(kept(load, there));
        int[] then = load.clone();
        List<Integer> places = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int shard = emptiest(then, closed);
            then[shard]++;
            places.add(shard);
        }
        return places;
    }

    /** Whether the destination has a shard of its own, where it is there. */
    public boolean isDedicated(String name) {
        return dedicated.contains(name);
    }

    private int emptiest(int[] load, Set<Integer> closed) {
        int emptiest = CATALOGUE;
        for (int shard = 1; shard < shards; shard++) {
            if (!closed.contains(shard) && load[shard] < load[emptiest]) {
                emptiest = shard;
            }
        }
        return emptiest;
    }

    /** The highest that carries nothing: never the one with the catalogue. */
    private int free(String name, int[] load) {
        for (int shard = shards - 1; shard > CATALOGUE; shard--) {
            if (load[shard] == 0) {
                return shard;
            }
        }
        throw new ProtocolException(
                ErrorCode.NO_FREE_SHARD,
                "broker.dedicated has '" + name + "', but each of the " + (shards - 1)
                        + " shards beside that of the catalogue carries something (log.shards)");
    }

    /** Empty shards that wait for those who will have them to themselves. */
    private Set<Integer> kept(int[] load, Collection<String> there) {
        long waiting = dedicated.stream().filter(name -> !there.contains(name)).count();
        Set<Integer> kept = new HashSet<>();
        for (int shard = shards - 1; shard > CATALOGUE && kept.size() < waiting; shard--) {
            if (load[shard] == 0) {
                kept.add(shard);
            }
        }
        return kept;
    }
}
