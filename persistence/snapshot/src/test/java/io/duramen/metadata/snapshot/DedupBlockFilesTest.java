package io.duramen.metadata.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.metadata.DedupBlock;
import io.duramen.metadata.MetadataStore;
import io.duramen.metadata.ShardChanges;
import io.duramen.metadata.ShardChanges.Removed;
import io.duramen.metadata.ShardHead;
import io.duramen.metadata.ShardImage.DedupRow;
import io.duramen.metadata.ShardImage.DestinationRow;
import io.duramen.metadata.ShardImage.PartitionRow;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

/** Blocks of dedup ids beside an image: there before what needs them, gone after it. */
class DedupBlockFilesTest {
    private static final int IDS = DedupBlock.IDS;

    private final MemoryDisk disk = new MemoryDisk();
    private MetadataStore store = opened();

    private MetadataStore opened() {
        try {
            MetadataStore opened = new SnapshotMetadataStore(disk);
            opened.load(0);
            return opened;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static DedupBlock block(long number) {
        ByteBuffer ids = ByteBuffer.allocate(DedupBlock.LENGTH);
        for (int i = 0; i < IDS; i++) {
            ids.putLong(number).putLong(i).putInt(7);
        }
        return new DedupBlock(1, number, ids);
    }

    private void stores(long index, long first, long end, DedupBlock... blocks) {
        ShardChanges changes = new ShardChanges(
                new ShardHead(0, index, 1, index, 5, 2, 1),
                index - 1,
                false,
                Removed.NOTHING,
                index > 1 ? List.of() : List.of(new DestinationRow("q", 0, 0, List.of(PartitionRow.empty(1, 0)))),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(new DedupRow(1, first, end, 0, ByteBuffer.allocate(0))),
                List.of(blocks));
        List<Optional<IOException>> outcomes = new ArrayList<>();
        store.store(changes, outcomes::add);
        disk.poll();
        assertThat(outcomes).containsExactly(Optional.empty());
    }

    private void snapshots() {
        store.snapshot(0, new MetadataStore.SnapshotCompletion() {
            @Override
            public void taken(long appliedIndex, IntToLongFunction neededFrom) {}

            @Override
            public void failed(IOException cause) {
                throw new AssertionError(cause);
            }
        });
        disk.poll();
        disk.poll();
    }

    private List<String> files() {
        return disk.files.keySet().stream()
                .filter(name -> name.startsWith("ids-"))
                .sorted()
                .toList();
    }

    @Test
    void shouldGiveBackWhatWasStoredAndRemoveWhatIsOutlived() throws IOException {
        stores(1, 0, 2L * IDS, block(0), block(1));
        snapshots();
        assertThat(files()).containsExactly("ids-0-1-0", "ids-0-1-1");
        stores(2, IDS + 5L, 3L * IDS, block(2));
        assertThat(files()).hasSize(3);
        snapshots();
        assertThat(files()).containsExactly("ids-0-1-1", "ids-0-1-2");
        store = opened();
        assertThat(store.dedupBlock(0, 1, 2)).isEqualTo(block(2).ids());
        assertThat(files()).hasSize(2);
    }

    @Test
    void shouldGiveZerosAndGoOnWhenABlockIsDamagedOrLost() throws IOException {
        stores(1, 0, 2L * IDS, block(0), block(1));
        snapshots();
        disk.files.get("ids-0-1-0")[5_000] ^= 1;
        disk.files.remove("ids-0-1-1");
        store = opened();
        ByteBuffer zeros = ByteBuffer.allocate(DedupBlock.LENGTH);
        assertThat(store.dedupBlock(0, 1, 0)).isEqualTo(zeros);
        assertThat(store.dedupBlock(0, 1, 1)).isEqualTo(zeros);
    }

    @Test
    void shouldRemoveAtStartWhatTheStateDoesNotNeed() {
        stores(1, 0, 2L * IDS, block(0), block(1));
        store = opened();
        disk.poll();
        assertThat(files()).isEmpty();
    }
}
