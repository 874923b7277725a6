package io.duramen.jms.message;

import io.duramen.jms.destination.DuramenDestination;
import java.nio.ByteBuffer;

/** Any thread: holds nothing. Makes messages from records, as they are delivered or browsed. */
public final class MessageDecoder {
    private MessageDecoder() {}

    /**
     * @param record exactly one record; the message keeps it, so it must not be written to any more
     * @param destination that the message was sent to
     * @param deliveryCount counts this delivery, so 1 for the first; becomes JMSXDeliveryCount, and JMSRedelivered where
     *     it is above 1
     * @return of the class that fits its body, read-only
     * @throws io.duramen.protocol.MalformedFrameException where the bytes are not a record. What is decoded later
     *     (properties, bodies) throws JMSException from its getter.
     */
    public static DuramenMessage decode(ByteBuffer record, DuramenDestination destination, int deliveryCount) {
        throw new UnsupportedOperationException("being written");
    }
}
