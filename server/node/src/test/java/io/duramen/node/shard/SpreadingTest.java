package io.duramen.node.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Leaderships of some shards, of which it is not known what they do, by a clock that the test moves. */
class SpreadingTest {
    private static final long SECOND = 1_000_000_000;
    private static final List<String> NODES = List.of("n1", "n2", "n3");
    private static final int RUNS = 200;
    private static final List<OptionalLong> UNKNOWN = Collections.nCopies(6, OptionalLong.empty());

    /** What is not in sync, as its number and the node. */
    private final Set<String> behind = new HashSet<>();

    private Spreading node(String name) {
        return new Spreading(name, SECOND, (shard, node) -> !behind.contains(shard + node));
    }

    private static List<Optional<String>> leaders(String... names) {
        return Stream.of(names)
                .map(name -> Optional.of(name).filter(one -> !one.isEmpty()))
                .toList();
    }

    @Test
    void shouldHandOnItsLastShardWhenItHasLedMostForAWhile() {
        Spreading one = node("n1");
        List<Optional<String>> leaders = leaders("n1", "n1", "n1", "n2");
        assertThat(one.toHandOn(leaders, NODES, UNKNOWN, 0)).isEmpty();
        assertThat(one.toHandOn(leaders, NODES, UNKNOWN, 9 * SECOND)).isEmpty();
        assertThat(one.toHandOn(leaders, NODES, UNKNOWN, 10 * SECOND)).contains(new Spreading.Due(2, "n3"));
        assertThat(one.toHandOn(leaders, NODES, UNKNOWN, 11 * SECOND)).isEmpty();
    }

    @Test
    void shouldHandOnNothingWhenAShardHasNoLeaderOrNobodyWouldLeadFewer() {
        Spreading one = node("n1");
        one.toHandOn(leaders("n1", "n1", ""), NODES, UNKNOWN, 0);
        assertThat(one.toHandOn(leaders("n1", "n1", ""), NODES, UNKNOWN, 100 * SECOND))
                .isEmpty();
        one.toHandOn(leaders("n1", "n1", "n2", "n3"), NODES, UNKNOWN, 0);
        assertThat(one.toHandOn(leaders("n1", "n1", "n2", "n3"), NODES, UNKNOWN, 100 * SECOND))
                .isEmpty();
    }

    @Test
    void shouldChooseAnotherWhenTheOneThatLeadsFewestIsBehind() {
        behind.addAll(List.of("2n3", "1n3", "0n3"));
        Spreading one = node("n1");
        one.toHandOn(leaders("n1", "n1", "n1"), NODES, UNKNOWN, 0);
        assertThat(one.toHandOn(leaders("n1", "n1", "n1"), NODES, UNKNOWN, 10 * SECOND))
                .contains(new Spreading.Due(2, "n2"));
    }

    @Test
    void shouldAskANodeNoMoreForAWhileWhenItHasNotTakenWhatWasHandedOn() {
        Spreading one = node("n1");
        List<Optional<String>> leaders = leaders("n1", "n1", "n2");
        List<String> asked = new ArrayList<>();
        for (long second = 0; second < 500; second++) {
            one.toHandOn(leaders, NODES, UNKNOWN, second * SECOND).ifPresent(due -> asked.add(due.to()));
        }
        assertThat(asked).containsExactly("n3");
        assertThat(one.toHandOn(leaders, NODES, UNKNOWN, 1_000 * SECOND)).contains(new Spreading.Due(1, "n3"));
    }

    /** Goal: whoever leads at first, no two nodes hand the same to each other over and over. */
    @Test
    void shouldComeToRestWithAsManyShardsAtEachNodeWhenTheyBeginAnywhere() {
        SplittableRandom random = new SplittableRandom(1);
        for (int run = 0; run < RUNS; run++) {
            List<Optional<String>> leaders = new ArrayList<>();
            for (int shard = 0; shard < 6; shard++) {
                leaders.add(Optional.of(NODES.get(random.nextInt(NODES.size()))));
            }
            int handedOn = spread(leaders);
            Map<String, Long> led =
                    leaders.stream().collect(Collectors.groupingBy(Optional::get, TreeMap::new, Collectors.counting()));
            assertThat(led).as("run %d", run).isEqualTo(Map.of("n1", 2L, "n2", 2L, "n3", 2L));
            assertThat(handedOn).isLessThanOrEqualTo(4);
        }
    }

    /** @return how many were handed on */
    private int spread(List<Optional<String>> leaders) {
        List<Spreading> nodes = NODES.stream().map(this::node).toList();
        int handedOn = 0;
        for (long second = 0; second < 200; second++) {
            for (Spreading node : nodes) {
                Optional<Spreading.Due> due = node.toHandOn(List.copyOf(leaders), NODES, UNKNOWN, second * SECOND);
                due.ifPresent(one -> leaders.set(one.shard(), Optional.of(one.to())));
                handedOn += due.isPresent() ? 1 : 0;
            }
        }
        return handedOn;
    }
}
