package io.duramen.examples;

import io.duramen.jms.DuramenConnectionFactory;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import java.util.Enumeration;

/**
 * Takes from a queue only what a selector matches, and looks at the rest without taking it. Run by one thread.
 *
 * <p>The server evaluates selectors, on headers and properties. However many messages lie before a match, it is found; what does
 * not match stays for others.
 */
public final class SelectionExample {
    private static final long PATIENCE_MILLIS = 10_000;

    private SelectionExample() {}

    /** @param args the server's URL, or nothing for a node on this machine */
    public static void main(String[] args) throws JMSException {
        ConnectionFactory factory = new DuramenConnectionFactory(ServerUrl.from(args));
        try (JMSContext context = factory.createContext()) {
            Queue bids = context.createQueue("examples.bids");
            for (int i = 1; i <= 8; i++) {
                context.createProducer()
                        .setProperty("region", i % 2 == 0 ? "EU" : "US")
                        .setProperty("amount", 50 * i)
                        .send(bids, "bid " + i);
            }
            try (JMSConsumer consumer = context.createConsumer(bids, "region = 'EU' AND amount > 100")) {
                for (String bid = consumer.receiveBody(String.class, PATIENCE_MILLIS);
                        bid != null;
                        bid = consumer.receiveBodyNoWait(String.class)) {
                    System.out.println("taken: " + bid);
                }
            }
            try (QueueBrowser browser = context.createBrowser(bids)) {
                for (Enumeration<?> all = browser.getEnumeration(); all.hasMoreElements(); ) {
                    System.out.println("still there: " + ((Message) all.nextElement()).getBody(String.class));
                }
            }
            try (JMSConsumer rest = context.createConsumer(bids)) {
                while (rest.receiveNoWait() != null) {
                    // leaves the queue empty for the next run
                }
            }
        }
    }
}
