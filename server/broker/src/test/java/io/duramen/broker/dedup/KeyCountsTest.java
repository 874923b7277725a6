package io.duramen.broker.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.protocol.record.DedupKey;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Counts against a map that holds the same. */
class KeyCountsTest {
    private record Counted(int partition, HashedKey key) {}

    @Test
    void shouldCountWhatAMapCountsWhenKeysComeAndGo() {
        for (long seed = 1; seed <= 8; seed++) {
            Random random = new Random(seed);
            KeyHash hash = KeyHash.of(seed);
            KeyCounts counts = new KeyCounts();
            Map<Counted, Integer> model = new HashMap<>();
            // More come than go, and then the other way about.
            for (int step = 0; step < 60_000; step++) {
                DedupKey key = new DedupKey(random.nextInt(20), random.nextInt(200));
                Counted one = new Counted(random.nextInt(3), hash.hashed(key));
                int known = model.getOrDefault(one, 0);
                assertThat(counts.contains(one.partition, one.key)).isEqualTo(known > 0);
                if (random.nextInt(10) < (step / 10_000 % 2 == 0 ? 7 : 3)) {
                    assertThat(counts.add(one.partition, one.key)).isEqualTo(known + 1);
                    model.put(one, known + 1);
                } else {
                    counts.remove(one.partition, one.key);
                    model.computeIfPresent(one, (same, times) -> times == 1 ? null : times - 1);
                }
                if (random.nextInt(20_000) == 0) {
                    counts.clear();
                    model.clear();
                }
            }
        }
    }
}
