package io.duramen.acceptance.storm;

import io.duramen.acceptance.history.MessageId;
import io.duramen.acceptance.history.Sent;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.SplittableRandom;

/**
 * Sends persistent messages to one destination, each when the one before is confirmed; to the queue of groups, each to one of some groups.
 * Confined to its thread.
 */
final class BlockingProducer extends Worker {
    private static final int GROUPS = 8;

    private final int number;
    private final String destination;
    private long sequence;

    BlockingProducer(int number, String destination, Field field, SplittableRandom random) {
        super("blocking-producer-" + number, field, field.producersStop(), random);
        this.number = number;
        this.destination = destination;
    }

    @Override
    void work(Connection connection) throws JMSException, InterruptedException {
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            MessageProducer producer = session.createProducer(Field.destination(session, destination));
            while (!isStopped() && field().awaitRoom(destination, 1)) {
                MessageId id = new MessageId(number, ++sequence);
                Message message = Field.message(session, id, random());
                announce(id, message);
                try {
                    producer.send(message);
                } catch (JMSException e) {
                    field().makeRoom(destination);
                    throw e;
                }
                field().history().stored(id);
            }
        }
    }

    private void announce(MessageId id, Message message) throws JMSException {
        if (destination.equals(Field.GROUPED)) {
            String group = "group-" + random().nextInt(GROUPS);
            message.setStringProperty("JMSXGroupID", group);
            field().history().sending(id, destination, group, System.nanoTime());
        } else {
            field().history().sending(id, destination, Sent.NO_TRANSACTION);
        }
    }
}
