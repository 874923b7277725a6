package io.duramen.jms.message;

import io.duramen.jms.destination.DuramenDestination;
import jakarta.jms.BytesMessage;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.util.Enumeration;

/** Any thread: holds nothing. Messages of other providers, and of the application's own making. */
public final class ForeignMessages {
    private static final int COPIED_AT_ONCE = 8192;

    private ForeignMessages() {}

    /**
     * Bodies of bytes and stream messages are read from their start and left reset, so read-only.
     *
     * @return the message itself where it is one of ours, else a copy: correlation id, type, reply destination (only
     *     where that is ours), properties (those that begin with JMS but with neither JMSX nor JMS_ excepted) and body
     * @throws MessageFormatException for null, and for a property whose name is not allowed
     */
    public static DuramenMessage adopt(Message message) throws JMSException {
        if (message == null) {
            throw new MessageFormatException("there is no message to send");
        }
        if (message instanceof DuramenMessage ours) {
            return ours;
        }
        DuramenMessage copy = copyBody(message);
        copyHeaders(message, copy);
        copyProperties(message, copy);
        return copy;
    }

    /**
     * Sets on the message that the application gave the headers that the send has set on its copy; does nothing where
     * both are the same.
     */
    public static void copySentHeaders(DuramenMessage sent, Message original) throws JMSException {
        if (sent == original) {
            return;
        }
        original.setJMSDestination(sent.getJMSDestination());
        original.setJMSDeliveryMode(sent.getJMSDeliveryMode());
        original.setJMSPriority(sent.getJMSPriority());
        original.setJMSMessageID(sent.getJMSMessageID());
        original.setJMSTimestamp(sent.getJMSTimestamp());
        original.setJMSExpiration(sent.getJMSExpiration());
        original.setJMSDeliveryTime(sent.getJMSDeliveryTime());
    }

    private static DuramenMessage copyBody(Message from) throws JMSException {
        if (from instanceof TextMessage text) {
            return new DuramenTextMessage(text.getText());
        }
        if (from instanceof BytesMessage bytes) {
            return copyBytes(bytes);
        }
        if (from instanceof MapMessage map) {
            return copyMap(map);
        }
        if (from instanceof StreamMessage stream) {
            return copyStream(stream);
        }
        if (from instanceof ObjectMessage object) {
            DuramenObjectMessage copy = new DuramenObjectMessage();
            copy.setObject(object.getObject());
            return copy;
        }
        return new DuramenMessage();
    }

    private static DuramenMessage copyBytes(BytesMessage from) throws JMSException {
        DuramenBytesMessage copy = new DuramenBytesMessage();
        byte[] part = new byte[COPIED_AT_ONCE];
        from.reset();
        for (int length = from.readBytes(part); length > 0; length = from.readBytes(part)) {
            copy.writeBytes(part, 0, length);
        }
        from.reset();
        return copy;
    }

    private static DuramenMessage copyMap(MapMessage from) throws JMSException {
        DuramenMapMessage copy = new DuramenMapMessage();
        for (Enumeration<?> names = from.getMapNames(); names.hasMoreElements(); ) {
            String name = (String) names.nextElement();
            copy.setObject(name, from.getObject(name));
        }
        return copy;
    }

    private static DuramenMessage copyStream(StreamMessage from) throws JMSException {
        DuramenStreamMessage copy = new DuramenStreamMessage();
        from.reset();
        while (true) {
            Object value;
            try {
                value = from.readObject();
            } catch (MessageEOFException e) {
                from.reset();
                return copy;
            }
            copy.writeObject(value);
        }
    }

    private static void copyHeaders(Message from, DuramenMessage to) throws JMSException {
        String correlationId = from.getJMSCorrelationID();
        if (correlationId != null) {
            to.setJMSCorrelationID(correlationId);
        }
        String type = from.getJMSType();
        if (type != null) {
            to.setJMSType(type);
        }
        Destination replyTo = from.getJMSReplyTo();
        if (replyTo instanceof DuramenDestination) {
            to.setJMSReplyTo(replyTo);
        }
    }

    private static void copyProperties(Message from, DuramenMessage to) throws JMSException {
        for (Enumeration<?> names = from.getPropertyNames(); names.hasMoreElements(); ) {
            String name = (String) names.nextElement();
            if (PropertyNames.isHeader(name)) {
                continue;
            }
            try {
                to.setObjectProperty(name, from.getObjectProperty(name));
            } catch (IllegalArgumentException e) {
                MessageFormatException refused = new MessageFormatException(e.getMessage());
                refused.initCause(e);
                throw refused;
            }
        }
    }
}
