package io.duramen.examples;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.session.DuramenConnection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;

/**
 * Sends payments that are stored once, however often the program that sends them is run again. Run by one thread.
 *
 * <p>A producer's own retries are dropped without being asked for. A dedup id drops what a new process, or another one,
 * sends again because it does not know what became of it: a batch job started anew, a web form submitted twice.
 */
public final class DedupExample {
    private static final long PATIENCE_MILLIS = 10_000;
    private static final long EMPTY_MILLIS = 500;

    private DedupExample() {}

    /** @param args the server's URL, or nothing for a node on this machine */
    public static void main(String[] args) throws JMSException {
        String run = Long.toString(System.currentTimeMillis());
        try (DuramenConnection connection =
                (DuramenConnection) new DuramenConnectionFactory(ServerUrl.from(args)).createConnection()) {
            connection.start();
            job(connection, run);
            job(connection, run); // as after a crash: it begins from its beginning
            Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            Queue payments = session.createQueue("examples.dedup.payments");
            System.out.println("payment 2 is stored: "
                    + connection.whenStored(payments, run + "/2").isPresent());
            System.out.println("payment 9 is stored: "
                    + connection.whenStored(payments, run + "/9").isPresent());
            try (MessageConsumer consumer = session.createConsumer(payments)) {
                Message message = consumer.receive(PATIENCE_MILLIS);
                while (message != null) {
                    System.out.println("received " + ((TextMessage) message).getText());
                    message = consumer.receive(EMPTY_MILLIS);
                }
            }
        }
    }

    /** Sends three payments, then two more in a transaction that the id of its first message guards. */
    private static void job(DuramenConnection connection, String run) throws JMSException {
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            MessageProducer producer = session.createProducer(session.createQueue("examples.dedup.payments"));
            for (int number = 1; number <= 3; number++) {
                producer.send(payment(session, number, run + "/" + number));
            }
        }
        try (Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            MessageProducer producer = session.createProducer(session.createQueue("examples.dedup.payments"));
            producer.send(payment(session, 4, run + "/4-5"));
            producer.send(payment(session, 5, null));
            session.commit();
        }
    }

    private static Message payment(Session session, int number, String dedupId) throws JMSException {
        TextMessage payment = session.createTextMessage("payment " + number);
        if (dedupId != null) {
            payment.setStringProperty("JMS_Duramen_DedupId", dedupId);
        }
        return payment;
    }
}
