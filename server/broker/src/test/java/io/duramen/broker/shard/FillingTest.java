package io.duramen.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.destination.Destination;
import io.duramen.broker.destination.DestinationSettings;
import io.duramen.broker.destination.Partition;
import io.duramen.broker.shard.Filling.Filled;
import io.duramen.broker.subscription.Cursor;
import io.duramen.metadata.ShardImage.DestinationRow;
import io.duramen.metadata.ShardImage.PartitionRow;
import io.duramen.protocol.frame.DestinationKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes by stretches, compared with the bytes of each message. */
class FillingTest {
    private static final int LONGEST = 2000;

    private final Filling filling = new Filling((kind, key, fact) -> {});
    private final Partition partition = partition("max-bytes:100000");
    private final Cursor cursor = new Cursor(0);
    private final TreeMap<Long, Integer> unsettled = new TreeMap<>();
    private long next;

    private static Partition partition(String settings) {
        Destination destination = new Destination(
                new DestinationRow("orders", DestinationKind.QUEUE.ordinal(), 0, List.of(PartitionRow.empty(7, 0))), 0);
        destination.change(DestinationSettings.parse(settings));
        return destination.partitions().get(0);
    }

    private void store(int bytes) {
        filling.stored(partition, next, 1, bytes, cursor::unsettled);
        unsettled.put(next++, bytes);
    }

    private void settle(long offset) {
        cursor.settle(offset, offset);
        unsettled.remove(offset);
    }

    private long exact() {
        return unsettled.values().stream().mapToLong(bytes -> bytes).sum();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldKnowTheBytesOfWhatIsLeftByFewStretches(long seed) {
        Random random = new Random(seed);
        filling.follow(partition);
        for (int i = 0; i < 20_000; i++) {
            if (exact() < 90_000 && random.nextInt(3) > 0) {
                store(1 + random.nextInt(LONGEST));
            } else if (!unsettled.isEmpty()) {
                boolean inTurn = random.nextInt(10) > 0;
                List<Long> offsets = new ArrayList<>(unsettled.keySet());
                settle(offsets.get(inTurn ? 0 : random.nextInt(offsets.size())));
            }
            assertThat(filling.bytes(7, cursor))
                    .as("seed %d, step %d", seed, i)
                    .isBetween(exact() - 10 * LONGEST, exact() + 10 * LONGEST);
        }
        Filled filled = filling.get("7");
        assertThat(filled.closed()).hasSizeLessThanOrEqualTo(Filling.STRETCHES_MAX);
        Filling again = new Filling((kind, key, fact) -> {});
        again.load(filled);
        assertThat(again.bytes(7, cursor)).isEqualTo(filling.bytes(7, cursor));
        List.copyOf(unsettled.keySet()).forEach(this::settle);
        assertThat(filling.bytes(7, cursor)).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7})
    void shouldStayBoundedWhereStragglersStayEverywhere(int every) {
        filling.follow(partition);
        for (int i = 0; i < 50_000; i++) {
            store(1000);
            if (i % every != every - 1) {
                settle(i);
            }
        }
        assertThat(filling.get("7").closed()).hasSizeLessThanOrEqualTo(Filling.STRETCHES_MAX);
        assertThat(filling.bytes(7, cursor)).isEqualTo(exact());
    }
}
