package io.duramen.acceptance.storm;

import io.duramen.acceptance.history.MessageId;
import io.duramen.acceptance.history.Sent;
import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.SplittableRandom;

/** Sends persistent messages to one destination, each when the one before is confirmed. Confined to its thread. */
final class BlockingProducer extends Worker {
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
            Destination to = destination.equals(Field.NEWS) ? Field.news(session) : Field.queue(session, destination);
            MessageProducer producer = session.createProducer(to);
            while (!isStopped() && field().awaitRoom(destination, 1)) {
                MessageId id = new MessageId(number, ++sequence);
                field().history().sending(id, destination, Sent.NO_TRANSACTION);
                try {
                    producer.send(Field.message(session, id, random()));
                } catch (JMSException e) {
                    field().makeRoom(destination);
                    throw e;
                }
                field().history().stored(id);
            }
        }
    }
}
