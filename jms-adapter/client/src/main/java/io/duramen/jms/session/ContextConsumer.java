package io.duramen.jms.session;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSConsumer;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageListener;
import jakarta.jms.ObjectMessage;
import jakarta.jms.TextMessage;

/** One thread at a time, as its session. A consumer in the simplified API. */
final class ContextConsumer implements JMSConsumer {
    private static final long NO_WAIT = -1;

    private final DuramenConsumer consumer;

    ContextConsumer(DuramenConsumer consumer) {
        this.consumer = consumer;
    }

    @Override
    public String getMessageSelector() {
        return DuramenContext.ask(consumer::getMessageSelector);
    }

    @Override
    public MessageListener getMessageListener() {
        return DuramenContext.ask(consumer::getMessageListener);
    }

    @Override
    public void setMessageListener(MessageListener listener) {
        DuramenContext.run(() -> consumer.setMessageListener(listener));
    }

    @Override
    public Message receive() {
        return DuramenContext.ask(consumer::receive);
    }

    @Override
    public Message receive(long timeout) {
        return DuramenContext.ask(() -> consumer.receive(timeout));
    }

    @Override
    public Message receiveNoWait() {
        return DuramenContext.ask(consumer::receiveNoWait);
    }

    @Override
    public <T> T receiveBody(Class<T> type) {
        return body(0, type);
    }

    @Override
    public <T> T receiveBody(Class<T> type, long timeout) {
        return body(Math.max(0, timeout), type);
    }

    @Override
    public <T> T receiveBodyNoWait(Class<T> type) {
        return body(NO_WAIT, type);
    }

    private <T> T body(long timeoutMillis, Class<T> type) {
        return DuramenContext.ask(() -> consumer.receiveBody(timeoutMillis, message -> open(message, type)));
    }

    private static <T> T open(Message message, Class<T> type) throws jakarta.jms.JMSException {
        boolean withBody = message instanceof TextMessage
                || message instanceof BytesMessage
                || message instanceof MapMessage
                || message instanceof ObjectMessage;
        T body = withBody ? message.getBody(type) : null;
        if (body == null) {
            throw new MessageFormatException("the message has no body that receiveBody can return");
        }
        return body;
    }

    @Override
    public void close() {
        DuramenContext.run(consumer::close);
    }
}
