package io.duramen.acceptance.storm;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TransactionRolledBackException;
import java.util.SplittableRandom;

/** Takes from a queue in transactions, some of which it may roll back. Confined to its thread. */
final class TransactedConsumer extends Worker {
    private static final long PATIENCE_MILLIS = 200;
    private static final int BATCH_MAX = 10;

    private final String queue;
    private final int rollbacksInTen;
    private final Receipts receipts;

    TransactedConsumer(String queue, int rollbacksInTen, Field field, SplittableRandom random) {
        super("transacted-consumer of " + queue, field, field.consumersStop(), random);
        this.queue = queue;
        this.rollbacksInTen = rollbacksInTen;
        receipts = new Receipts(field, queue, queue, name());
    }

    @Override
    void work(Connection connection) throws JMSException {
        receipts.forgotten();
        try (Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
                MessageConsumer consumer = session.createConsumer(Field.queue(session, queue))) {
            int batch = random().nextInt(1, BATCH_MAX);
            while (!isStopped()) {
                Message message = consumer.receive(PATIENCE_MILLIS);
                if (message != null) {
                    receipts.add(message);
                }
                if (receipts.size() >= batch || message == null && receipts.size() > 0) {
                    end(session, random().nextInt(10) >= rollbacksInTen);
                    batch = random().nextInt(1, BATCH_MAX);
                }
            }
            if (receipts.size() > 0) {
                end(session, true);
            }
        }
    }

    private void end(Session session, boolean well) throws JMSException {
        long nowNanos = System.nanoTime();
        if (!well) {
            try {
                session.rollback();
            } finally {
                receipts.released(nowNanos);
            }
            return;
        }
        try {
            session.commit();
            receipts.committed();
        } catch (TransactionRolledBackException e) {
            // Inside the call the session gave back all it held, unseen messages too; it goes on with a new
            // transaction.
            receipts.released(nowNanos);
        }
    }
}
