package io.duramen.metadata.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.metadata.DedupBlock;
import io.duramen.metadata.MetadataStore;
import io.duramen.metadata.MetadataStoreContract;
import io.duramen.metadata.Projection;
import io.duramen.metadata.ShardChanges;
import io.duramen.metadata.ShardImage;
import io.duramen.metadata.ShardRows;
import io.duramen.metadata.StateLostException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

class ProjectedMetadataStoreTest extends MetadataStoreContract {
    private final MemoryDisk disk = new MemoryDisk();
    private final Map<Integer, ShardRows> kept = new HashMap<>();
    private Rows projection = new Rows();

    @Override
    protected MetadataStore open() {
        projection = new Rows();
        return new ProjectedMetadataStore(projection, disk);
    }

    @Override
    protected void runCompletions() {
        projection.poll();
        disk.poll();
    }

    /** A projection in memory. */
    private final class Rows implements Projection {
        private final Queue<Runnable> due = new ArrayDeque<>();

        @Override
        public Optional<ShardImage> load(int shard) {
            return Optional.ofNullable(kept.get(shard)).map(ShardRows::toImage);
        }

        @Override
        public void store(ShardChanges changes, Consumer<Optional<IOException>> done) {
            due.add(() -> done.accept(apply(changes)));
        }

        private Optional<IOException> apply(ShardChanges changes) {
            try {
                kept.computeIfAbsent(changes.head().shard(), ShardRows::new).apply(changes);
                return Optional.empty();
            } catch (StateLostException e) {
                return Optional.of(e);
            }
        }

        @Override
        public <T> void read(int shard, Function<ShardImage, T> use, Reading<T> done) {
            due.add(() -> {
                if (kept.containsKey(shard)) {
                    done.succeeded(use.apply(kept.get(shard).toImage()));
                } else {
                    done.failed(new StateLostException("there is nothing"));
                }
            });
        }

        @Override
        public int poll() {
            int ran = 0;
            for (Runnable next = due.poll(); next != null; next = due.poll()) {
                next.run();
                ran++;
            }
            return ran;
        }

        @Override
        public void onDue(Runnable wake) {
            // It is polled.
        }

        @Override
        public void close() {
            due.clear();
        }
    }

    private static final class Outcome implements MetadataStore.SnapshotCompletion {
        private final List<Object> told = new ArrayList<>();

        @Override
        public void taken(long appliedIndex, IntToLongFunction neededFrom) {
            told.add(appliedIndex);
        }

        @Override
        public void failed(IOException cause) {
            told.add(cause);
        }
    }

    /** What the database has lies behind the image that is made without it, which the log has let segments go for. */
    @Test
    void shouldNotPutAnOlderStateInPlaceWhenANewerImageIsOnItsWay() throws IOException {
        MetadataStore store = open();
        store.load(0);
        storeAndAwait(store, anImage(0, 60));
        Outcome late = new Outcome();
        store.snapshot(0, late);
        Outcome direct = new Outcome();
        store.snapshotOf(ShardChanges.whole(anImage(0, 77)), direct);
        while (direct.told.isEmpty() || late.told.isEmpty()) {
            runCompletions();
        }
        assertThat(direct.told).containsExactly(77L);
        assertThat(late.told).singleElement().isInstanceOf(StateLostException.class);
        kept.clear();
        assertThat(open().load(0)).contains(anImage(0, 77));
    }

    /** The other way round: blocks of dedup ids are written first, and meanwhile the database answers again. */
    @Test
    void shouldNotPutAnImageInPlaceWhenTheDatabaseHasOvertakenIt() throws IOException {
        MetadataStore store = open();
        store.load(0);
        storeAndAwait(store, anImage(0, 60));
        Outcome direct = new Outcome();
        store.snapshotOf(withABlock(ShardChanges.whole(anImage(0, 77))), direct);
        store.store(ShardChanges.whole(anImage(0, 80)), failure -> {});
        Outcome newer = new Outcome();
        store.snapshot(0, newer);
        while (direct.told.isEmpty() || newer.told.isEmpty()) {
            runCompletions();
        }
        assertThat(newer.told).containsExactly(80L);
        assertThat(direct.told).singleElement().isInstanceOf(IOException.class);
        kept.clear();
        assertThat(open().load(0)).contains(anImage(0, 80));
    }

    @Test
    void shouldPutAnOlderStateInPlaceAgainWhenTheNewerImageCouldNotBeWritten() throws IOException {
        MetadataStore store = open();
        store.load(0);
        storeAndAwait(store, anImage(0, 60));
        disk.failure = Optional.of(new IOException("no space"));
        Outcome direct = new Outcome();
        store.snapshotOf(ShardChanges.whole(anImage(0, 77)), direct);
        runCompletions();
        assertThat(direct.told).containsExactly(disk.failure.get());
        disk.failure = Optional.empty();
        assertThat(snapshotOf(store, 0)).isEqualTo(60);
    }

    private static ShardChanges withABlock(ShardChanges changes) {
        return new ShardChanges(
                changes.head(),
                changes.sinceIndex(),
                changes.whole(),
                changes.removed(),
                changes.destinations(),
                changes.partitions(),
                changes.subscriptions(),
                changes.cursors(),
                changes.producers(),
                changes.openBodies(),
                changes.pins(),
                changes.branches(),
                changes.facts(),
                changes.dedup(),
                List.of(new DedupBlock(11, 0, ByteBuffer.allocate(DedupBlock.LENGTH))));
    }
}
