package io.duramen.node.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.duramen.broker.shard.ShardCounters.Counter;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** Two nodes of three shards, by a clock that the test moves; what one tells the other arrives at once. */
class LoadMeterTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final long SECOND = TIMEOUT.toNanos();
    private static final List<String> NODES = List.of("n1", "n2");
    private static final double SMOOTHED = 1 - Math.exp(-1);
    private static final Percentage ABOUT = Percentage.withPercentage(0.1);

    /** Of shard 0. */
    private final Map<Counter, Long> counts = new HashMap<>();

    private final Map<Counter, Long> countsOfTwo = new HashMap<>();
    private int told;
    private long now;
    private final ShardLoads loadsOfTwo = new ShardLoads(3, TIMEOUT, (node, content) -> {});
    private final ShardLoads loadsOfOne = new ShardLoads(3, TIMEOUT, this::tell);
    private final LoadMeter one = new LoadMeter((shard, counter) -> of(counts, shard, counter), loadsOfOne, TIMEOUT);
    private final LoadMeter two =
            new LoadMeter((shard, counter) -> of(countsOfTwo, shard, counter), loadsOfTwo, TIMEOUT);

    private static long of(Map<Counter, Long> counts, int shard, Counter counter) {
        return shard == 0 ? counts.getOrDefault(counter, 0L) : 0;
    }

    private void tell(String node, byte[] content) {
        assertThat(node).isEqualTo("n2");
        told++;
        loadsOfTwo.told("n1", content, now);
    }

    private List<OptionalLong> look(LoadMeter meter, String self, String... leaders) {
        List<Optional<String>> led = List.of(leaders).stream()
                .map(name -> Optional.of(name).filter(one -> !one.isEmpty()))
                .toList();
        return meter.look(led, self, NODES, now);
    }

    /** The first node leads shard 0 for some seconds, and looks five times in each. */
    private long runs(int seconds, long bytes, long messages) {
        long load = 0;
        for (int i = 0; i < 5 * seconds; i++) {
            now += SECOND / 5;
            counts.merge(Counter.LOG_BYTES, bytes / 5, Long::sum);
            counts.merge(Counter.MESSAGES_HANDED_OUT, messages / 5, Long::sum);
            load = look(one, "n1", "n1", "n2", "n2").get(0).orElseThrow();
        }
        return load;
    }

    @Test
    void shouldMeasureBytesAndMessagesOverAboutAMinute() {
        counts.put(Counter.LOG_BYTES, 1_000_000_000L);
        look(one, "n1", "n1", "n2", "n2");

        assertThat(runs(LoadMeter.SMOOTHED_TIMEOUTS, 1_000_000, 500))
                .isCloseTo((long) (SMOOTHED * (1_000_000 + 500 * LoadMeter.MESSAGE_BYTES)), ABOUT);
        long before = loadsOfOne.of(0, now).orElseThrow();
        assertThat(runs(LoadMeter.SMOOTHED_TIMEOUTS, 0, 0)).isCloseTo((long) ((1 - SMOOTHED) * before), ABOUT);
    }

    @Test
    void shouldLeaveOutTheTimeInWhichSegmentsWent() {
        look(one, "n1", "n1", "n2", "n2");
        long before = runs(30, 1_000_000, 0);
        counts.merge(Counter.LOG_BYTES, -20_000_000L, Long::sum);

        assertThat(runs(30, 1_000_000, 0)).isBetween(before, (long) (SMOOTHED * 1_000_000));
    }

    @Test
    void shouldTellTheOtherOnceAnElectionTimeoutWhatItLeads() {
        runs(10, 1_000_000, 0);

        assertThat(told).isEqualTo(10);
        assertThat(loadsOfTwo.of(0, now).orElseThrow()).isCloseTo(150_000, within(20_000L));
        assertThat(loadsOfTwo.of(1, now)).isEmpty();
        assertThat(look(one, "n1", "n2", "n2", "n2")).contains(OptionalLong.empty());
        assertThat(told).isEqualTo(10);
    }

    @Test
    void shouldGoOnFromWhatItsPredecessorHasSaidWhenItBeginsToLead() {
        long before = runs(60, 1_000_000, 0);
        long said = loadsOfTwo.of(0, now).orElseThrow();

        assertThat(said).isCloseTo(before, Percentage.withPercentage(2));
        assertThat(look(two, "n2", "n2", "n2", "n2"))
                .containsExactly(OptionalLong.of(said), OptionalLong.of(0), OptionalLong.of(0));
    }

    @Test
    void shouldForgetWhatWasNotSaidAgain() {
        runs(5, 1_000_000, 0);
        long known = ShardLoads.KNOWN_TIMEOUTS * SECOND;

        assertThat(loadsOfTwo.of(0, now + known - SECOND)).isPresent();
        assertThat(loadsOfTwo.all(now + known)).containsOnly(OptionalLong.empty());
    }

    @Test
    void shouldKeepWhatIsKnownWhenItIsToldNonsense() {
        loadsOfTwo.say(Map.of(1, 7L), now);
        loadsOfTwo.told("n1", new byte[] {0, 1, 0, 1, 0, 0}, now);
        loadsOfTwo.told("n1", new ToldLoads(Map.of(1, 8L, 3, 9L)).encode(), now);

        assertThat(loadsOfTwo.all(now)).containsExactly(OptionalLong.empty(), OptionalLong.of(7), OptionalLong.empty());
    }
}
