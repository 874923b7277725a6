package io.duramen.acceptance.storm;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.SplittableRandom;

/** One of several consumers of a queue or a shared subscription; acknowledges a few messages at a time. Confined to its thread. */
final class AcknowledgingConsumer extends Worker {
    private static final long PATIENCE_MILLIS = 200;
    private static final int BATCH_MAX = 10;

    private final String source;
    private final Receipts receipts;

    /** @param source the queue, or the topic of the shared subscription */
    AcknowledgingConsumer(int number, String source, Field field, SplittableRandom random) {
        super("acknowledging-consumer-" + number, field, field.consumersStop(), random);
        this.source = source;
        String subscription = source.equals(Field.OFFERS) ? Field.READERS : source;
        receipts = new Receipts(field, subscription, source, name());
    }

    private MessageConsumer open(Session session) throws JMSException {
        return source.equals(Field.OFFERS)
                ? session.createSharedDurableConsumer(Field.offers(session), Field.READERS)
                : session.createConsumer(Field.queue(session, source));
    }

    @Override
    void work(Connection connection) throws JMSException {
        receipts.forgotten();
        try (Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
                MessageConsumer consumer = open(session)) {
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
