package io.duramen.node.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Leaderships of shards whose loads are known, by a clock that the test moves. */
class SpreadingByLoadTest {
    private static final long SECOND = 1_000_000_000;
    private static final long MUCH = 10 * Burdens.BUSY;
    private static final List<String> NODES = List.of("n1", "n2", "n3");
    private static final int RUNS = 200;

    /** What is not in sync, as its number and the node. */
    private final Set<String> behind = new HashSet<>();

    private Spreading node(String name) {
        return new Spreading(name, SECOND, (shard, node) -> !behind.contains(shard + node));
    }

    private static List<Optional<String>> leaders(String... names) {
        return Stream.of(names).map(Optional::of).toList();
    }

    private static List<OptionalLong> loads(long... loads) {
        return LongStream.of(loads).mapToObj(OptionalLong::of).toList();
    }

    /** What a node hands on that has seen these leaders for a while. */
    private Optional<Spreading.Due> handsOn(String node, List<Optional<String>> leaders, List<OptionalLong> loads) {
        Spreading spreading = node(node);
        assertThat(spreading.toHandOn(leaders, NODES, loads, 0)).isEmpty();
        return spreading.toHandOn(leaders, NODES, loads, 10 * SECOND);
    }

    @Test
    void shouldSplitTwoShardsOfOneNodeThatDoMuch() {
        List<Optional<String>> leaders = leaders("n1", "n2", "n2", "n3");
        List<OptionalLong> loads = loads(0, MUCH, MUCH, MUCH / 10);
        assertThat(handsOn("n2", leaders, loads)).contains(new Spreading.Due(2, "n1"));
        assertThat(handsOn("n1", leaders, loads)).isEmpty();
        assertThat(handsOn("n3", leaders, loads)).isEmpty();
    }

    @Test
    void shouldKeepWhereItIsTheOneShardThatDoesAll() {
        for (String node : NODES) {
            assertThat(handsOn(node, leaders("n1", "n1", "n1", "n1"), loads(0, MUCH, 0, 0)))
                    .isEmpty();
        }
    }

    @Test
    void shouldKeepAShardThatNobodyElseCanTake() {
        List<Optional<String>> leaders = leaders("n1", "n1", "n2", "n3");
        behind.addAll(List.of("1n2", "1n3"));
        assertThat(handsOn("n1", leaders, loads(MUCH, MUCH, 0, 0))).contains(new Spreading.Due(0, "n2"));
        behind.add("0n2");
        assertThat(handsOn("n1", leaders, loads(MUCH, MUCH, 0, 0))).contains(new Spreading.Due(0, "n3"));
        behind.add("0n3");
        assertThat(handsOn("n1", leaders, loads(MUCH, MUCH, 0, 0))).isEmpty();
    }

    @Test
    void shouldHandOnNothingWhereLittleWouldBeGained() {
        List<Optional<String>> leaders = leaders("n1", "n1", "n2", "n3");
        assertThat(handsOn("n1", leaders, loads(MUCH, MUCH / 10, MUCH, MUCH))).isEmpty();
        assertThat(handsOn("n1", leaders, loads(MUCH, MUCH / 5, MUCH / 2, MUCH)))
                .contains(new Spreading.Due(1, "n2"));
    }

    @Test
    void shouldLetANodeWithLessToDoHandOnWhenTheOneWithMostCannot() {
        List<Optional<String>> leaders = leaders("n1", "n2", "n2", "n2");
        List<OptionalLong> loads = loads(4 * MUCH, MUCH, MUCH, 0);
        assertThat(handsOn("n1", leaders, loads)).isEmpty();
        assertThat(handsOn("n2", leaders, loads)).contains(new Spreading.Due(2, "n3"));
    }

    @Test
    void shouldSpreadByNumberWhileAllAreIdleAndNotWhileOneIsNearlyBusy() {
        List<Optional<String>> leaders = leaders("n1", "n1", "n1");
        assertThat(handsOn("n1", leaders, loads(0, 0, Burdens.IDLE - 1))).contains(new Spreading.Due(2, "n2"));
        assertThat(handsOn("n1", leaders, loads(0, Burdens.IDLE / 2, Burdens.IDLE)))
                .isEmpty();
    }

    @Test
    void shouldWaitWhileWhatOthersDoIsKnownInPart() {
        List<Optional<String>> leaders = leaders("n1", "n1", "n1", "n2", "n2");
        List<OptionalLong> loads = new ArrayList<>(loads(MUCH, MUCH, MUCH, MUCH, MUCH));
        loads.set(3, OptionalLong.empty());
        assertThat(handsOn("n1", leaders, loads)).isEmpty();
        loads.set(4, OptionalLong.empty());
        assertThat(handsOn("n1", leaders, loads)).contains(new Spreading.Due(2, "n3"));
    }

    @Test
    void shouldHandOnNoShardAgainBeforeAMinuteIsOver() {
        Spreading one = node("n1");
        List<Optional<String>> leaders = leaders("n1", "n1", "n2");
        one.toHandOn(leaders("n1", "n3", "n2"), NODES, loads(MUCH, MUCH, 0), 0);
        one.toHandOn(leaders, NODES, loads(MUCH, MUCH, 0), SECOND);
        behind.addAll(List.of("0n2", "0n3"));
        long second = 1;
        while (one.toHandOn(leaders, NODES, loads(MUCH, MUCH, 0), second * SECOND)
                .isEmpty()) {
            second++;
        }
        assertThat(second).isEqualTo(1 + Spreading.MOVED_TIMEOUTS);
    }

    /** Goal: whatever the shards do, and whoever leads them at first, no two nodes hand the same to each other over and over. */
    @Test
    void shouldComeToRestWithNothingToGainWhateverTheShardsDo() {
        SplittableRandom random = new SplittableRandom(1);
        for (int run = 0; run < RUNS; run++) {
            new Run(random, 0).comesToRest("run " + run);
        }
    }

    /** Goal: the same where each node takes the loads for others, by a few percent. */
    @Test
    void shouldComeToRestWhenNodesDifferInWhatTheyKnow() {
        SplittableRandom random = new SplittableRandom(2);
        for (int run = 0; run < RUNS; run++) {
            new Run(random, 0.03).comesToRest("run " + run);
        }
    }

    /** Some shards that do always the same, and who leads them. */
    private final class Run {
        private static final long END_SECONDS = 2_000;
        private static final long REST_SECONDS = 1_000;

        private final SplittableRandom random;
        private final double error;
        private final List<String> names;
        private final long[] loads;
        private final List<Optional<String>> leaders = new ArrayList<>();
        private final long[] movedSecond;

        Run(SplittableRandom random, double error) {
            this.random = random;
            this.error = error;
            names = IntStream.rangeClosed(1, 2 + random.nextInt(4))
                    .mapToObj(i -> "n" + i)
                    .toList();
            loads = new long[1 + random.nextInt(16)];
            movedSecond = new long[loads.length];
            for (int shard = 0; shard < loads.length; shard++) {
                double exponent = random.nextDouble() * 4;
                loads[shard] = random.nextInt(4) == 0 ? 0 : (long) (Burdens.BUSY * Math.pow(10, exponent - 1));
                leaders.add(Optional.of(names.get(random.nextInt(names.size()))));
                movedSecond[shard] = -Spreading.MOVED_TIMEOUTS;
            }
        }

        void comesToRest(String which) {
            List<Spreading> nodes =
                    names.stream().map(SpreadingByLoadTest.this::node).toList();
            int moves = 0;
            long last = 0;
            for (long second = 0; second < END_SECONDS; second += 5) {
                for (Spreading node : nodes) {
                    Optional<Spreading.Due> due = node.toHandOn(List.copyOf(leaders), names, known(), second * SECOND);
                    if (due.isPresent()) {
                        move(due.get(), second, which);
                        moves++;
                        last = second;
                    }
                }
            }
            assertThat(moves).as(which).isLessThanOrEqualTo(2 * loads.length);
            assertThat(last).as(which).isLessThan(END_SECONDS - REST_SECONDS);
            if (error == 0 && !burdens().areIdle()) {
                assertThat(burdens().first()).as(which).isEmpty();
            }
        }

        private List<OptionalLong> known() {
            return LongStream.of(loads)
                    .mapToObj(load -> OptionalLong.of((long) (load * (1 + error * (2 * random.nextDouble() - 1)))))
                    .toList();
        }

        private Burdens burdens() {
            return new Burdens(leaders, names, LongStream.of(loads).boxed().toList());
        }

        private long most() {
            Burdens burdens = burdens();
            return Collections.max(names.stream().map(burdens::of).toList());
        }

        private void move(Spreading.Due due, long second, String which) {
            boolean byLoad = !burdens().areIdle();
            long before = most();
            leaders.set(due.shard(), Optional.of(due.to()));
            if (byLoad) {
                assertThat(most()).as(which).isLessThanOrEqualTo(before);
                assertThat(second - movedSecond[due.shard()])
                        .as(which)
                        .isGreaterThanOrEqualTo(Spreading.MOVED_TIMEOUTS);
            }
            movedSecond[due.shard()] = second;
        }
    }
}
