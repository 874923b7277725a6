package io.duramen.protocol.frame;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * Ends a local transaction: all its sends and settlements happen, in one append, or none does. Answered when that
 * append is as durable as {@link Publish.Acks#ALL} asks for. A repeat with the same producer and sequence is answered
 * as the first was and changes nothing.
 */
public interface Commit {
    /** Longest label, in UTF-8 bytes. */
    int LABEL_LENGTH_MAX = 1024;

    /**
     * @param producerId of the session
     * @param producerEpoch see {@link io.duramen.protocol.record.RecordBatch#producerEpoch}
     * @param sequence of the transaction: ascends by session, apart from the sequences of plain batches
     * @param label what a producer with an identity wants to be told of its last transaction, see {@link InitProducer}; at
     *     most {@value #LABEL_LENGTH_MAX} bytes, empty for none
     */
    record Request(
            int shard,
            long producerId,
            int producerEpoch,
            long sequence,
            List<PartitionBatch> batches,
            List<ConsumerSettlement> settlements,
            String label) {
        /** Without a label. */
        public Request(
                int shard,
                long producerId,
                int producerEpoch,
                long sequence,
                List<PartitionBatch> batches,
                List<ConsumerSettlement> settlements) {
            this(shard, producerId, producerEpoch, sequence, batches, settlements, "");
        }
    }

    record Response() {}

    record PartitionBatch(int partition, ByteBuffer batch) {}

    /** Deliveries of one consumer on one partition that the transaction accepts. */
    record ConsumerSettlement(int consumerId, int partition, List<OffsetRange> ranges) {}
}
