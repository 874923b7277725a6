package io.duramen.acceptance.storm;

import io.duramen.acceptance.history.MessageId;
import io.duramen.acceptance.history.Sent;
import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TransactionRolledBackException;
import java.util.SplittableRandom;

/**
 * Sends to two queues and a topic in each transaction, and rolls one in ten back. Confined to its thread.
 *
 * <p>A transaction whose commit failed without saying that it was rolled back stays in doubt.
 */
final class TransactedProducer extends Worker {
    private static final long NUMBERS_EACH = 1_000_000_000L;

    private final int number;
    private long transaction;
    private long sequence;

    TransactedProducer(int number, Field field, SplittableRandom random) {
        super("transacted-producer-" + number, field, field.producersStop(), random);
        this.number = number;
        transaction = number * NUMBERS_EACH;
    }

    @Override
    void work(Connection connection) throws JMSException, InterruptedException {
        try (Session session = connection.createSession(true, Session.SESSION_TRANSACTED)) {
            MessageProducer producer = session.createProducer(null);
            while (!isStopped()
                    && field().awaitRoom(Field.SHARED, 2)
                    && field().awaitRoom(Field.SINGLE, 1)
                    && field().awaitRoom(Field.NEWS, 1)) {
                transaction++;
                sendAll(session, producer);
                if (random().nextInt(10) == 0) {
                    field().history().ended(transaction, Sent.Outcome.ROLLED_BACK);
                    session.rollback();
                    makeRoom();
                } else {
                    commit(session);
                }
            }
        }
    }

    /** Whatever fails here, the transaction is never committed. */
    private void sendAll(Session session, MessageProducer producer) throws JMSException {
        try {
            send(session, producer, Field.SHARED, Field.queue(session, Field.SHARED));
            send(session, producer, Field.SINGLE, Field.queue(session, Field.SINGLE));
            send(session, producer, Field.NEWS, Field.news(session));
            send(session, producer, Field.SHARED, Field.queue(session, Field.SHARED));
        } catch (JMSException e) {
            field().history().ended(transaction, Sent.Outcome.ROLLED_BACK);
            makeRoom();
            throw e;
        }
    }

    private void send(Session session, MessageProducer producer, String name, Destination to) throws JMSException {
        MessageId id = new MessageId(number, ++sequence);
        field().history().sending(id, name, transaction);
        producer.send(to, Field.message(session, id, random()));
    }

    private void commit(Session session) throws JMSException {
        try {
            session.commit();
            field().history().ended(transaction, Sent.Outcome.STORED);
        } catch (TransactionRolledBackException e) {
            field().history().ended(transaction, Sent.Outcome.ROLLED_BACK);
            makeRoom();
            throw e;
        } catch (JMSException e) {
            makeRoom();
            throw e;
        }
    }

    private void makeRoom() {
        field().makeRoom(Field.SHARED);
        field().makeRoom(Field.SHARED);
        field().makeRoom(Field.SINGLE);
        field().makeRoom(Field.NEWS);
    }
}
