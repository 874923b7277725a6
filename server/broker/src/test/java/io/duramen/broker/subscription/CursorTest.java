package io.duramen.broker.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.metadata.ShardImage.CountRow;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.roaringbitmap.RoaringBitmap;

class CursorTest {
    private static final long WINDOW = 200;

    /** One range after the other is settled at random; a plain set says what must hold. */
    @ParameterizedTest
    @ValueSource(longs = {0, (1L << 32) - 100, (2L << 32) - 100, (3L << 32) - 100, (1L << 40) - 150})
    void shouldAgreeWithAPlainSetWhenRangesAreSettledAtRandom(long base) {
        for (int seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            Cursor cursor = new Cursor(base);
            TreeSet<Long> settled = new TreeSet<>();
            Map<Long, Integer> counts = new HashMap<>();
            for (int step = 0; step < 25; step++) {
                long first = base + random.nextInt((int) WINDOW);
                long last = first + random.nextInt(1 + random.nextInt(40));
                if (random.nextInt(4) == 0) {
                    cursor.countDelivery(first, 1000, false);
                    if (!settled.contains(first)) {
                        counts.merge(first, 1, Integer::sum);
                    }
                } else {
                    cursor.settle(first, last);
                    LongStream.rangeClosed(first, last).forEach(settled::add);
                    counts.keySet().removeAll(settled);
                }
                if (random.nextInt(5) == 0) {
                    cursor = Cursor.load(cursor.settledBelow(), cursor.serializeBeyond(), cursor.deliveryRows());
                }
                assertAgrees(cursor, base, settled, counts, "seed " + seed + " step " + step);
            }
        }
    }

    private static void assertAgrees(
            Cursor cursor, long base, TreeSet<Long> settled, Map<Long, Integer> counts, String run) {
        long unsettled = base;
        while (settled.contains(unsettled)) {
            unsettled++;
        }
        assertThat(cursor.settledBelow()).as(run).isEqualTo(unsettled);
        long next = base + WINDOW + 100;
        for (long offset = next; offset >= base; offset--) {
            boolean expected = settled.contains(offset);
            next = expected ? next : offset;
            if (cursor.isSettled(offset) != expected || cursor.nextUnsettled(offset) != next) {
                throw new AssertionError(run + ": offset " + offset + " is settled: " + cursor.isSettled(offset)
                        + ", next unsettled " + cursor.nextUnsettled(offset) + " instead of " + next);
            }
            if (cursor.deliveries(offset) != counts.getOrDefault(offset, 0)) {
                throw new AssertionError(run + ": offset " + offset + " was delivered " + cursor.deliveries(offset));
            }
        }
    }

    @Test
    void shouldSettleAcrossBitmapsWhenTheRangeSpansThem() {
        Cursor cursor = new Cursor(0);
        long first = (1L << 32) - 3;
        long last = (3L << 32) + 3;
        cursor.settle(first, last);
        assertThat(cursor.nextUnsettled(first)).isEqualTo(last + 1);
        assertThat(cursor.isSettled(2L << 32)).isTrue();
        cursor.settle(0, first - 1);
        assertThat(cursor.settledBelow()).isEqualTo(last + 1);
        assertThat(cursor.serializeBeyond().hasRemaining()).isFalse();
    }

    @Test
    void shouldLoadEveryBitmapWhenSeveralWereStored() {
        Cursor cursor = new Cursor(7);
        cursor.settle(9, 9);
        cursor.settle((1L << 32) + 5, (1L << 32) + 90_000);
        cursor.settle((2L << 32) + 5, (2L << 32) + 5);
        cursor.countDelivery(8, 1000, true);
        Cursor loaded = Cursor.load(7, cursor.serializeBeyond().asReadOnlyBuffer(), cursor.deliveryRows());
        assertThat(loaded.serializeBeyond()).isEqualTo(cursor.serializeBeyond());
        assertThat(loaded.deliveryRows()).containsExactly(new CountRow(8, 1, 1000, true));
        assertThat(loaded.nextUnsettled((1L << 32) + 5)).isEqualTo((1L << 32) + 90_001);
    }

    /** {@link Cursor#load} counts on it. */
    @Test
    void shouldKeepThePositionOfTheBufferWhenABitmapIsDeserialized() throws Exception {
        ByteBuffer bytes = ByteBuffer.allocate(100).order(ByteOrder.LITTLE_ENDIAN);
        RoaringBitmap.bitmapOf(1, 2, 100_000).serialize(bytes);
        int end = bytes.position();
        bytes.flip();
        RoaringBitmap read = new RoaringBitmap();
        read.deserialize(bytes);
        assertThat(bytes.position()).isZero();
        assertThat(read.serializedSizeInBytes()).isEqualTo(end);
    }
}
