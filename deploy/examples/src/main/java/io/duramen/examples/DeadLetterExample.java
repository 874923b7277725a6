package io.duramen.examples;

import io.duramen.jms.DeadLetters;
import io.duramen.jms.DuramenConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;

/**
 * A consumer that cannot process some of what it is sent, and an operator who looks at what is left of it: refuses what
 * nobody will ever understand, fails on what may work another time, and sends a dead letter back to where it came from once the
 * cause is gone. Run by one thread.
 */
public final class DeadLetterExample {
    private static final long PATIENCE_MILLIS = 30_000;
    private static final String QUEUE = "examples.parcels";

    private DeadLetterExample() {}

    /** @param args the server's URL, or nothing for a node on this machine */
    public static void main(String[] args) throws JMSException {
        DuramenConnectionFactory factory = new DuramenConnectionFactory(ServerUrl.from(args));
        try (jakarta.jms.Connection connection = factory.createConnection();
                Session session = connection.createSession(true, Session.SESSION_TRANSACTED)) {
            connection.start();
            Queue parcels = session.createQueue(QUEUE);
            MessageProducer producer = session.createProducer(parcels);
            producer.send(session.createTextMessage("parcel to Atlantis"));
            producer.send(session.createTextMessage("parcel to Rome"));
            session.commit();
            try (MessageConsumer consumer = session.createConsumer(parcels)) {
                Message atlantis = consumer.receive(PATIENCE_MILLIS);
                DeadLetters.refuse(atlantis, "there is no such place");
                System.out.println("refused: " + atlantis.getBody(String.class));
                Message rome = consumer.receive(PATIENCE_MILLIS);
                session.rollback();
                System.out.println("rolled back: " + rome.getBody(String.class));
                rome = consumer.receive(PATIENCE_MILLIS);
                System.out.println(
                        "delivery " + rome.getIntProperty("JMSXDeliveryCount") + ": " + rome.getBody(String.class));
                session.commit();
            }
            lookAt(session);
            sendBack(session);
            try (MessageConsumer consumer = session.createConsumer(parcels)) {
                System.out.println("again: " + consumer.receive(PATIENCE_MILLIS).getBody(String.class));
                session.commit();
            }
        }
    }

    private static void lookAt(Session session) throws JMSException {
        Queue dead = session.createQueue("DLQ." + QUEUE);
        try (MessageConsumer consumer = session.createConsumer(dead, DeadLetters.CAUSE_CODE + " = 'REFUSED'")) {
            Message letter = consumer.receive(PATIENCE_MILLIS);
            System.out.println("dead letter from " + letter.getStringProperty(DeadLetters.ORIGIN) + ", "
                    + letter.getStringProperty(DeadLetters.CAUSE));
            session.rollback(); // it stays there
        }
    }

    /** In one transaction: out of the dead letters, and back to where it came from. */
    private static void sendBack(Session session) throws JMSException {
        Queue dead = session.createQueue("DLQ." + QUEUE);
        try (MessageConsumer consumer = session.createConsumer(dead)) {
            DeadLetters.sendBack(session, consumer.receive(PATIENCE_MILLIS));
            session.commit();
        }
    }
}
