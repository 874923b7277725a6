package io.duramen.jms.message;

import jakarta.jms.JMSException;

/** Any thread: holds nothing. Encodes messages into records, once, at send. */
public final class MessageEncoder {
    private MessageEncoder() {}

    /**
     * Appends the message's record, and sets on the message the headers that a send sets (destination, delivery mode,
     * priority, message id, times). The application may change the message at once. On an exception the buffer is as
     * it was.
     *
     * @return bytes of the record
     * @throws MessageTooLongException where a name, or the whole, is longer than a record can hold
     * @throws jakarta.jms.MessageFormatException where a text holds half of a surrogate pair, which UTF-8 cannot say
     */
    public static int encode(DuramenMessage message, SendHeaders send, BatchBuffer out) throws JMSException {
        throw new UnsupportedOperationException("being written");
    }
}
