package io.duramen.jms.message;

/** Being written. */
@SuppressWarnings({"rawtypes", "unchecked"})
public class DuramenTextMessage extends DuramenMessage implements jakarta.jms.TextMessage {
    public DuramenTextMessage() {}

    @Override
    public void setText(java.lang.String a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public java.lang.String getText() throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }
}
