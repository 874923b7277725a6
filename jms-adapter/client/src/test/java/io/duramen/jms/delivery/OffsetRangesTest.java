package io.duramen.jms.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.protocol.frame.OffsetRange;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class OffsetRangesTest {
    @Test
    void shouldHoldOneRangeWhenOffsetsCameInOrder() {
        OffsetRanges ranges = new OffsetRanges();
        for (long offset = 5; offset < 1000; offset++) {
            ranges.add(offset);
        }
        assertThat(ranges.toList()).containsExactly(new OffsetRange(5, 999));
    }

    /** Against a set that keeps every offset, over many random histories. */
    @Test
    void shouldEqualAPlainSetWhateverIsAddedAndRemoved() {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            OffsetRanges ranges = new OffsetRanges();
            TreeSet<Long> model = new TreeSet<>();
            for (int step = 0; step < 200; step++) {
                long first = random.nextInt(60);
                long last = first + random.nextInt(6);
                boolean add = random.nextInt(3) > 0;
                if (add) {
                    ranges.add(first, last);
                } else {
                    ranges.remove(first, last);
                }
                for (long offset = first; offset <= last; offset++) {
                    if (add) {
                        model.add(offset);
                    } else {
                        model.remove(offset);
                    }
                }
                assertSame(seed, ranges, model);
            }
        }
    }

    private static void assertSame(long seed, OffsetRanges ranges, TreeSet<Long> model) {
        TreeSet<Long> held = new TreeSet<>();
        long before = -2;
        for (OffsetRange range : ranges.toList()) {
            assertThat(range.first()).as("seed %d: ranges apart", seed).isGreaterThan(before + 1);
            before = range.last();
            for (long offset = range.first(); offset <= range.last(); offset++) {
                held.add(offset);
            }
        }
        assertThat(held).as("seed %d", seed).isEqualTo(model);
        assertThat(ranges.contains(30)).as("seed %d", seed).isEqualTo(model.contains(30L));
        assertThat(ranges.isEmpty()).isEqualTo(model.isEmpty());
    }
}
