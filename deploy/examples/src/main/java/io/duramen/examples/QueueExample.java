package io.duramen.examples;

import io.duramen.jms.DuramenConnectionFactory;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import jakarta.jms.Queue;

/**
 * Sends ten orders to a queue and receives them. Run by one thread.
 *
 * <p>The queue is made when it is first used. Messages are persistent unless said otherwise: when {@code send} returns,
 * the order is on the server's disk and outlives any crash of it.
 */
public final class QueueExample {
    private static final int ORDERS = 10;
    private static final long PATIENCE_MILLIS = 10_000;

    private QueueExample() {}

    /** @param args the server's URL, or nothing for a node on this machine */
    public static void main(String[] args) throws Exception {
        ConnectionFactory factory = new DuramenConnectionFactory(ServerUrl.from(args));
        try (JMSContext context = factory.createContext(JMSContext.AUTO_ACKNOWLEDGE)) {
            Queue orders = context.createQueue("examples.orders");
            for (int i = 1; i <= ORDERS; i++) {
                context.createProducer()
                        .setProperty("region", i % 2 == 0 ? "EU" : "US")
                        .send(orders, "order " + i);
            }
            System.out.println("sent " + ORDERS + " orders");

            // Each message goes to one consumer of the queue: run this program twice and they share the work.
            try (JMSConsumer consumer = context.createConsumer(orders)) {
                for (int i = 1; i <= ORDERS; i++) {
                    Message message = consumer.receive(PATIENCE_MILLIS);
                    if (message == null) {
                        throw new IllegalStateException("no order within " + PATIENCE_MILLIS + " ms");
                    }
                    System.out.println("received " + message.getBody(String.class) + " from "
                            + message.getStringProperty("region"));
                }
            }
        }
    }
}
