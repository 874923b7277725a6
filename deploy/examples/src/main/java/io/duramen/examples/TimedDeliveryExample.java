package io.duramen.examples;

import io.duramen.jms.DuramenConnectionFactory;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import java.util.Enumeration;

/**
 * Messages that are urgent, that may be late, that are to be late, and that are of no use when late. Run by one thread.
 *
 * <p>A delivery delay may be of any length and outlives restarts of the server.
 */
public final class TimedDeliveryExample {
    private static final long PATIENCE_MILLIS = 10_000;

    private TimedDeliveryExample() {}

    /** @param args the server's URL, or nothing for a node on this machine */
    public static void main(String[] args) {
        ConnectionFactory factory = new DuramenConnectionFactory(ServerUrl.from(args));
        try (JMSContext context = factory.createContext()) {
            Queue reminders = context.createQueue("examples.reminders");
            context.createProducer().setDeliveryDelay(1_000).send(reminders, "a second later");
            context.createProducer().setTimeToLive(1).send(reminders, "out of date");
            context.createProducer().send(reminders, "as usual");
            context.createProducer().setPriority(9).send(reminders, "urgent");
            while (isThere(context, reminders, "out of date")) {
                Thread.onSpinWait();
            }
            try (JMSConsumer consumer = context.createConsumer(reminders)) {
                for (int i = 0; i < 3; i++) {
                    System.out.println(consumer.receiveBody(String.class, PATIENCE_MILLIS));
                }
                System.out.println("nothing else: " + (consumer.receiveNoWait() == null));
            }
        }
    }

    /** Expired messages are not shown either. */
    private static boolean isThere(JMSContext context, Queue queue, String text) {
        try (QueueBrowser browser = context.createBrowser(queue)) {
            for (Enumeration<?> all = browser.getEnumeration(); all.hasMoreElements(); ) {
                if (text.equals(((Message) all.nextElement()).getBody(String.class))) {
                    return true;
                }
            }
            return false;
        } catch (JMSException e) {
            throw new JMSRuntimeException("cannot look at " + queue, e.getErrorCode(), e);
        }
    }
}
