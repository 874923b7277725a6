package io.duramen.acceptance.storm;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.SplittableRandom;

/**
 * The only consumer of a queue, with automatic acknowledgement: a message counts as settled when the next receive has
 * returned. Confined to its thread.
 */
final class AutomaticConsumer extends Worker {
    private static final long PATIENCE_MILLIS = 200;

    private final Receipts receipts;

    AutomaticConsumer(Field field, SplittableRandom random) {
        super("automatic-consumer", field, field.consumersStop(), random);
        receipts = new Receipts(field, Field.SINGLE, Field.SINGLE, name());
    }

    @Override
    void work(Connection connection) throws JMSException {
        receipts.forgotten();
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                MessageConsumer consumer = session.createConsumer(Field.queue(session, Field.SINGLE))) {
            while (!isStopped()) {
                Message message = consumer.receive(PATIENCE_MILLIS);
                receipts.settledSoon();
                if (message != null) {
                    receipts.add(message);
                }
            }
        }
        receipts.settled();
    }
}
