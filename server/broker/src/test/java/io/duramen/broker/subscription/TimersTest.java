package io.duramen.broker.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class TimersTest {
    @Test
    void shouldGiveTheEarliestFirstAndNoneBeforeItsTime() {
        Timers timers = new Timers(10);
        timers.add(30, 1);
        timers.add(10, 3);
        timers.add(10, 2);
        assertThat(timers.nextTime()).isEqualTo(10);
        assertThat(timers.poll(9)).isEqualTo(-1);
        assertThat(timers.poll(10)).isEqualTo(2);
        assertThat(timers.poll(10)).isEqualTo(3);
        assertThat(timers.poll(29)).isEqualTo(-1);
        assertThat(timers.poll(30)).isEqualTo(1);
        assertThat(timers.nextTime()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldKeepEachOnceInWhateverOrderTheyAreMet() {
        Timers timers = new Timers(10);
        timers.add(20, 5);
        timers.add(10, 2);
        timers.add(20, 5);
        timers.add(10, 2);
        assertThat(timers.size()).isEqualTo(2);
        assertThat(timers.poll(20)).isEqualTo(2);
        timers.add(30, 2);
        assertThat(timers.poll(30)).isEqualTo(5);
        assertThat(timers.poll(30)).isEqualTo(2);
        assertThat(timers.poll(30)).isEqualTo(-1);
    }

    /**
     * Goal: whatever is forgotten, nothing is late or lost. Method: what was to be looked for again is added again, as a
     * scan of the partition would.
     */
    @Test
    void shouldLoseNothingHoweverLittleItKeeps() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            Timers timers = new Timers(1 + random.nextInt(20));
            TreeMap<Long, Long> waiting = new TreeMap<>();
            long offsets = 0;
            for (long now = 0; now < 300; now++) {
                for (int i = now < 200 ? random.nextInt(6) : 0; i > 0; i--) {
                    long time = now + 1 + random.nextInt(80);
                    timers.add(time, offsets);
                    waiting.put(offsets++, time);
                }
                for (long due : dueOf(timers, waiting, now)) {
                    assertThat(waiting.remove(due)).as("seed %d", seed).isEqualTo(now);
                }
                assertThat(waiting.values()).as("late, seed %d", seed).allMatch(after(now));
            }
            assertThat(waiting).as("seed %d", seed).isEmpty();
        }
    }

    private static Predicate<Long> after(long now) {
        return time -> time > now;
    }

    private static List<Long> dueOf(Timers timers, TreeMap<Long, Long> waiting, long now) {
        List<Long> due = new ArrayList<>();
        for (long offset = timers.poll(now); offset >= 0; offset = timers.poll(now)) {
            due.add(offset);
        }
        while (timers.mustRecall(now)) {
            waiting.tailMap(timers.recall()).forEach((offset, time) -> {
                if (time > now) {
                    timers.add(time, offset);
                } else if (!due.contains(offset)) {
                    due.add(offset);
                }
            });
        }
        return due;
    }
}
