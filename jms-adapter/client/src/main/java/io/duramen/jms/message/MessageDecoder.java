package io.duramen.jms.message;

import io.duramen.jms.destination.DuramenDestination;
import io.duramen.protocol.MalformedFrameException;
import io.duramen.protocol.record.BodyType;
import io.duramen.protocol.record.MessageRecord;
import java.nio.ByteBuffer;

/** Any thread: holds nothing. Makes messages from records, as they are delivered or browsed. */
public final class MessageDecoder {
    private MessageDecoder() {}

    /**
     * @param record exactly one record; the message keeps it, so it must not be written to any more
     * @param destination that the message was sent to
     * @param deliveryCount counts this delivery, so 1 for the first; becomes JMSXDeliveryCount, and JMSRedelivered where
     *     it is above 1
     * @param allowed classes that the body of an object message may hold
     * @return of the class that fits its body, read-only
     * @throws io.duramen.protocol.MalformedFrameException where the bytes are not a record. What is decoded later
     *     (properties, bodies) throws JMSException from its getter.
     */
    public static DuramenMessage decode(
            ByteBuffer record, DuramenDestination destination, int deliveryCount, AllowedClasses allowed) {
        int at = record.position();
        int length = MessageRecord.check(record, at);
        if (length != record.remaining()) {
            throw new MalformedFrameException((record.remaining() - length) + " bytes behind a record");
        }
        DuramenMessage message = empty(BodyType.of(record.get(at + MessageRecord.BODY_TYPE_AT)), allowed);
        message.received(record, destination, deliveryCount);
        return message;
    }

    private static DuramenMessage empty(BodyType type, AllowedClasses allowed) {
        return switch (type) {
            case NONE -> new DuramenMessage();
            case TEXT -> DuramenTextMessage.toReceive(true);
            case TEXT_NULL -> DuramenTextMessage.toReceive(false);
            case BYTES -> DuramenBytesMessage.toReceive();
            case MAP -> DuramenMapMessage.toReceive();
            case STREAM -> DuramenStreamMessage.toReceive();
            case OBJECT -> DuramenObjectMessage.toReceive(allowed);
        };
    }
}
