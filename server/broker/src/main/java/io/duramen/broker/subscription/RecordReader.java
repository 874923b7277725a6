package io.duramen.broker.subscription;

import io.duramen.log.DamagedLogException;
import io.duramen.log.PartitionChunk;
import io.duramen.log.PartitionChunk.StoredBatch;
import io.duramen.protocol.record.MessageRecord;
import io.duramen.protocol.record.RecordBatch;
import io.duramen.replication.ReplicatedLog;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** Finds single messages of one partition, mostly in ascending order, keeping the last chunk read. Agent-confined. */
final class RecordReader {
    private final ReplicatedLog log;
    private final ChunkBudget chunks;
    private final int partition;
    private final int chunkBytes;
    private final Runnable onReady;

    private List<StoredBatch> batches = List.of();
    private int batchIndex;
    private boolean isCopy;
    private boolean waiting;

    private ByteBuffer batch;
    private long batchEnd;
    private long offset = -1;
    private int position;
    private int length;

    /** @param onReady called when {@link #seek} is worth another try after it returned false */
    RecordReader(DispatchContext context, int partition, Runnable onReady) {
        this.log = context.log();
        this.chunks = context.chunks();
        this.partition = partition;
        this.chunkBytes = context.limits().deliverBytes();
        this.onReady = onReady;
    }

    /** Moves to a message; false where its bytes have to be fetched first. */
    boolean seek(long wanted) {
        if (offset == wanted) {
            return true;
        }
        boolean ahead = offset >= 0 && wanted > offset && wanted < batchEnd;
        if (!ahead && !enterBatch(wanted)) {
            if (waiting) {
                return false;
            }
            Optional<PartitionChunk> chunk = log.read(partition, wanted, chunkBytes, this::ready);
            if (chunk.isEmpty()) {
                waiting = true;
                return false;
            }
            batches = chunk.get().batches();
            isCopy = chunk.get().isCopy();
            batchIndex = 0;
            chunks.taken(this);
            if (!enterBatch(wanted)) {
                throw new DamagedLogException("partition " + partition + " has no message at offset " + wanted);
            }
        }
        while (offset < wanted) {
            step();
        }
        return true;
    }

    /** Whether bytes are on their way. */
    boolean isWaiting() {
        return waiting;
    }

    private void ready() {
        waiting = false;
        onReady.run();
    }

    private void step() {
        position += length;
        length = batch.getInt(position) + 4;
        offset++;
    }

    private boolean enterBatch(long wanted) {
        int index = batchIndex < batches.size() && batches.get(batchIndex).baseOffset() <= wanted ? batchIndex : 0;
        for (; index < batches.size(); index++) {
            StoredBatch candidate = batches.get(index);
            if (wanted < candidate.baseOffset()) {
                return false;
            }
            if (wanted < candidate.baseOffset() + candidate.count()) {
                batchIndex = index;
                batch = candidate.batch();
                batchEnd = candidate.baseOffset() + candidate.count();
                offset = candidate.baseOffset();
                position = batch.position() + RecordBatch.HEADER_LENGTH;
                length = batch.getInt(position) + 4;
                return true;
            }
        }
        return false;
    }

    /** The buffer in which the present message stands. */
    ByteBuffer buffer() {
        return batch;
    }

    /** Where it begins in the buffer. */
    int position() {
        return position;
    }

    /** Its bytes, the length field included. */
    int length() {
        return length;
    }

    /**
     * The present message with room before it that may be written to, for good: this reader lets go of its chunk.
     *
     * @return null where the bytes before it, or the message itself, may be of use to others
     */
    ByteBuffer giveAway(int room) {
        if (!isCopy || batches.size() != 1 || batches.get(0).count() != 1) {
            return null;
        }
        ByteBuffer given = batch.duplicate().limit(position + length).position(position - room);
        clear();
        return given;
    }

    /** Whether it stands at this message, so that {@link #seek} is free. */
    boolean isAt(long wanted) {
        return offset == wanted;
    }

    /** Milliseconds since 1970; 0 for never. */
    long expiration() {
        return batch.getLong(position + MessageRecord.EXPIRATION_AT);
    }

    boolean isExpired(long nowMillis) {
        long expiration = expiration();
        return expiration != 0 && expiration <= nowMillis;
    }

    /** Milliseconds since 1970 from which it may be delivered; 0 for at once. */
    long deliveryTime() {
        return batch.getLong(position + MessageRecord.DELIVERY_TIME_AT);
    }

    /** 0 to 9. */
    int priority() {
        return batch.get(position + MessageRecord.PRIORITY_AT);
    }

    /** Hash of its group; 0 for none. */
    int group() {
        return batch.getInt(position + MessageRecord.GROUP_HASH_AT);
    }

    /** Lets go of the chunk, which may pin memory of the log's cache. */
    void clear() {
        if (!batches.isEmpty()) {
            chunks.released(this);
            forget();
        }
    }

    /** As {@link #clear}, for the budget itself. */
    void forget() {
        batches = List.of();
        batch = null;
        offset = -1;
        batchEnd = -1;
    }
}
