package io.duramen.jms.session;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.Topic;
import jakarta.jms.TopicPublisher;
import jakarta.jms.TopicSession;
import jakarta.jms.TopicSubscriber;

/** One thread at a time. The older session for topics: knows no queues. */
public class DuramenTopicSession extends DuramenSession implements TopicSession {
    protected DuramenTopicSession(DuramenConnection connection, int acknowledgeMode, Demarcation demarcation)
            throws JMSException {
        super(connection, acknowledgeMode, demarcation);
    }

    @Override
    public TopicSubscriber createSubscriber(Topic topic) throws JMSException {
        return (TopicSubscriber) createConsumer(topic);
    }

    @Override
    public TopicSubscriber createSubscriber(Topic topic, String selector, boolean noLocal) throws JMSException {
        return (TopicSubscriber) createConsumer(topic, selector, noLocal);
    }

    @Override
    public TopicPublisher createPublisher(Topic topic) throws JMSException {
        return (TopicPublisher) createProducer(topic);
    }

    private static IllegalStateException notForTopics(String what) {
        return new IllegalStateException(what + " is not for a TopicSession");
    }

    @Override
    public Queue createQueue(String name) throws JMSException {
        throw notForTopics("createQueue");
    }

    @Override
    public TemporaryQueue createTemporaryQueue() throws JMSException {
        throw notForTopics("createTemporaryQueue");
    }

    @Override
    public QueueBrowser createBrowser(Queue queue, String selector) throws JMSException {
        throw notForTopics("createBrowser");
    }
}
