package io.duramen.examples;

import io.duramen.jms.DuramenConnectionFactory;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Topic;

/**
 * A durable subscription keeps what is published while its subscriber is away. Run by one thread.
 *
 * <p>A topic's message goes to every subscription. A durable one has a name and belongs to a client id; the server keeps
 * its place and its messages until someone unsubscribes.
 */
public final class DurableTopicExample {
    private static final String CLIENT_ID = "examples-office";
    private static final String SUBSCRIPTION = "news-reader";
    private static final long PATIENCE_MILLIS = 10_000;

    private DurableTopicExample() {}

    /** @param args the server's URL, or nothing for a node on this machine */
    public static void main(String[] args) {
        ConnectionFactory factory = new DuramenConnectionFactory(ServerUrl.from(args));

        // The first visit makes the subscription; closing the consumer leaves it in place.
        try (JMSContext office = factory.createContext()) {
            office.setClientID(CLIENT_ID);
            office.createDurableConsumer(office.createTopic("examples.news"), SUBSCRIPTION)
                    .close();
            System.out.println("subscribed, and gone again");
        }

        try (JMSContext press = factory.createContext()) {
            Topic news = press.createTopic("examples.news");
            for (int i = 1; i <= 3; i++) {
                press.createProducer().send(news, "headline " + i);
            }
            System.out.println("published 3 headlines that nobody listened to");
        }

        try (JMSContext office = factory.createContext()) {
            office.setClientID(CLIENT_ID);
            Topic news = office.createTopic("examples.news");
            try (JMSConsumer reader = office.createDurableConsumer(news, SUBSCRIPTION)) {
                for (int i = 1; i <= 3; i++) {
                    System.out.println("back again, received " + reader.receiveBody(String.class, PATIENCE_MILLIS));
                }
            }
            office.unsubscribe(SUBSCRIPTION);
            System.out.println("unsubscribed");
        }
    }
}
