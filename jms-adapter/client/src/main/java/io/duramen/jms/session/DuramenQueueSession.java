package io.duramen.jms.session;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.QueueReceiver;
import jakarta.jms.QueueSender;
import jakarta.jms.QueueSession;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.Topic;
import jakarta.jms.TopicSubscriber;

/** One thread at a time. The older session for queues: knows no topics. */
public class DuramenQueueSession extends DuramenSession implements QueueSession {
    protected DuramenQueueSession(DuramenConnection connection, int acknowledgeMode, Demarcation demarcation)
            throws JMSException {
        super(connection, acknowledgeMode, demarcation);
    }

    @Override
    public QueueReceiver createReceiver(Queue queue) throws JMSException {
        return (QueueReceiver) createConsumer(queue);
    }

    @Override
    public QueueReceiver createReceiver(Queue queue, String selector) throws JMSException {
        return (QueueReceiver) createConsumer(queue, selector);
    }

    @Override
    public QueueSender createSender(Queue queue) throws JMSException {
        return (QueueSender) createProducer(queue);
    }

    private static IllegalStateException notForQueues(String what) {
        return new IllegalStateException(what + " is not for a QueueSession");
    }

    @Override
    public Topic createTopic(String name) throws JMSException {
        throw notForQueues("createTopic");
    }

    @Override
    public TemporaryTopic createTemporaryTopic() throws JMSException {
        throw notForQueues("createTemporaryTopic");
    }

    @Override
    public TopicSubscriber createDurableSubscriber(Topic topic, String name) throws JMSException {
        throw notForQueues("createDurableSubscriber");
    }

    @Override
    public TopicSubscriber createDurableSubscriber(Topic topic, String name, String selector, boolean noLocal)
            throws JMSException {
        throw notForQueues("createDurableSubscriber");
    }

    @Override
    public MessageConsumer createSharedConsumer(Topic topic, String name, String selector) throws JMSException {
        throw notForQueues("createSharedConsumer");
    }

    @Override
    public MessageConsumer createSharedDurableConsumer(Topic topic, String name, String selector) throws JMSException {
        throw notForQueues("createSharedDurableConsumer");
    }

    @Override
    public void unsubscribe(String name) throws JMSException {
        throw notForQueues("unsubscribe");
    }
}
