package io.duramen.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.metadata.ShardChanges.FactKey;
import io.duramen.metadata.ShardChanges.HomePins;
import io.duramen.metadata.ShardChanges.ProducerKey;
import io.duramen.metadata.ShardChanges.Removed;
import io.duramen.metadata.ShardImage.BranchRow;
import io.duramen.metadata.ShardImage.CountRow;
import io.duramen.metadata.ShardImage.CursorRow;
import io.duramen.metadata.ShardImage.DedupRow;
import io.duramen.metadata.ShardImage.DestinationRow;
import io.duramen.metadata.ShardImage.FactRow;
import io.duramen.metadata.ShardImage.GapRow;
import io.duramen.metadata.ShardImage.OpenBodyRow;
import io.duramen.metadata.ShardImage.PartitionRow;
import io.duramen.metadata.ShardImage.PinRow;
import io.duramen.metadata.ShardImage.ProducerRow;
import io.duramen.metadata.ShardImage.RunRow;
import io.duramen.metadata.ShardImage.SubscriptionRow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every {@link MetadataStore} does; a test of one extends it. */
public abstract class MetadataStoreContract {
    /** A store as a new process would open it, over the one medium that this test has; the one before is not used again. */
    protected abstract MetadataStore open() throws IOException;

    /** Runs the completions that are due; called until the one waited for has run. */
    protected abstract void runCompletions();

    @Test
    void shouldHoldNothingWhenNothingWasStored() throws IOException {
        assertThat(open().load(0)).isEmpty();
    }

    @Test
    void shouldReturnTheStateWhenOpenedAgain() throws IOException {
        ShardImage image = anImage(0, 77);
        storeAndAwait(loaded(0), image);
        assertThat(open().load(0)).contains(image);
    }

    @Test
    void shouldReturnTheStateWhenTheShardIsEmpty() throws IOException {
        ShardImage image = anEmptyImage(1);
        storeAndAwait(loaded(0), image);
        assertThat(open().load(0)).contains(image);
    }

    @Test
    void shouldReplaceTheWholeStateWhenAllOfItIsStoredAgain() throws IOException {
        MetadataStore store = loaded(0);
        storeAndAwait(store, anImage(0, 77));
        storeAndAwait(store, anEmptyImage(78));
        assertThat(open().load(0)).contains(anEmptyImage(78));
    }

    @Test
    void shouldGoOnFromWhatWasLoadedWhenOpenedAgain() throws IOException {
        storeAndAwait(loaded(0), anImage(0, 77));
        ShardRows model = ShardRows.of(anImage(0, 77));
        storeAndAwait(loaded(0), applied(model, RandomChanges.of(5).next(model)));
        assertThat(open().load(0)).contains(model.toImage());
    }

    @Test
    void shouldKeepShardsApart() throws IOException {
        MetadataStore store = loaded(0, 1);
        storeAndAwait(store, anImage(0, 77));
        storeAndAwait(store, anImage(1, 5));
        store = loaded(0, 1);
        storeAndAwait(store, anEmptyImage(78));
        assertThat(open().load(0)).contains(anEmptyImage(78));
        assertThat(open().load(1)).contains(anImage(1, 5));
        assertThat(open().load(2)).isEmpty();
    }

    @Test
    void shouldRefuseChangesWhenThoseBeforeThemAreMissing() throws IOException {
        MetadataStore store = loaded(0);
        storeAndAwait(store, anImage(0, 77));
        ShardChanges changes = new ShardChanges(
                anEmptyImage(90).head(),
                78,
                false,
                Removed.NOTHING,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of());
        assertThat(outcomeOf(store, changes)).containsInstanceOf(StateLostException.class);
        assertThat(open().load(0)).contains(anImage(0, 77));
    }

    @Test
    void shouldPutThoseUsedLaterLastWhenProducersAreStored() throws IOException {
        MetadataStore store = loaded(0);
        storeAndAwait(store, withProducers(10, 0, true, aProducer(3, 1), aProducer(1, 2), aProducer(2, 3)));
        storeAndAwait(store, withProducers(11, 10, false, aProducer(4, 4), aProducer(3, 5)));
        assertThat(open().load(0).orElseThrow().producers())
                .containsExactly(aProducer(1, 2), aProducer(2, 3), aProducer(4, 4), aProducer(3, 5));
    }

    @Test
    void shouldHoldWhatIsMadeAgainWhenItsNameWasDeletedBefore() throws IOException {
        MetadataStore store = loaded(0);
        ShardRows model = ShardRows.of(anImage(0, 77));
        storeAndAwait(store, model.toImage());
        ShardChanges changes = new ShardChanges(
                anEmptyImage(78).head(),
                77,
                false,
                new Removed(
                        List.of("orders", "never stored"),
                        List.of(1, 99),
                        List.of(new ProducerKey(5, 5)),
                        List.of(),
                        List.of("7:0a:", "1:01:"),
                        List.of(new FactKey(2, "transfers"), new FactKey(9, "never stored"))),
                List.of(new DestinationRow("orders", 1, 0, List.of(PartitionRow.empty(30, 3)))),
                List.of(new PartitionRow(30, 0, 7, 0, 0, 0, 0, 9), new PartitionRow(11, 0, 6, 1, 2, 3, 4, 5)),
                List.of(new SubscriptionRow(31, "orders", "", "again", 3, "", false)),
                List.of(new CursorRow(31, 30, 7, ByteBuffer.allocate(0), List.of())),
                List.of(),
                List.of(),
                List.of(new HomePins(1, List.of()), new HomePins(30, List.of(new PinRow(30, 1, 30, 2, 3)))),
                List.of(new BranchRow("8:0b:", 5, ByteBuffer.allocate(3))),
                List.of(new FactRow(1, "transfers", ByteBuffer.wrap(new byte[] {9}))),
                List.of(new DedupRow(11, 1, 2, 3, ByteBuffer.allocate(4))),
                List.of());
        storeAndAwait(store, applied(model, changes));
        ShardImage found = open().load(0).orElseThrow();
        assertThat(found).isEqualTo(model.toImage());
        assertThat(found.destinations().get(0).partitions()).containsExactly(new PartitionRow(30, 0, 7, 0, 0, 0, 0, 9));
        assertThat(found.cursors()).extracting(CursorRow::subscription).containsExactly(6, 31);
    }

    @Test
    void shouldHoldWhatAModelHoldsWhenRandomChangesAreStored() throws IOException {
        for (long seed = 1; seed <= 3; seed++) {
            ShardRows model = ShardRows.of(anEmptyImage(1000 * seed)); // a log never goes back
            MetadataStore store = loaded(0);
            storeAndAwait(store, model.toImage());
            RandomChanges random = RandomChanges.of(seed);
            for (int i = 0; i < 20; i++) {
                storeAndAwait(store, applied(model, random.next(model)));
                if (random.oneIn(8)) {
                    store = open();
                    assertThat(store.load(0)).as("seed %d", seed).contains(model.toImage());
                }
            }
            assertThat(open().load(0)).as("seed %d", seed).contains(model.toImage());
        }
    }

    @Test
    void shouldReturnTheStateWhenItHoldsTenThousandDestinations() throws IOException {
        List<DestinationRow> destinations = IntStream.range(0, 10_000)
                .mapToObj(i -> new DestinationRow(
                        "queue." + (10_000 + i), 0, 0, List.of(new PartitionRow(i + 1, 0, i, 0, 0, 0, 0, 0))))
                .toList();
        List<SubscriptionRow> subscriptions = IntStream.range(0, 10_000)
                .mapToObj(i -> new SubscriptionRow(i + 1, "queue." + (10_000 + i), "", "", 0, "", false))
                .toList();
        List<CursorRow> cursors = IntStream.range(0, 10_000)
                .mapToObj(i -> new CursorRow(i + 1, i + 1, i, ByteBuffer.allocate(0), List.of()))
                .toList();
        ShardImage image = new ShardImage(
                0,
                1,
                1,
                2,
                3,
                10_001,
                10_001,
                destinations,
                subscriptions,
                cursors,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of());
        storeAndAwait(loaded(0), image);
        assertThat(open().load(0)).contains(image);
    }

    private MetadataStore loaded(int... shards) throws IOException {
        MetadataStore store = open();
        for (int shard : shards) {
            store.load(shard);
        }
        return store;
    }

    private static ShardChanges applied(ShardRows model, ShardChanges changes) throws StateLostException {
        model.apply(changes);
        return changes;
    }

    private static ProducerRow aProducer(long id, long sequence) {
        return new ProducerRow(id, 1, 0, sequence, sequence, -1, 1000, List.of());
    }

    private static ShardChanges withProducers(long appliedIndex, long since, boolean whole, ProducerRow... producers) {
        return new ShardChanges(
                anEmptyImage(appliedIndex).head(),
                since,
                whole,
                Removed.NOTHING,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(producers),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }

    protected static ShardImage anEmptyImage(long appliedIndex) {
        return new ShardImage(
                0,
                appliedIndex,
                3,
                900,
                5,
                9,
                9,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of());
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
                                List.of(new PartitionRow(1, 0, Long.MAX_VALUE, 4, 3, 2, 1, Long.MAX_VALUE))),
                        new DestinationRow("temp.äöü-木-🌳", 3, -1, List.of()),
                        new DestinationRow(
                                "wide",
                                1,
                                0,
                                List.of(PartitionRow.empty(2, 3), new PartitionRow(11, 0, 5, 0, 0, 5, 0, 9)))),
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
                                List.of(
                                        new CountRow(43, 2, 1000, false),
                                        new CountRow(44, Integer.MAX_VALUE, Long.MAX_VALUE, true)))),
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
                List.of(new PinRow(1, 3, 11, 0, Long.MAX_VALUE), new PinRow(11, 0, 11, 4, 4)),
                List.of(
                        new BranchRow("-3:ff:00", 0, ByteBuffer.allocate(0)),
                        new BranchRow("7:0a:", 1_790_000_000_001L, ByteBuffer.wrap(new byte[] {4, 0, -1}))),
                List.of(
                        new FactRow(1, "transfers", ByteBuffer.wrap(new byte[] {0, -1, 7})),
                        new FactRow(1, "äöü-木-🌳", ByteBuffer.allocate(0)),
                        new FactRow(2, "transfers", ByteBuffer.wrap(new byte[] {3}))),
                List.of(
                        new DedupRow(1, 7, 8, 3, ByteBuffer.wrap(new byte[] {1, 2, 3})),
                        new DedupRow(11, 0, 0, Long.MAX_VALUE, ByteBuffer.allocate(0))));
    }

    /** Stores all of it and waits until it is where nothing loses it. */
    protected final void storeAndAwait(MetadataStore store, ShardImage image) {
        storeAndAwait(store, ShardChanges.whole(image));
    }

    @Test
    void shouldHoldAStateThatWasPutInPlaceWithoutBeingStored() throws IOException {
        MetadataStore store = loaded(0);
        storeAndAwait(store, anEmptyImage(7));
        ShardImage later = anImage(0, 77);
        assertThat(snapshotBy(done -> store.snapshotOf(ShardChanges.whole(later), done)))
                .isEqualTo(77);
        assertThat(open().load(0)).contains(later);
    }

    private void storeAndAwait(MetadataStore store, ShardChanges changes) {
        assertThat(outcomeOf(store, changes)).isEmpty();
        assertThat(snapshotOf(store, changes.head().shard()))
                .isEqualTo(changes.head().appliedIndex());
    }

    /** Stores changes and waits for the outcome. */
    protected final Optional<IOException> outcomeOf(MetadataStore store, ShardChanges changes) {
        List<Optional<IOException>> outcomes = new ArrayList<>();
        store.store(changes, outcomes::add);
        while (outcomes.isEmpty()) {
            runCompletions();
        }
        assertThat(outcomes).hasSize(1);
        return outcomes.get(0);
    }

    /** Takes a snapshot and waits for it; returns its index, or throws what it failed with. */
    protected final long snapshotOf(MetadataStore store, int shard) {
        return snapshotBy(done -> store.snapshot(shard, done));
    }

    private long snapshotBy(Consumer<MetadataStore.SnapshotCompletion> how) {
        List<Object> outcomes = new ArrayList<>();
        how.accept(new MetadataStore.SnapshotCompletion() {
            @Override
            public void taken(long appliedIndex, IntToLongFunction neededFrom) {
                outcomes.add(appliedIndex);
            }

            @Override
            public void failed(IOException cause) {
                outcomes.add(cause);
            }
        });
        while (outcomes.isEmpty()) {
            runCompletions();
        }
        if (outcomes.get(0) instanceof IOException cause) {
            throw new UncheckedIOException(cause);
        }
        return (Long) outcomes.get(0);
    }
}
