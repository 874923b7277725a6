package io.duramen.broker.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.metadata.DedupBlock;
import io.duramen.metadata.ShardImage.DedupRow;
import io.duramen.protocol.record.DedupKey;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A window against a map that holds the same. */
class DedupIdsTest {
    private static final int IDS_MAX = 50_000;
    private static final DedupIds.Limits LIMITS = new DedupIds.Limits(1_000, IDS_MAX, 1_000_000);

    private static final long SECRET = 4711;
    private static final KeyHash HASH = KeyHash.of(SECRET);

    private final Map<Long, ByteBuffer> blocks = new HashMap<>();

    private static DedupKey key(long number, boolean alike) {
        return alike ? new DedupKey(number & 0xFF, number >>> 8) : DedupKey.of("id " + number);
    }

    /** An empty window whose next key gets that number. */
    private static DedupWindow window(long number) {
        DedupWindow window = new DedupWindow(1, LIMITS, HASH);
        window.load(new DedupRow(1, number, number, 0, ByteBuffer.allocate(0)), (partition, block) -> null);
        return window;
    }

    private DedupWindow reloaded(DedupWindow window) {
        List<DedupBlock> unkept = new ArrayList<>();
        window.unkept(unkept);
        for (DedupBlock block : unkept) {
            ByteBuffer copy = ByteBuffer.allocate(DedupBlock.LENGTH).put(block.ids());
            blocks.put(block.number(), copy);
            window.kept(block.number());
        }
        DedupRow row = window.toRow();
        DedupWindow again = new DedupWindow(1, LIMITS, HASH);
        again.load(row, (partition, block) -> blocks.get(block));
        assertThat(again.toRow()).isEqualTo(row);
        return again;
    }

    @Test
    void shouldHoldWhatAMapHoldsWhenKeysComeAndGo() {
        for (long seed = 1; seed <= 4; seed++) {
            Random random = new Random(seed);
            boolean alike = seed % 2 == 0;
            // Numbers of places begin anew some ten thousand keys behind the second.
            DedupWindow window = window(seed < 3 ? 0 : Integer.MAX_VALUE / DedupBlock.IDS * (long) DedupBlock.IDS);
            Map<DedupKey, Long> model = new LinkedHashMap<>();
            long millis = 1_790_000_000_000L;
            for (int step = 0; step < 200_000; step++) {
                millis += random.nextInt(40);
                DedupKey key = key(random.nextInt(150_000), alike);
                long at = millis;
                Long known = model.get(key);
                long expected = known == null || at / 1000 - known / 1000 > 1_000 ? -1 : known / 1000 * 1000;
                assertThat(window.storedMillis(HASH.hashed(key), at))
                        .as("seed %d step %d", seed, step)
                        .isEqualTo(expected);
                if (expected < 0) {
                    model.remove(key);
                    model.put(key, at);
                    window.add(HASH.hashed(key), at);
                    window.forget(at, 2, window.size() - IDS_MAX);
                    while (model.size() > IDS_MAX) {
                        model.remove(model.keySet().iterator().next());
                    }
                }
                if (random.nextInt(40_000) == 0) {
                    window = reloaded(window);
                }
                if (random.nextInt(60_000) == 0) {
                    millis += 2_000_000;
                }
            }
            blocks.clear();
        }
    }

    @Test
    void shouldForgetInTheBackgroundWhatIsOverWhenNothingComesForIt() {
        DedupIds ids = new DedupIds(LIMITS, SECRET);
        ids.load(List.of(new DedupRow(3, 0, 2, 0, tail(5, 2_000))), (partition, block) -> null);
        List<Integer> changed = new ArrayList<>();
        ids.passed(6_000, 1_006_000, changed::add);
        assertThat(ids.size()).isEqualTo(1);
        ids.passed(1_006_000, 9_000_000_000L, changed::add);
        assertThat(ids.size()).isZero();
        assertThat(changed).containsExactly(3, 3);
    }

    /** Each of these would be compared with all before it if its place in a map followed from its numbers alone. */
    @Test
    @Timeout(value = 10, unit = TimeUnit.SECONDS)
    void shouldNotTakeLongForARequestWhoseKeysAreCrafted() {
        DedupIds.Seen seen = new DedupIds(LIMITS, SECRET).seen();
        for (long number = 1; number <= 100_000; number++) {
            assertThat(seen.add(1, HASH.hashed(new DedupKey(number << 32 | number, 0))))
                    .isTrue();
        }
        assertThat(seen.add(1, HASH.hashed(new DedupKey(5L << 32 | 5, 0)))).isFalse();
        assertThat(seen.add(2, HASH.hashed(new DedupKey(5L << 32 | 5, 0)))).isTrue();
    }

    private static ByteBuffer tail(int... seconds) {
        ByteBuffer tail = ByteBuffer.allocate(DedupBlock.ID_LENGTH * seconds.length);
        for (int i = 0; i < seconds.length; i++) {
            tail.putLong(i + 1).putLong(i + 1).putInt(seconds[i]);
        }
        return tail.flip();
    }
}
