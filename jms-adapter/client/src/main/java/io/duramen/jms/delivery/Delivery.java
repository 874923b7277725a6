package io.duramen.jms.delivery;

import io.duramen.protocol.record.MessageRecord;
import java.nio.ByteBuffer;

/**
 * Any thread. One message lent to one consumer.
 *
 * @param number of the delivery, from 1 since its consumer attached
 * @param count counts this delivery, so 1 for the first
 * @param record as its producer encoded it
 */
public record Delivery(int partition, long offset, long number, int count, ByteBuffer record) {
    /** Whether its body is fetched apart, as long as it is not settled. */
    public boolean isLarge() {
        return MessageRecord.isLarge(record, record.position());
    }
}
