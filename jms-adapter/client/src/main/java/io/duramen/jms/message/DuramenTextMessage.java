package io.duramen.jms.message;

import io.duramen.protocol.record.BodyType;
import jakarta.jms.JMSException;
import jakarta.jms.TextMessage;

/** One thread at a time. The text of a received message is decoded when it is asked for. */
public final class DuramenTextMessage extends DuramenMessage implements TextMessage {
    private String text;
    /** Whether the received body is still to be decoded. */
    private boolean unread;

    /** A message to be sent, whose text is null. */
    public DuramenTextMessage() {}

    /** @param text may be null */
    public DuramenTextMessage(String text) {
        this.text = text;
    }

    /** @param present whether the record holds a text, not null */
    static DuramenTextMessage toReceive(boolean present) {
        DuramenTextMessage message = new DuramenTextMessage();
        message.unread = present;
        return message;
    }

    /**
     * {@inheritDoc} A text with half of a surrogate pair is taken here, but refused at send.
     */
    @Override
    public void setText(String text) throws JMSException {
        checkBodyWriteable();
        this.text = text;
    }

    @Override
    public String getText() throws JMSException {
        if (unread) {
            text = ReceivedBody.decode(recordBody(), Utf8::decode);
            unread = false;
        }
        return text;
    }

    @Override
    BodyType bodyType() {
        return text == null && !unread ? BodyType.TEXT_NULL : BodyType.TEXT;
    }

    @Override
    void putOwnBody(BatchBuffer out) throws JMSException {
        if (text != null) {
            Utf8.put(text, out);
        }
    }

    @Override
    BodyContent longOwnBody(int lengthMax) throws JMSException {
        return text != null && text.length() > lengthMax / Utf8.BYTES_MAX
                ? BytesContent.ifLonger(this, lengthMax)
                : null;
    }

    @Override
    void clearOwnBody() {
        text = null;
        unread = false;
    }

    @Override
    Object bodyValue() throws JMSException {
        return getText();
    }

    @Override
    Class<?> bodyClass() {
        return String.class;
    }
}
