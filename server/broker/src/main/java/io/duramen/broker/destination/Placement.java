package io.duramen.broker.destination;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Says how many partitions a destination gets and which shards carry them: a function of the catalogue and the settings, so
 * that the same catalogue leads to the same place. Immutable.
 */
public final class Placement {
    private static final int CATALOGUE = 0;

    private final int shards;
    private final int partitions;
    private final Map<NamePattern, Integer> partitionsOf;
    private final Map<NamePattern, Integer> replicasOf;
    private final Set<String> dedicated;

    /**
     * What settings say by name.
     *
     * @param partitionsOf {@code pattern=count} each; the first that matches is taken
     * @param replicasOf likewise: on how many nodes the shards are that carry it
     * @param dedicated names of destinations that get a shard of their own
     */
    public record ByName(List<String> partitionsOf, List<String> replicasOf, List<String> dedicated) {
        /** Nothing. */
        public static final ByName NONE = new ByName(List.of(), List.of(), List.of());
    }

    /**
     * How the shards stand when something is placed.
     *
     * @param load partitions that each carries, those about to be created included
     * @param replicas on how many nodes each is; 0 where it is on one node by itself, or that is not known
     * @param gone those that have had no leader for long
     */
    public record Shards(int[] load, int[] replicas, Set<Integer> gone) {}

    /**
     * @param partitions of a destination that no pattern names
     * @throws IllegalArgumentException where a policy is no pattern and count
     */
    public Placement(int shards, int partitions, ByName byName) {
        this.shards = shards;
        this.partitions = partitions;
        this.partitionsOf = policies("broker.partitions-of", byName.partitionsOf, PARTITIONS_MAX);
        this.replicasOf = policies("broker.replicas-of", byName.replicasOf, REPLICAS_MAX);
        this.dedicated = new HashSet<>(byName.dedicated);
    }

    /**
     * What is to be placed.
     *
     * @param partitions how many
     * @param replicas on how many nodes its shards are to be; 0 for what the settings say
     */
    public record Wanted(String name, int partitions, int replicas) {}

    /** How many partitions a policy may ask for. */
    public static final int PARTITIONS_MAX = 64;

    /** On how many nodes a policy may want a shard to be. */
    public static final int REPLICAS_MAX = 7;

    /** @throws IllegalArgumentException where one is no pattern and count */
    public static void check(List<String> partitionsOf, List<String> replicasOf) {
        policies("broker.partitions-of", partitionsOf, PARTITIONS_MAX);
        policies("broker.replicas-of", replicasOf, REPLICAS_MAX);
    }

    private static Map<NamePattern, Integer> policies(String setting, List<String> texts, int max) {
        Map<NamePattern, Integer> policies = new LinkedHashMap<>();
        for (String text : texts) {
            int at = text.lastIndexOf('=');
            String count = at < 0 ? "" : text.substring(at + 1).strip();
            if (at < 1 || !count.matches("[0-9]{1,2}") || count(count) < 1 || count(count) > max) {
                throw new IllegalArgumentException(
                        setting + ": '" + text + "' is no NAME=COUNT with a count of 1 to " + max);
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
        return dedicated.contains(name) ? OptionalInt.empty() : first(partitionsOf, name);
    }

    private static OptionalInt first(Map<NamePattern, Integer> policies, String name) {
        for (Map.Entry<NamePattern, Integer> policy : policies.entrySet()) {
            if (policy.getKey().matches(name)) {
                return OptionalInt.of(policy.getValue());
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
     * lowest number. They are on as many nodes as is asked for; where nothing is, as the settings say; where these say nothing, on as many as any.
     *
     * @param there names of the destinations that exist
     * @param own the shards of those that have one of their own
     * @throws ProtocolException with NO_FREE_SHARD where the destination is to have one of its own, or is to be on a number of nodes, and
     *     there is no such shard; with NO_MAJORITY where none of these is led
     */
    public List<Integer> place(Wanted wanted, Shards now, Collection<String> there, Set<Integer> own) {
        String name = wanted.name;
        List<Integer> fitting = fitting(wanted, now);
        if (dedicated.contains(name)) {
            return List.of(free(name, now.load, fitting));
        }
        Set<Integer> closed = new HashSet<>(own);
        closed.addAll(kept(now.load, there));
        List<Integer> open = fitting.stream()
                .filter(shard -> shard == CATALOGUE || !closed.contains(shard))
                .toList();
        if (open.isEmpty()) {
            throw new ProtocolException(
                    ErrorCode.NO_FREE_SHARD,
                    "shards " + fitting + ", on as many nodes as '" + name
                            + "' is to be, are kept for destinations of broker.dedicated (log.shards)");
        }
        int[] then = now.load.clone();
        List<Integer> places = new ArrayList<>(wanted.partitions);
        for (int i = 0; i < wanted.partitions; i++) {
            int emptiest = open.stream()
                    .min(Comparator.<Integer>comparingInt(shard -> then[shard]).thenComparing(shard -> shard))
                    .orElseThrow();
            then[emptiest]++;
            places.add(emptiest);
        }
        return places;
    }

    /** Whether the destination has a shard of its own, where it is there. */
    public boolean isDedicated(String name) {
        return dedicated.contains(name);
    }

    /** Shards that are on the right number of nodes, and are led. */
    private List<Integer> fitting(Wanted asked, Shards now) {
        String name = asked.name;
        int[] replicas = now.replicas;
        int most = Arrays.stream(replicas).max().orElse(0);
        int onNodes =
                asked.replicas > 0 ? asked.replicas : first(replicasOf, name).orElse(most);
        int wanted = most == 0 ? 0 : onNodes;
        List<Integer> fitting = IntStream.range(0, shards)
                .filter(shard -> replicas[shard] == wanted)
                .boxed()
                .toList();
        if (fitting.isEmpty()) {
            throw new ProtocolException(
                    ErrorCode.NO_FREE_SHARD,
                    "'" + name + "' is to be on " + wanted + " nodes ("
                            + (asked.replicas > 0 ? "replicas, which its client chose" : "broker.replicas-of")
                            + "), and no shard is on so many: they are on "
                            + Arrays.toString(replicas)
                            + " (cluster add-replica, remove-replica)");
        }
        List<Integer> led =
                fitting.stream().filter(shard -> !now.gone.contains(shard)).toList();
        if (led.isEmpty()) {
            throw new ProtocolException(
                    ErrorCode.NO_MAJORITY,
                    "'" + name + "' is to be in one of shards " + fitting + ", and none of them has a leader");
        }
        return led;
    }

    /** The highest that carries nothing: never the one with the catalogue. */
    private int free(String name, int[] load, List<Integer> fitting) {
        for (int shard = shards - 1; shard > CATALOGUE; shard--) {
            if (load[shard] == 0 && fitting.contains(shard)) {
                return shard;
            }
        }
        throw new ProtocolException(
                ErrorCode.NO_FREE_SHARD,
                "broker.dedicated has '" + name + "', but each of the " + (shards - 1)
                        + " shards beside that of the catalogue carries something (log.shards)"
                        + (fitting.size() < shards ? ", or is on another number of nodes" : ""));
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
