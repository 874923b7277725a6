package io.duramen.metadata.snapshot;

import io.duramen.metadata.DedupBlock;
import io.duramen.metadata.ShardImage.DedupRow;
import io.duramen.runtime.disk.Disk;
import io.duramen.runtime.disk.DiskFile;
import io.duramen.runtime.disk.IoCompletion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Full blocks of dedup ids, each in a file {@code ids-SHARD-PARTITION-NUMBER} that is put in place once and never changes.
 * Confined to the shard's agent, as the disk is. Big-endian:
 *
 * <pre>
 *   0       4        8         12      16          20       28
 *   | magic | crc32c | version | shard | partition | number | ids …
 *   crc32c covers version to the end.
 * </pre>
 */
final class DedupBlockFiles {
    private static final Logger LOG = LoggerFactory.getLogger(DedupBlockFiles.class);

    private static final String PREFIX = "ids-";
    private static final int HEADER_LENGTH = 28;
    private static final int MAGIC = 0x4452_4944; // "DRID"
    private static final int VERSION = 1;
    private static final int CRC_AT = 4;
    private static final int VERSION_AT = 8;

    private final Disk disk;

    /** By shard: the files that are there, as far as they are known. */
    private final Map<Integer, Set<String>> known = new HashMap<>();

    DedupBlockFiles(Disk disk) {
        this.disk = disk;
    }

    private static String prefix(int shard) {
        return PREFIX + shard + "-";
    }

    private static String name(int shard, int partition, long block) {
        return prefix(shard) + partition + "-" + block;
    }

    /** Whether the file is of a block that one of the windows has. */
    private static boolean isNeeded(String name, Map<Integer, List<DedupRow>> windows) {
        String[] parts = name.split("-");
        int partition = Integer.parseInt(parts[2]);
        long block = Long.parseLong(parts[3]);
        return windows.getOrDefault(partition, List.of()).stream()
                .anyMatch(row -> block >= firstBlock(row) && block < endBlock(row));
    }

    private static long firstBlock(DedupRow row) {
        return row.first() / DedupBlock.IDS;
    }

    private static long endBlock(DedupRow row) {
        return row.end() / DedupBlock.IDS;
    }

    /** Looks which are there; blocking, for start-up. */
    void list(int shard) throws IOException {
        Set<String> names = new HashSet<>(disk.list());
        names.removeIf(name -> !name.matches(prefix(shard) + "\\d{1,9}-\\d{1,18}"));
        known.put(shard, names);
    }

    /** Whether all blocks of the windows are there. */
    boolean hasAll(int shard, List<DedupRow> rows) {
        Set<String> names = known.get(shard);
        for (DedupRow row : rows) {
            for (long block = firstBlock(row); block < endBlock(row); block++) {
                if (!names.contains(name(shard, row.partition(), block))) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Puts blocks in place, in the background; they are there to stay when {@code done} is called, after all of them. */
    void write(int shard, List<DedupBlock> blocks, Consumer<Optional<IOException>> done) {
        if (blocks.isEmpty()) {
            done.accept(Optional.empty());
            return;
        }
        IoCompletion<Void> last = new IoCompletion<>() {
            private int missing = blocks.size();
            private Optional<IOException> failure = Optional.empty();

            @Override
            public void succeeded(Void result) {
                one();
            }

            @Override
            public void failed(IOException cause) {
                failure = Optional.of(cause);
                one();
            }

            private void one() {
                missing--;
                if (missing == 0) {
                    done.accept(failure);
                }
            }
        };
        for (DedupBlock block : blocks) {
            String name = name(shard, block.partition(), block.number());
            known.computeIfAbsent(shard, none -> new HashSet<>()).add(name);
            disk.replace(name, encode(shard, block), last);
        }
    }

    private static ByteBuffer encode(int shard, DedupBlock block) {
        ByteBuffer out = ByteBuffer.allocate(HEADER_LENGTH + DedupBlock.LENGTH);
        out.putInt(MAGIC).putInt(0).putInt(VERSION).putInt(shard).putInt(block.partition());
        out.putLong(block.number()).put(block.ids()).flip();
        return out.putInt(CRC_AT, crc(out));
    }

    private static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate().position(VERSION_AT));
        return (int) crc.getValue();
    }

    /** As {@link io.duramen.metadata.MetadataStore#dedupBlock}. */
    ByteBuffer read(int shard, int partition, long block) throws IOException {
        String name = name(shard, partition, block);
        String damage = "it is not there";
        if (known.getOrDefault(shard, Set.of()).contains(name)) {
            ByteBuffer content = contentOf(name);
            damage = damage(content, shard, partition, block);
            if (damage == null) {
                return content.position(HEADER_LENGTH).slice();
            }
        }
        LOG.error(
                "The file {} of {} dedup ids is damaged: {}. A message that repeats one of them would be stored again",
                name,
                DedupBlock.IDS,
                damage);
        return ByteBuffer.allocate(DedupBlock.LENGTH);
    }

    /** At most a byte more than a block has, so that a longer file is seen. */
    private ByteBuffer contentOf(String name) throws IOException {
        DiskFile file = disk.open(name);
        try {
            ByteBuffer content = ByteBuffer.allocate(HEADER_LENGTH + DedupBlock.LENGTH + 1);
            file.read(0, content);
            return content.flip();
        } finally {
            file.close();
        }
    }

    /** Null for none. */
    private static String damage(ByteBuffer content, int shard, int partition, long block) {
        if (content.remaining() != HEADER_LENGTH + DedupBlock.LENGTH) {
            return "it has " + content.remaining() + " bytes";
        }
        if (content.getInt(0) != MAGIC || content.getInt(CRC_AT) != crc(content)) {
            return "it does not match its checksum";
        }
        content.position(VERSION_AT);
        boolean itself = content.getInt() == VERSION
                && content.getInt() == shard
                && content.getInt() == partition
                && content.getLong() == block;
        return itself ? null : "it is another block";
    }

    /**
     * Removes the files of blocks that the windows have outlived, in the background; not those of windows that are gone, nor
     * blocks that are newer than the rows.
     */
    void pruneOutlived(int shard, List<DedupRow> rows) {
        Map<String, Long> firsts = new HashMap<>();
        rows.forEach(row -> firsts.put(prefix(shard) + row.partition() + "-", firstBlock(row)));
        delete(
                shard,
                known.getOrDefault(shard, Set.of()).stream()
                        .filter(name -> {
                            int end = name.lastIndexOf('-') + 1;
                            Long first = firsts.get(name.substring(0, end));
                            return first != null && Long.parseLong(name.substring(end)) < first;
                        })
                        .sorted()
                        .toList());
    }

    /** Removes the files of all blocks that none of the windows has, in the background: at start-up. */
    void prune(int shard, List<DedupRow> rows) {
        Map<Integer, List<DedupRow>> windows = rows.stream().collect(Collectors.groupingBy(DedupRow::partition));
        List<String> useless = known.getOrDefault(shard, Set.of()).stream()
                .filter(name -> !isNeeded(name, windows))
                .sorted()
                .toList();
        delete(shard, useless);
    }

    private void delete(int shard, List<String> useless) {
        for (String name : useless) {
            known.get(shard).remove(name);
            disk.delete(name, new IoCompletion<>() {
                @Override
                public void succeeded(Void result) {}

                @Override
                public void failed(IOException cause) {
                    LOG.warn("The file {} of expired dedup ids could not be removed: {}", name, cause.getMessage());
                }
            });
        }
    }
}
