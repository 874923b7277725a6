package io.duramen.examples;

import io.duramen.jms.AcknowledgeModes;
import io.duramen.jms.DuramenConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;

/**
 * Acknowledges each message by itself, in any order, as workers do that finish at different times. Run by one thread.
 *
 * <p>What was not acknowledged comes again, marked as redelivered; here after {@code recover}.
 */
public final class IndividualAcknowledgeExample {
    private static final long PATIENCE_MILLIS = 10_000;

    private IndividualAcknowledgeExample() {}

    /** @param args the server's URL, or nothing for a node on this machine */
    public static void main(String[] args) throws JMSException {
        try (Connection connection = new DuramenConnectionFactory(ServerUrl.from(args)).createConnection()) {
            connection.start();
            Session session = connection.createSession(AcknowledgeModes.INDIVIDUAL);
            Queue queue = session.createQueue("examples.tasks");
            MessageProducer producer = session.createProducer(queue);
            for (int i = 1; i <= 4; i++) {
                producer.send(session.createTextMessage("task " + i));
            }
            MessageConsumer consumer = session.createConsumer(queue);
            List<Message> tasks = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                tasks.add(consumer.receive(PATIENCE_MILLIS));
            }
            for (int done : new int[] {3, 0}) {
                tasks.get(done).acknowledge();
                System.out.println("done: " + tasks.get(done).getBody(String.class));
            }
            session.recover();
            for (int i = 0; i < 2; i++) {
                Message again = consumer.receive(PATIENCE_MILLIS);
                System.out.println(
                        "again: " + again.getBody(String.class) + ", redelivered: " + again.getJMSRedelivered());
                again.acknowledge();
            }
        }
    }
}
