package io.duramen.jms.session;

import jakarta.jms.ConnectionConsumer;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Topic;

/** Thread-safe. The older connection for queues: knows no subscriptions (Jakarta Messaging 9.2). */
public class DuramenQueueConnection extends DuramenConnection {
    /** Connects and logs in, as {@link DuramenConnection#open}. */
    public DuramenQueueConnection(ConnectionSettings settings) throws JMSException {
        super(settings);
    }

    private static IllegalStateException notForQueues(String what) {
        return new IllegalStateException(what + " is not for a QueueConnection");
    }

    @Override
    public ConnectionConsumer createSharedConnectionConsumer(
            Topic topic, String name, String selector, ServerSessionPool pool, int messagesMax) throws JMSException {
        throw notForQueues("createSharedConnectionConsumer");
    }

    @Override
    public ConnectionConsumer createDurableConnectionConsumer(
            Topic topic, String name, String selector, ServerSessionPool pool, int messagesMax) throws JMSException {
        throw notForQueues("createDurableConnectionConsumer");
    }

    @Override
    public ConnectionConsumer createSharedDurableConnectionConsumer(
            Topic topic, String name, String selector, ServerSessionPool pool, int messagesMax) throws JMSException {
        throw notForQueues("createSharedDurableConnectionConsumer");
    }
}
