package io.duramen.jms.message;

import jakarta.jms.JMSException;
import jakarta.jms.Message;

/** Any thread: holds nothing. Messages of other providers, and of the application's own making. */
public final class ForeignMessages {
    private ForeignMessages() {}

    /**
     * @return the message itself where it is one of ours, else a copy: correlation id, type, reply destination (only
     *     where that is ours), properties and body
     * @throws jakarta.jms.MessageFormatException for null, and for a kind of message that is not supported
     */
    public static DuramenMessage adopt(Message message) throws JMSException {
        throw new UnsupportedOperationException("being written");
    }

    /**
     * Sets on the message that the application gave the headers that the send has set on its copy; does nothing where
     * both are the same.
     */
    public static void copySentHeaders(DuramenMessage sent, Message original) throws JMSException {
        throw new UnsupportedOperationException("being written");
    }
}
