package io.duramen.jms.message;

import jakarta.jms.JMSException;
import java.io.Serializable;

/** Any thread. Makes messages to be sent. */
public final class MessageFactory {
    public DuramenMessage message() {
        return new DuramenMessage();
    }

    public DuramenTextMessage text(String text) {
        return new DuramenTextMessage(text);
    }

    public DuramenBytesMessage bytes() {
        return new DuramenBytesMessage();
    }

    public DuramenMapMessage map() {
        return new DuramenMapMessage();
    }

    public DuramenStreamMessage stream() {
        return new DuramenStreamMessage();
    }

    /** @throws JMSException where the object cannot be serialized */
    public DuramenObjectMessage object(Serializable object) throws JMSException {
        DuramenObjectMessage message = new DuramenObjectMessage();
        message.setObject(object);
        return message;
    }
}
