package io.duramen.metadata;

import java.nio.ByteBuffer;

/**
 * Dedup ids of a partition that are {@link #IDS} behind one another in the order of storing: immutable, the same wherever it
 * is made from the log. Each id is its key, two i64, and when it was stored, in seconds since 1970, as an unsigned i32.
 *
 * @param number of the block: its first id is the partition's {@code number * IDS}th
 * @param ids the bytes; shared, not copied, and may not change
 */
public record DedupBlock(int partition, long number, ByteBuffer ids) {
    /** Ids in a block. */
    public static final int IDS = 16_384;

    /** Bytes of an id. */
    public static final int ID_LENGTH = 20;

    /** Bytes of a block's ids. */
    public static final int LENGTH = IDS * ID_LENGTH;

    public DedupBlock {
        ids = ids.asReadOnlyBuffer().clear();
    }

    /** A view whose position the caller may move. */
    @Override
    public ByteBuffer ids() {
        return ids.duplicate();
    }

    /** Gives the ids of a block that was stored; all zero where they are lost, which is in the log then. */
    @FunctionalInterface
    public interface Reader {
        ByteBuffer read(int partition, long block);
    }
}
