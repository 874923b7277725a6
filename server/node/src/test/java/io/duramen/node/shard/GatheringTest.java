package io.duramen.node.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Leaderships of three shards, by a clock that the test moves. */
class GatheringTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final long SECOND = TIMEOUT.toNanos();

    /** What is not in sync, as its number and the node. */
    private final Set<String> behind = new HashSet<>();

    private Gathering node(String name) {
        return new Gathering(name, 3, TIMEOUT, (shard, node) -> !behind.contains(shard + node));
    }

    private final Gathering one = node("n1");
    private final Gathering two = node("n2");
    private final Gathering three = node("n3");

    private static List<Optional<String>> leaders(String... names) {
        return Stream.of(names)
                .map(name -> Optional.of(name).filter(one -> !one.isEmpty()))
                .toList();
    }

    @Test
    void shouldHandOnWhatItLeadsWhenAnotherLeadsShardZero() {
        assertThat(two.toHandOn(leaders("n1", "n2", "n3"), 0)).isEqualTo(Map.of(1, "n1"));
        assertThat(three.toHandOn(leaders("n1", "n2", "n3"), 0)).isEqualTo(Map.of(2, "n1"));
        assertThat(one.toHandOn(leaders("n1", "n2", "n3"), 0)).isEmpty();
    }

    @Test
    void shouldHandOnNothingWhenNobodyIsKnownToLeadShardZero() {
        assertThat(two.toHandOn(leaders("", "n2", "n2"), 0)).isEmpty();
    }

    @Test
    void shouldPauseLongerAfterEachAttempt() {
        List<Optional<String>> leaders = leaders("n1", "n1", "n2");

        assertThat(two.toHandOn(leaders, 0)).isNotEmpty();
        assertThat(two.toHandOn(leaders, SECOND - 1)).isEmpty();
        assertThat(two.toHandOn(leaders, SECOND)).isNotEmpty();
        assertThat(two.toHandOn(leaders, 3 * SECOND - 1)).isEmpty();
        assertThat(two.toHandOn(leaders, 3 * SECOND)).isNotEmpty();
        assertThat(two.toHandOn(leaders, 7 * SECOND - 1)).isEmpty();
    }

    /** Goal: who leads it in between gives the shard no new attempts at once, or it would go to and fro. */
    @Test
    void shouldGoOnPausingWhenAShardComesBack() {
        assertThat(two.toHandOn(leaders("n1", "n1", "n2"), 0)).isNotEmpty();
        assertThat(two.toHandOn(leaders("n1", "n1", "n1"), SECOND / 4)).isEmpty();

        assertThat(two.toHandOn(leaders("n1", "n1", "n2"), SECOND / 2)).isEmpty();
        two.complete();
        assertThat(two.toHandOn(leaders("n1", "n1", "n2"), SECOND / 2)).isNotEmpty();
    }

    @Test
    void shouldGiveEverythingUpWhenTheRestDoesNotCome() {
        List<Optional<String>> leaders = leaders("n1", "n2", "n1");

        assertThat(one.toHandOn(leaders, 0)).isEmpty();
        assertThat(one.toHandOn(leaders, 10 * SECOND - 1)).isEmpty();
        assertThat(one.toHandOn(leaders, 10 * SECOND)).isEqualTo(Map.of(0, "n2", 2, "n2"));
        assertThat(one.toHandOn(leaders, 30 * SECOND - 1)).isEmpty();
        assertThat(one.toHandOn(leaders, 30 * SECOND)).isNotEmpty();
    }

    /** Goal: a leadership is not ended for a node that gets from it what it lacks. */
    @Test
    void shouldKeepAShardWhileWhoLeadsShardZeroIsBehind() {
        behind.add("1n1");
        assertThat(two.toHandOn(leaders("n1", "n2", "n2"), 0)).isEqualTo(Map.of(2, "n1"));
        assertThat(two.toHandOn(leaders("n1", "n2", "n1"), 5 * SECOND)).isEmpty();
        behind.clear();
        assertThat(two.toHandOn(leaders("n1", "n2", "n1"), 5 * SECOND)).isEqualTo(Map.of(1, "n1"));

        behind.add("0n2");
        assertThat(one.toHandOn(leaders("n1", "n2", "n1"), 0)).isEmpty();
        assertThat(one.toHandOn(leaders("n1", "n2", "n1"), 20 * SECOND)).isEmpty();
        behind.clear();
        assertThat(one.toHandOn(leaders("n1", "n2", "n1"), 20 * SECOND)).isNotEmpty();
    }

    @Test
    void shouldWaitWhenAShardHasNoLeader() {
        assertThat(one.toHandOn(leaders("n1", "", "n1"), 0)).isEmpty();
        assertThat(one.toHandOn(leaders("n1", "", "n1"), 1_000 * SECOND)).isEmpty();
    }

    /** Goal: wherever the leaderships fall, and whichever of the hand-overs fail, all are at one node after a while. */
    @Test
    void shouldComeTogetherWhereverTheLeadershipsFallAndSomeHandoversFail() {
        for (long seed = 0; seed < 500; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Map<String, Gathering> nodes = Map.of(
                    "n1", node("n1"),
                    "n2", node("n2"),
                    "n3", node("n3"));
            String[] led = random.ints(3, 1, 4).mapToObj(n -> "n" + n).toArray(String[]::new);
            String stubborn = "n" + random.nextInt(1, 4);
            int handovers = 0;
            for (long now = 0; now < 4_000 && Stream.of(led).distinct().count() > 1; now++) {
                for (String name : List.of("n1", "n2", "n3")) {
                    for (var due : nodes.get(name)
                            .toHandOn(leaders(led), now * SECOND / 4)
                            .entrySet()) {
                        handovers++;
                        boolean fails = due.getValue().equals(stubborn) && due.getKey() == 1 || random.nextInt(4) == 0;
                        led[due.getKey()] = fails ? led[due.getKey()] : due.getValue();
                    }
                }
            }
            assertThat(Arrays.stream(led).distinct()).as("seed %d", seed).hasSize(1);
            assertThat(handovers).as("seed %d", seed).isLessThan(100);
        }
    }
}
