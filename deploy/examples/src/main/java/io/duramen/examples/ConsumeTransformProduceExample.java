package io.duramen.examples;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.session.DuramenConnection;
import io.duramen.jms.session.TransactionalProducer;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;

/**
 * Turns readings in Fahrenheit into readings in Celsius, each exactly once, although the transformer is ended between its work
 * and its commit. Run by one thread.
 *
 * <p>What the session of a transactional producer receives and what the producer sends are one transaction: a reading is done
 * with when what was made of it is there, or it comes again and nothing was made of it. The name keeps a transformer that was
 * thought dead from committing beside the one that has taken its place.
 */
public final class ConsumeTransformProduceExample {
    private static final long PATIENCE_MILLIS = 10_000;
    private static final int READINGS = 5;

    private ConsumeTransformProduceExample() {}

    /** @param args the server's URL, or nothing for a node on this machine */
    public static void main(String[] args) throws JMSException {
        DuramenConnectionFactory factory = new DuramenConnectionFactory(ServerUrl.from(args));
        try (DuramenConnection connection = (DuramenConnection) factory.createConnection();
                Session session = connection.createSession()) {
            connection.start();
            Queue fahrenheit = session.createQueue("examples.fahrenheit");
            Queue celsius = session.createQueue("examples.celsius");
            try (MessageProducer readings = session.createProducer(fahrenheit)) {
                for (int i = 0; i < READINGS; i++) {
                    readings.send(session.createTextMessage(Integer.toString(32 + 18 * i)));
                }
            }
            // The first transformer takes two readings and is gone before it commits the second.
            try (DuramenConnection gone = (DuramenConnection) factory.createConnection()) {
                gone.start();
                TransactionalProducer transformer = gone.createTransactionalProducer("examples.transformer");
                MessageConsumer consumer = transformer.session().createConsumer(fahrenheit);
                transform(transformer, consumer);
                transformer.commit();
                transform(transformer, consumer);
                System.out.println("the first transformer ends between its work and its commit");
            }
            try (TransactionalProducer transformer = connection.createTransactionalProducer("examples.transformer")) {
                MessageConsumer consumer = transformer.session().createConsumer(fahrenheit);
                for (int i = 1; i < READINGS; i++) {
                    transform(transformer, consumer);
                    transformer.commit();
                }
            }
            print(session.createConsumer(celsius));
        }
    }

    /** Receives one reading and sends what is made of it; the commit is still to come. */
    private static void transform(TransactionalProducer transformer, MessageConsumer consumer) throws JMSException {
        TextMessage reading = (TextMessage) consumer.receive(PATIENCE_MILLIS);
        if (reading == null) {
            throw new IllegalStateException("nothing within " + PATIENCE_MILLIS + " ms");
        }
        transformer.begin();
        Session session = transformer.session();
        Queue celsius = session.createQueue("examples.celsius");
        Topic log = session.createTopic("examples.transformer.log");
        int degrees = (Integer.parseInt(reading.getText()) - 32) * 5 / 9;
        transformer.send(celsius, session.createTextMessage(Integer.toString(degrees)));
        transformer.send(log, session.createTextMessage(reading.getText() + " F are " + degrees + " C"));
    }

    private static void print(MessageConsumer consumer) throws JMSException {
        for (Message next = consumer.receiveNoWait(); next != null; next = consumer.receiveNoWait()) {
            System.out.println(next.getBody(String.class) + " C");
        }
    }
}
