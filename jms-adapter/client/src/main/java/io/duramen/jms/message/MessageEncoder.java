package io.duramen.jms.message;

import io.duramen.protocol.record.DedupKey;
import io.duramen.protocol.record.HeaderTag;
import io.duramen.protocol.record.MessageRecord;
import jakarta.jms.JMSException;
import java.nio.ByteBuffer;

/** Any thread: holds nothing. Encodes messages into records, once, at send. */
public final class MessageEncoder {
    private MessageEncoder() {}

    /**
     * Appends the message's record, and sets on the message the headers that a send sets (destination, delivery mode,
     * priority, message id, times). The application may change the message at once. On an exception the buffer and the
     * message are as they were.
     *
     * @return bytes of the record
     * @throws MessageTooLongException where a name, or the whole, is longer than a record can hold
     * @throws jakarta.jms.MessageFormatException where a text holds half of a surrogate pair, which UTF-8 cannot say
     */
    public static int encode(DuramenMessage message, SendHeaders send, BatchBuffer out) throws JMSException {
        int start = out.length();
        boolean whole = false;
        try {
            out.ensure(MessageRecord.HEADER_LENGTH).position(start + MessageRecord.HEADER_LENGTH);
            DedupKey dedup = message.dedupKey();
            if (dedup != null) {
                MessageHeaders.put(HeaderTag.DEDUP_KEY, dedup.toBytes(), out);
            }
            message.putHeaders(out);
            MessageHeaders.put(HeaderTag.CLIENT_ID, send.publisher, out);
            if (send.largeBody != null) {
                MessageHeaders.put(HeaderTag.LARGE_BODY, send.largeBody.encode(), out);
            }
            MessageHeaders.put(HeaderTag.USER_ID, send.userId, out);
            int properties = out.length();
            message.putProperties(out);
            int body = out.length();
            if (send.largeBody == null) {
                message.putBody(out);
            }
            putFixed(message, send, out.ensure(0), start);
            flag(dedup != null, MessageRecord.FLAG_DEDUP, out.ensure(0), start);
            putLengths(out.ensure(0), start, properties, body);
            message.sent(send);
            whole = true;
            return out.length() - start;
        } finally {
            if (!whole) {
                out.truncate(start);
            }
        }
    }

    private static void putFixed(DuramenMessage message, SendHeaders send, ByteBuffer out, int start)
            throws JMSException {
        out.put(start + MessageRecord.VERSION_AT, MessageRecord.VERSION);
        int flags = (send.persistent ? MessageRecord.FLAG_PERSISTENT : 0)
                | (send.largeBody == null ? 0 : MessageRecord.FLAG_LARGE)
                | (send.userId == null ? 0 : MessageRecord.FLAG_USER_ID);
        out.put(start + MessageRecord.FLAGS_AT, (byte) flags);
        out.put(start + MessageRecord.PRIORITY_AT, (byte) send.priority);
        out.put(start + MessageRecord.BODY_TYPE_AT, (byte) message.bodyType().ordinal());
        out.putLong(start + MessageRecord.TIMESTAMP_AT, send.timestamp);
        out.putLong(start + MessageRecord.EXPIRATION_AT, send.expiration);
        out.putLong(start + MessageRecord.DELIVERY_TIME_AT, send.deliveryTime);
        out.putInt(start + MessageRecord.GROUP_HASH_AT, message.groupHash());
        out.putLong(start + MessageRecord.ID_PRODUCER_AT, send.idProducer);
        out.putLong(start + MessageRecord.ID_NUMBER_AT, send.idNumber);
    }

    private static void putLengths(ByteBuffer out, int start, int properties, int body) {
        int end = out.position();
        out.putInt(start + MessageRecord.LENGTH_AT, end - start - 4);
        out.putInt(start + MessageRecord.HEADERS_LENGTH_AT, properties - start - MessageRecord.HEADER_LENGTH);
        out.putInt(start + MessageRecord.PROPERTIES_LENGTH_AT, body - properties);
        out.putInt(start + MessageRecord.BODY_LENGTH_AT, end - body);
        flag(body > properties, MessageRecord.FLAG_PROPERTIES, out, start);
    }

    private static void flag(boolean set, int flag, ByteBuffer out, int start) {
        if (set) {
            out.put(start + MessageRecord.FLAGS_AT, (byte) (out.get(start + MessageRecord.FLAGS_AT) | flag));
        }
    }
}
