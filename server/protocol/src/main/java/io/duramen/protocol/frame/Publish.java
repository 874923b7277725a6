package io.duramen.protocol.frame;

import java.nio.ByteBuffer;

/** Stores one record batch in one partition. */
public interface Publish {
    /**
     * @param acks what the answer waits for
     * @param batch see {@link io.duramen.protocol.record.RecordBatch}
     */
    record Request(int shard, int partition, Acks acks, ByteBuffer batch) implements ForShard {}

    /**
     * @param baseOffset offset of the batch's first message in the partition; -1 where the batch was a repeat whose
     *     place is no longer remembered
     */
    record Response(long baseOffset) {}

    /** Delivery modes on the wire. */
    enum Acks {
        /** No answer is awaited; the server answers only when it refuses. */
        NONE,
        /** Answered when the leader has written the batch; it survives the process, not the machine, nor the loss of the leader. */
        LEADER,
        /** Answered when the batch is on disk (fsync) on a quorum. */
        ALL
    }
}
