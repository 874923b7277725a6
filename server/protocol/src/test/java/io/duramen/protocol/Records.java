package io.duramen.protocol;

import io.duramen.protocol.record.Deliveries;
import io.duramen.protocol.record.MessageRecord;
import io.duramen.protocol.record.RecordBatch;
import java.nio.ByteBuffer;

/** Message records, batches and delivery regions with regions of chosen lengths, filled with ascending bytes. */
public final class Records {
    private Records() {}

    /** A record with regions of those lengths in bytes. */
    public static ByteBuffer aRecord(int headers, int properties, int body) {
        int length = MessageRecord.HEADER_LENGTH + headers + properties + body;
        ByteBuffer record = ByteBuffer.allocate(length);
        record.putInt(length - 4).put(MessageRecord.VERSION);
        record.put((byte) (MessageRecord.FLAG_PERSISTENT | (properties > 0 ? MessageRecord.FLAG_PROPERTIES : 0)));
        record.put((byte) 4).put((byte) 3);
        record.putLong(1_790_000_000_000L).putLong(0).putLong(0);
        record.putInt(7).putLong(99).putLong(100);
        record.putInt(headers).putInt(properties).putInt(body);
        for (int i = 0; record.hasRemaining(); i++) {
            record.put((byte) i);
        }
        return record.flip();
    }

    /** The records behind a gap for the header, which is not sealed yet. */
    public static ByteBuffer batchOf(ByteBuffer... records) {
        int length = RecordBatch.HEADER_LENGTH;
        for (ByteBuffer record : records) {
            length += record.remaining();
        }
        ByteBuffer batch = ByteBuffer.allocate(length).position(RecordBatch.HEADER_LENGTH);
        for (ByteBuffer record : records) {
            batch.put(record.duplicate());
        }
        return batch.flip();
    }

    /** A region with one delivery a record, offsets ascending from 0. */
    public static ByteBuffer deliveriesOf(ByteBuffer... records) {
        ByteBuffer region = ByteBuffer.allocate(64 * 1024);
        for (int i = 0; i < records.length; i++) {
            Deliveries.put(region, i, i + 1, records[i]);
        }
        return region.flip();
    }
}
