package io.duramen.acceptance.storm;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.SplittableRandom;

/** Takes from the shared queue and acknowledges a few messages at a time. Confined to its thread. */
final class AcknowledgingConsumer extends Worker {
    private static final long PATIENCE_MILLIS = 200;
    private static final int BATCH_MAX = 10;

    private final Receipts receipts;

    AcknowledgingConsumer(int number, Field field, SplittableRandom random) {
        super("acknowledging-consumer-" + number, field, field.consumersStop(), random);
        receipts = new Receipts(field, Field.SHARED, Field.SHARED, name());
    }

    @Override
    void work(Connection connection) throws JMSException {
        receipts.forgotten();
        try (Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
                MessageConsumer consumer = session.createConsumer(Field.queue(session, Field.SHARED))) {
            Message last = null;
            int batch = random().nextInt(1, BATCH_MAX);
            while (!isStopped()) {
                Message message = consumer.receive(PATIENCE_MILLIS);
                if (message != null) {
                    last = message;
                    receipts.add(message);
                }
                if (receipts.size() >= batch || message == null && receipts.size() > 0) {
                    acknowledge(last);
                    batch = random().nextInt(1, BATCH_MAX);
                }
            }
            if (receipts.size() > 0) {
                acknowledge(last);
            }
        }
    }

    private void acknowledge(Message last) throws JMSException {
        last.acknowledge();
        receipts.settled();
    }
}
