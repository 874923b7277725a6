package io.duramen.acceptance.storm;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.SplittableRandom;

/**
 * A durable subscriber that comes, takes some messages, and goes, with a new connection for each visit. A message counts
 * as settled when the next receive, or the session's close, has returned. Confined to its thread.
 */
final class DurableVisitor extends Worker {
    private static final long PATIENCE_MILLIS = 200;
    private static final int VISIT_MESSAGES_MAX = 400;

    private final Receipts receipts;

    DurableVisitor(Field field, SplittableRandom random) {
        super("durable-visitor", field, field.consumersStop(), random);
        receipts = new Receipts(field, Field.SUBSCRIPTION, Field.NEWS, name());
    }

    @Override
    void prepare(Connection connection) throws JMSException {
        connection.setClientID(Field.CLIENT_ID);
    }

    @Override
    void work(Connection connection) throws JMSException {
        receipts.forgotten();
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            MessageConsumer consumer = session.createDurableConsumer(Field.news(session), Field.SUBSCRIPTION);
            int left = random().nextInt(1, VISIT_MESSAGES_MAX);
            while (left > 0 && !isStopped()) {
                Message message = consumer.receive(PATIENCE_MILLIS);
                receipts.settledSoon();
                if (message == null) {
                    break;
                }
                receipts.add(message);
                left--;
            }
        }
        receipts.settled();
    }
}
