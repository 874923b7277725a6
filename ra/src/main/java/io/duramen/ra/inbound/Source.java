package io.duramen.ra.inbound;

import io.duramen.jms.destination.DuramenDestination;
import io.duramen.jms.destination.DuramenQueue;
import io.duramen.jms.destination.DuramenTopic;
import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.resource.spi.InvalidPropertyException;

/** Any thread: immutable. What the sessions of an endpoint consume. */
record Source(Destination destination, String selector, Subscription subscription) {
    /** Of a topic. The name is empty where it needs none. */
    record Subscription(String name, boolean durable, boolean shared) {}

    static Source of(Object found, String selector, Subscription subscription) throws InvalidPropertyException {
        try {
            return new Source(DuramenDestination.ours((Destination) found), selector, subscription);
        } catch (InvalidDestinationException | ClassCastException e) {
            throw new InvalidPropertyException("destination: " + found + " is no destination of Duramen", e);
        }
    }

    static Source named(boolean queue, String name, String selector, Subscription subscription) {
        return new Source(queue ? new DuramenQueue(name) : new DuramenTopic(name), selector, subscription);
    }

    /** A subscription that is not shared has one consumer. */
    int sessions(int wanted) {
        return destination instanceof Topic && !subscription.shared ? 1 : wanted;
    }

    MessageConsumer consume(Session session) throws JMSException {
        if (!(destination instanceof Topic topic)) {
            return session.createConsumer(destination, selector);
        }
        if (subscription.durable) {
            return subscription.shared
                    ? session.createSharedDurableConsumer(topic, subscription.name, selector)
                    : session.createDurableConsumer(topic, subscription.name, selector, false);
        }
        return subscription.shared
                ? session.createSharedConsumer(topic, subscription.name, selector)
                : session.createConsumer(topic, selector);
    }

    @Override
    public String toString() {
        return (destination instanceof Topic ? "topic " : "queue ") + destination;
    }
}
