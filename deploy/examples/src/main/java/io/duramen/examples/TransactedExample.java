package io.duramen.examples;

import io.duramen.jms.DuramenConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;

/**
 * Takes an order from one queue and puts an invoice and a parcel into two others, all or nothing. Run by one thread.
 *
 * <p>What a transacted session receives and sends takes effect together when {@code commit} returns. After a rollback
 * the order is back in its queue, marked as redelivered, and nobody has seen the invoice.
 */
public final class TransactedExample {
    private static final long PATIENCE_MILLIS = 10_000;

    private TransactedExample() {}

    /** @param args the server's URL, or nothing for a node on this machine */
    public static void main(String[] args) throws JMSException {
        try (Connection connection = new DuramenConnectionFactory(ServerUrl.from(args)).createConnection();
                Session session = connection.createSession(true, Session.SESSION_TRANSACTED)) {
            connection.start();
            Queue orders = session.createQueue("examples.tx.orders");
            Queue invoices = session.createQueue("examples.tx.invoices");
            Queue parcels = session.createQueue("examples.tx.parcels");
            MessageProducer producer = session.createProducer(null);

            producer.send(orders, session.createTextMessage("order 1"));
            session.commit();

            try (MessageConsumer consumer = session.createConsumer(orders)) {
                // The first try goes wrong half-way: nothing of it remains.
                TextMessage order = receive(consumer);
                producer.send(invoices, session.createTextMessage("invoice for " + order.getText()));
                session.rollback();
                System.out.println("rolled back " + order.getText());

                order = receive(consumer);
                producer.send(invoices, session.createTextMessage("invoice for " + order.getText()));
                producer.send(parcels, session.createTextMessage("parcel for " + order.getText()));
                session.commit();
                System.out.println("committed " + order.getText() + ", redelivered: " + order.getJMSRedelivered());
            }
            print(session, invoices);
            print(session, parcels);
        }
    }

    private static void print(Session session, Queue queue) throws JMSException {
        try (MessageConsumer consumer = session.createConsumer(queue)) {
            System.out.println("received " + receive(consumer).getText());
            session.commit();
        }
    }

    private static TextMessage receive(MessageConsumer consumer) throws JMSException {
        TextMessage message = (TextMessage) consumer.receive(PATIENCE_MILLIS);
        if (message == null) {
            throw new IllegalStateException("nothing within " + PATIENCE_MILLIS + " ms");
        }
        return message;
    }
}
