package io.duramen.broker.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.protocol.record.DedupKey;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A client that crafts its keys does not crowd a table. */
class KeyHashTest {
    private static final int KEYS = 4_096;

    /** The bits that choose a table, and the first that choose a place in it. */
    private static long cell(long hashed) {
        return hashed >>> Long.SIZE - 6 << 6 | hashed & 0x3F;
    }

    private static int fullestCell(List<DedupKey> keys, KeyHash hash) {
        int[] cells = new int[KEYS];
        int most = 0;
        for (DedupKey key : keys) {
            most = Math.max(most, ++cells[(int) cell(hash.of(key.high(), key.low()))]);
        }
        return most;
    }

    /** Keys of one cell under a secret that their maker knows. */
    private static List<DedupKey> craftedFor(KeyHash known, int keys) {
        List<DedupKey> crafted = new ArrayList<>();
        for (long number = 0; crafted.size() < keys; number++) {
            if (cell(known.of(number, -number)) == 0) {
                crafted.add(new DedupKey(number, -number));
            }
        }
        return crafted;
    }

    private interface Craft {
        DedupKey key(long number);
    }

    private static List<DedupKey> family(Craft craft) {
        List<DedupKey> keys = new ArrayList<>();
        for (long number = 0; number < KEYS; number++) {
            keys.add(craft.key(number));
        }
        return keys;
    }

    @Test
    void shouldBeSipHash() {
        KeyHash hash = new KeyHash(0x0706050403020100L, 0x0F0E0D0C0B0A0908L);
        assertThat(hash.of(0x0706050403020100L, 0x0F0E0D0C0B0A0908L)).isEqualTo(0xCC4FDD1A7D908B66L);
    }

    @Test
    void shouldSpreadKeysThatWereCraftedWithoutTheSecret() {
        List<List<DedupKey>> families = List.of(
                family(number -> new DedupKey(number, 0)),
                family(number -> new DedupKey(0, number)),
                family(number -> new DedupKey(number << 52, 7)),
                family(number -> new DedupKey(number, number)),
                family(number -> new DedupKey(-number, ~number)),
                // All of these had one hash as long as that was murmur's finalizer over both halves.
                family(number -> new DedupKey(number * 0x9E3779B97F4A7C15L, number)));
        for (int secret = 1; secret <= 8; secret++) {
            for (List<DedupKey> keys : families) {
                // One a cell on average: that 14 or more are in any of 4,096 has a chance of 1 in 10^8.
                assertThat(fullestCell(keys, KeyHash.of(secret))).isLessThan(14);
            }
        }
    }

    @Test
    void shouldSpreadKeysThatWereCraftedForAnotherSecret() {
        List<DedupKey> crafted = craftedFor(KeyHash.of(0), KEYS / 4);
        assertThat(fullestCell(crafted, KeyHash.of(0))).isEqualTo(crafted.size());
        for (long secret = 1; secret <= 8; secret++) {
            assertThat(fullestCell(crafted, KeyHash.of(secret << 60 | secret))).isLessThan(12);
        }
    }
}
