package io.duramen.log;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * Consecutive batches of one partition. Immutable; its buffers are valid as long as the chunk is referenced, and no
 * longer than the segment they came from. What is outside the heap is a copy that is this chunk's alone.
 *
 * @param batches ascending without gaps; at least one
 * @param isCopy whether the bytes are those of this chunk alone, so that who has it may do with them what it likes
 */
public record PartitionChunk(List<StoredBatch> batches, boolean isCopy) {
    /** One whose bytes others may have, too. */
    public PartitionChunk(List<StoredBatch> batches) {
        this(batches, false);
    }

    /** Offset behind the last message of the chunk. */
    public long nextOffset() {
        StoredBatch last = batches.get(batches.size() - 1);
        return last.baseOffset() + last.count();
    }

    /**
     * @param baseOffset offset of the first message
     * @param batch a {@link io.duramen.protocol.record.RecordBatch}; read-only, position and limit enclose it
     */
    public record StoredBatch(long baseOffset, int count, ByteBuffer batch) {}
}
