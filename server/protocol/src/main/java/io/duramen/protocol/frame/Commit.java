package io.duramen.protocol.frame;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * Ends a local transaction: all its sends and settlements happen, or none does. Within one shard that is one append, over
 * several the shard addressed decides, and has told the others when it answers: whatever is asked of these afterwards comes
 * behind it. Answered when it is as durable as {@link Publish.Acks#ALL} asks for. A repeat with the same producer and sequence is answered as the first was
 * and changes nothing.
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
     * @param batches for partitions of the shard addressed
     * @param settlements on partitions of the shard addressed
     * @param others what the transaction does in other shards, each of them once
     */
    record Request(
            int shard,
            long producerId,
            int producerEpoch,
            long sequence,
            List<PartitionBatch> batches,
            List<ConsumerSettlement> settlements,
            String label,
            List<ShardPart> others)
            implements ForShard {
        /** Of one shard alone. */
        public Request(
                int shard,
                long producerId,
                int producerEpoch,
                long sequence,
                List<PartitionBatch> batches,
                List<ConsumerSettlement> settlements,
                String label) {
            this(shard, producerId, producerEpoch, sequence, batches, settlements, label, List.of());
        }

        /** Of one shard alone, without a label. */
        public Request(
                int shard,
                long producerId,
                int producerEpoch,
                long sequence,
                List<PartitionBatch> batches,
                List<ConsumerSettlement> settlements) {
            this(shard, producerId, producerEpoch, sequence, batches, settlements, "", List.of());
        }
    }

    record Response() {}

    /** What a transaction does in one shard. */
    record ShardPart(int shard, List<PartitionBatch> batches, List<ConsumerSettlement> settlements) {}

    record PartitionBatch(int partition, ByteBuffer batch) {}

    /** Deliveries of one consumer on one partition that the transaction accepts. */
    record ConsumerSettlement(int consumerId, int partition, List<OffsetRange> ranges) {}
}
