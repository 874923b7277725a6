package io.duramen.log;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Layout of the file beside a sealed segment. Stateless. Big-endian:
 *
 * <pre>
 *   0       8         12        16         20           24      28     32
 *   | magic | version | headCrc | itemsCrc | partitions | items | end  | number …
 *   32       40          48          56           64           72          80         88     92
 *   | number | baseIndex | lastIndex | baseOffset | nextOffset | lastEpoch | capacity | salt | directory … | items …
 *   directory: partitions times | partition 4 | items 4 | firstOffset 8 | nextOffset 8 |, ascending
 *   items:     items times      | offset 8 | position 4 | end 4 | entryEnd 4 |, by partition, then ascending
 *   headCrc (CRC32C) covers itemsCrc to the end of the directory, itemsCrc the items.
 * </pre>
 */
final class IndexFile {
    static final int HEAD_LENGTH = 92;
    static final int DIRECTORY_ITEM_LENGTH = 24;
    static final int ITEM_LENGTH = 20;

    private static final long MAGIC = 0x4475_5265_496E_6458L;
    private static final int VERSION = 1;
    private static final int HEAD_CRC_AT = 12;
    private static final int ITEMS_CRC_AT = 16;

    private IndexFile() {}

    /**
     * What the file says of its segment.
     *
     * @param end position behind the last entry
     * @param nextOffset offset in the shard log behind the last record
     */
    record Head(
            int partitions,
            int items,
            int end,
            long number,
            long baseIndex,
            long lastIndex,
            long baseOffset,
            long nextOffset,
            long lastEpoch,
            long capacity,
            int salt) {
        int directoryEnd() {
            return HEAD_LENGTH + partitions * DIRECTORY_ITEM_LENGTH;
        }

        int fileLength() {
            return directoryEnd() + items * ITEM_LENGTH;
        }
    }

    static ByteBuffer write(Segment segment, SealedIndex index) {
        PartitionDirectory directory = index.directory();
        IndexItems items = index.items();
        int directoryEnd = HEAD_LENGTH + directory.size() * DIRECTORY_ITEM_LENGTH;
        ByteBuffer bytes = ByteBuffer.allocate(directoryEnd + items.size() * ITEM_LENGTH);
        bytes.putLong(MAGIC).putInt(VERSION).putInt(0).putInt(0);
        bytes.putInt(directory.size()).putInt(items.size()).putInt(segment.end());
        bytes.putLong(segment.number()).putLong(segment.baseIndex()).putLong(segment.lastIndex());
        bytes.putLong(segment.baseOffset()).putLong(segment.nextOffset()).putLong(segment.lastEpoch());
        bytes.putLong(segment.capacity()).putInt(segment.salt());
        for (int i = 0; i < directory.size(); i++) {
            bytes.putInt(directory.partition(i)).putInt(directory.itemsTo(i) - directory.itemsFrom(i));
            bytes.putLong(directory.firstOffset(i)).putLong(directory.nextOffset(i));
        }
        for (int i = 0; i < items.size(); i++) {
            bytes.putLong(items.offset(i)).putInt(items.position(i));
            bytes.putInt(items.end(i)).putInt(items.entryEnd(i));
        }
        bytes.putInt(ITEMS_CRC_AT, crc(bytes, directoryEnd, bytes.capacity()));
        bytes.putInt(HEAD_CRC_AT, crc(bytes, ITEMS_CRC_AT, directoryEnd));
        return bytes.flip();
    }

    /**
     * Reads the first bytes of a file, not trusting them.
     *
     * @param bytes the file's beginning, at least {@link #HEAD_LENGTH} unless it is shorter
     * @param fileLength bytes of the whole file, which the numbers have to match
     * @return empty where this is not an index file of this version
     */
    static Optional<Head> head(ByteBuffer bytes, long fileLength) {
        if (bytes.limit() < HEAD_LENGTH || bytes.getLong(0) != MAGIC || bytes.getInt(8) != VERSION) {
            return Optional.empty();
        }
        long partitions = Integer.toUnsignedLong(bytes.getInt(20));
        long items = Integer.toUnsignedLong(bytes.getInt(24));
        if (HEAD_LENGTH + partitions * DIRECTORY_ITEM_LENGTH + items * ITEM_LENGTH != fileLength
                || fileLength > Integer.MAX_VALUE) {
            return Optional.empty();
        }
        return Optional.of(new Head(
                (int) partitions,
                (int) items,
                bytes.getInt(28),
                bytes.getLong(32),
                bytes.getLong(40),
                bytes.getLong(48),
                bytes.getLong(56),
                bytes.getLong(64),
                bytes.getLong(72),
                bytes.getLong(80),
                bytes.getInt(88)));
    }

    /** @return empty where the checksum or the numbers do not match */
    static Optional<PartitionDirectory> directory(Head head, ByteBuffer bytes) {
        if (bytes.limit() < head.directoryEnd()
                || bytes.getInt(HEAD_CRC_AT) != crc(bytes, ITEMS_CRC_AT, head.directoryEnd())) {
            return Optional.empty();
        }
        int[] partitions = new int[head.partitions];
        long[] firstOffsets = new long[head.partitions];
        long[] nextOffsets = new long[head.partitions];
        int[] itemsFrom = new int[head.partitions + 1];
        for (int i = 0; i < head.partitions; i++) {
            int at = HEAD_LENGTH + i * DIRECTORY_ITEM_LENGTH;
            partitions[i] = bytes.getInt(at);
            itemsFrom[i + 1] = itemsFrom[i] + bytes.getInt(at + 4);
            firstOffsets[i] = bytes.getLong(at + 8);
            nextOffsets[i] = bytes.getLong(at + 16);
        }
        return itemsFrom[head.partitions] == head.items
                ? Optional.of(new PartitionDirectory(partitions, firstOffsets, nextOffsets, itemsFrom))
                : Optional.empty();
    }

    /** @return empty where the checksum does not match */
    static Optional<SealedIndex> items(Head head, PartitionDirectory directory, ByteBuffer bytes) {
        if (bytes.limit() != head.fileLength()
                || bytes.getInt(ITEMS_CRC_AT) != crc(bytes, head.directoryEnd(), bytes.limit())) {
            return Optional.empty();
        }
        IndexItems items = new IndexItems(head.items);
        for (int i = 0; i < head.items; i++) {
            int at = head.directoryEnd() + i * ITEM_LENGTH;
            items.add(bytes.getLong(at), bytes.getInt(at + 8), bytes.getInt(at + 12), bytes.getInt(at + 16));
        }
        return Optional.of(new SealedIndex(directory, items));
    }

    private static int crc(ByteBuffer bytes, int from, int to) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate().limit(to).position(from));
        return (int) crc.getValue();
    }
}
