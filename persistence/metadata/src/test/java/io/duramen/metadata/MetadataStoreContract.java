package io.duramen.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.metadata.ShardImage.CountRow;
import io.duramen.metadata.ShardImage.CursorRow;
import io.duramen.metadata.ShardImage.DestinationRow;
import io.duramen.metadata.ShardImage.GapRow;
import io.duramen.metadata.ShardImage.OpenBodyRow;
import io.duramen.metadata.ShardImage.PartitionRow;
import io.duramen.metadata.ShardImage.PinRow;
import io.duramen.metadata.ShardImage.ProducerRow;
import io.duramen.metadata.ShardImage.RunRow;
import io.duramen.metadata.ShardImage.SubscriptionRow;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every {@link MetadataStore} does; a test of one extends it. */
public abstract class MetadataStoreContract {
    /** A store as a new process would open it, over the one medium that this test has. */
    protected abstract MetadataStore open() throws IOException;

    /** Runs the completions that are due; called until the one waited for has run. */
    protected abstract void runCompletions();

    @Test
    void shouldHoldNothingWhenNothingWasStored() throws IOException {
        assertThat(open().load(0)).isEmpty();
    }

    @Test
    void shouldReturnTheImageWhenOpenedAgain() throws IOException {
        ShardImage image = anImage(0, 77);
        storeAndAwait(open(), image);
        assertThat(open().load(0)).contains(image);
    }

    @Test
    void shouldReturnTheImageWhenTheShardIsEmpty() throws IOException {
        ShardImage image =
                new ShardImage(0, 0, 0, 0, 0, 1, 1, List.of(), List.of(), List.of(), List.of(), List.of(), List.of());
        storeAndAwait(open(), image);
        assertThat(open().load(0)).contains(image);
    }

    @Test
    void shouldReplaceTheWholeImageWhenStoredAgain() throws IOException {
        MetadataStore store = open();
        storeAndAwait(store, anImage(0, 77));
        ShardImage smaller = new ShardImage(
                0, 78, 3, 900, 5, 9, 9, List.of(), List.of(), List.of(), List.of(), List.of(), List.of());
        storeAndAwait(store, smaller);
        assertThat(store.load(0)).contains(smaller);
        assertThat(open().load(0)).contains(smaller);
    }

    @Test
    void shouldKeepTheLastWhenTwoAreStoredAtOnce() throws IOException {
        MetadataStore store = open();
        List<Optional<IOException>> outcomes = new ArrayList<>();
        store.store(anImage(0, 77), outcomes::add);
        store.store(anImage(0, 78), outcomes::add);
        await(outcomes, 2);
        assertThat(outcomes).containsOnly(Optional.empty());
        assertThat(open().load(0)).contains(anImage(0, 78));
    }

    @Test
    void shouldKeepShardsApart() throws IOException {
        MetadataStore store = open();
        storeAndAwait(store, anImage(0, 77));
        storeAndAwait(store, anImage(1, 5));
        assertThat(open().load(0)).contains(anImage(0, 77));
        assertThat(open().load(1)).contains(anImage(1, 5));
        assertThat(open().load(2)).isEmpty();
    }

    @Test
    void shouldReturnTheImageWhenItHoldsTenThousandDestinations() throws IOException {
        List<DestinationRow> destinations = IntStream.range(0, 10_000)
                .mapToObj(
                        i -> new DestinationRow("queue." + i, 0, 0, List.of(new PartitionRow(i + 1, i, 0, 0, 0, 0, 0))))
                .toList();
        List<CursorRow> cursors = IntStream.range(0, 10_000)
                .mapToObj(i -> new CursorRow(i + 1, i + 1, i, ByteBuffer.allocate(0), List.of()))
                .toList();
        ShardImage image = new ShardImage(
                0, 1, 1, 2, 3, 10_001, 10_001, destinations, List.of(), cursors, List.of(), List.of(), List.of());
        storeAndAwait(open(), image);
        assertThat(open().load(0)).contains(image);
    }

    /** An image with every kind of row, edge values among them. */
    protected static ShardImage anImage(int shard, long appliedIndex) {
        return new ShardImage(
                shard,
                appliedIndex,
                3,
                appliedIndex * 2,
                1_790_000_000_123L,
                12,
                7,
                List.of(
                        new DestinationRow(
                                "orders",
                                0,
                                0,
                                List.of(new PartitionRow(1, Long.MAX_VALUE, 4, 3, 2, 1, Long.MAX_VALUE))),
                        new DestinationRow("temp.äöü-木-🌳", 3, -1, List.of()),
                        new DestinationRow(
                                "wide", 1, 0, List.of(PartitionRow.empty(2), new PartitionRow(11, 5, 0, 0, 5, 0, 9)))),
                List.of(
                        new SubscriptionRow(1, "orders", "", "", 0, "", false),
                        new SubscriptionRow(6, "wide", "client 7", "audit", 3, "region = 'EU'", true)),
                List.of(
                        new CursorRow(1, 1, 41, ByteBuffer.allocate(0), List.of()),
                        new CursorRow(
                                6,
                                2,
                                Long.MAX_VALUE,
                                ByteBuffer.wrap(new byte[] {1, 0, -1, 7}),
                                List.of(new CountRow(43, 2), new CountRow(44, Integer.MAX_VALUE)))),
                List.of(
                        new ProducerRow(Long.MIN_VALUE, 1, 0, 0, 0, -1, 0, List.of()),
                        new ProducerRow(
                                Long.MAX_VALUE,
                                0,
                                9,
                                100,
                                131,
                                7_000,
                                1_790_000_000_000L,
                                List.of(new GapRow(0, 3), new GapRow(90, Long.MAX_VALUE)))),
                List.of(
                        new OpenBodyRow(Long.MIN_VALUE, 5, 1, 1L << 40, List.of(new RunRow(7, 3), new RunRow(12, 1))),
                        new OpenBodyRow(6, -1, 11, 100, List.of(new RunRow(0, Integer.MAX_VALUE)))),
                List.of(new PinRow(1, 3, 11, 0, Long.MAX_VALUE), new PinRow(11, 0, 11, 4, 4)));
    }

    /** Stores it and waits until that has succeeded. */
    protected final void storeAndAwait(MetadataStore store, ShardImage image) {
        List<Optional<IOException>> outcomes = new ArrayList<>();
        store.store(image, outcomes::add);
        await(outcomes, 1);
        assertThat(outcomes).containsExactly(Optional.empty());
    }

    private void await(List<Optional<IOException>> outcomes, int count) {
        while (outcomes.size() < count) {
            runCompletions();
        }
    }
}
