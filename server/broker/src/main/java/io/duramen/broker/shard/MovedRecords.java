package io.duramen.broker.shard;

import io.duramen.broker.destination.Partition;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.record.MessageRecord;
import io.duramen.protocol.record.RecordBatch;
import io.duramen.replication.ReplicatedLog.Durability;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Messages that the broker puts into another partition of its shard, as part of the open entry. Used by one thread. */
final class MovedRecords {
    private final List<ByteBuffer> records = new ArrayList<>();
    private int length = RecordBatch.HEADER_LENGTH;
    private boolean persistent;

    void add(ByteBuffer record) {
        records.add(record);
        length += record.remaining();
        persistent |= (record.get(MessageRecord.FLAGS_AT) & MessageRecord.FLAG_PERSISTENT) != 0;
    }

    /** @throws ProtocolException where the disk has no room for them; nothing was appended */
    void append(Appender appender, Partition to, Durability durability) {
        appender.requireRoomFor(length);
        ByteBuffer batch = batch();
        to.appended(Filling.bytes(batch));
        appender.addMessages(to.id(), to.assign(records.size()), records.size(), batch, durability);
    }

    /** What they need in the partition that they go to. */
    Promised.Amount amount() {
        return new Promised.Amount(records.size(), Filling.bytes(batch()));
    }

    /** All of them, sealed; each call makes another. */
    ByteBuffer batch() {
        ByteBuffer batch = ByteBuffer.allocate(length).position(RecordBatch.HEADER_LENGTH);
        records.forEach(record -> batch.put(record.duplicate()));
        batch.flip();
        RecordBatch.seal(batch, persistent, 0, 0, -1, records.size());
        return batch;
    }

    int count() {
        return records.size();
    }
}
