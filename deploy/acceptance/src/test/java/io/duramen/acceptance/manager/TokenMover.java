package io.duramen.acceptance.manager;

import io.duramen.acceptance.branch.Ring;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import jakarta.transaction.RollbackException;
import jakarta.transaction.TransactionManager;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Moves tokens from queue to queue, from queues into the database and out of it, in transactions of both, one token in each.
 * Confined to its thread, but for {@link #stop}.
 */
final class TokenMover implements Runnable {
    /** What is told of the transactions. */
    interface Observer {
        /** One has committed. */
        void moved();

        /** It ended as no transaction may. */
        void broken(Throwable reason);
    }

    private static final long PATIENCE_MILLIS = 100;
    private static final int ROLLED_BACK_ONE_IN = 12;

    private final int number;
    private final TransactionManager manager;
    private final TokenDatabase database;
    private final Steps steps;
    private final SplittableRandom random;
    private final Observer observer;
    private final XASession own;
    private final Session session;
    private final MessageProducer producer;
    private final MessageConsumer[] consumers = new MessageConsumer[Ring.QUEUES];
    private final javax.sql.XAConnection databaseConnection;
    private final Connection statements;
    private volatile boolean stopped;

    /** What all movers of a process share. */
    record Shared(TransactionManager manager, TokenDatabase database, Steps steps, Observer observer) {}

    TokenMover(int number, Shared shared, XAConnection connection, SplittableRandom random)
            throws JMSException, SQLException {
        this.number = number;
        this.manager = shared.manager;
        this.database = shared.database;
        this.steps = shared.steps;
        this.observer = shared.observer;
        this.random = random;
        own = connection.createXASession();
        session = own.getSession();
        producer = session.createProducer(null);
        for (int i = 0; i < Ring.QUEUES; i++) {
            consumers[i] = session.createConsumer(session.createQueue(Ring.queue(i)));
        }
        databaseConnection = database.connect();
        statements = databaseConnection.getConnection();
    }

    /** It ends after its present transaction. */
    void stop() {
        stopped = true;
    }

    @Override
    public void run() {
        try {
            while (!stopped) {
                transact();
            }
        } catch (Exception | Error e) {
            observer.broken(e);
        }
    }

    private void transact() throws Exception {
        manager.begin();
        if (!hasWorked() || random.nextInt(ROLLED_BACK_ONE_IN) == 0) {
            manager.rollback();
            return;
        }
        try {
            manager.commit();
            observer.moved();
        } catch (RollbackException e) {
            // As if it had never been.
        }
    }

    private boolean hasWorked() throws Exception {
        NamedResource[] both = enlisted(steps.begin());
        int first = random.nextInt(both.length);
        try {
            manager.getTransaction().enlistResource(both[first]);
            manager.getTransaction().enlistResource(both[1 - first]);
            return isMoved();
        } catch (JMSException | SQLException | RollbackException e) {
            return false;
        }
    }

    private NamedResource[] enlisted(Steps.Progress progress) throws SQLException {
        return new NamedResource[] {
            new NamedResource(Application.NODE, own.getXAResource(), progress),
            new NamedResource(
                    Application.DATABASE, new DatabaseResource(databaseConnection.getXAResource(), false), progress)
        };
    }

    /** Takes a token from somewhere and puts it somewhere else, and notes it; false where there was none. */
    private boolean isMoved() throws JMSException, SQLException {
        int place = random.nextInt(Ring.QUEUES);
        boolean unparks = random.nextInt(4) == 0;
        Optional<Token> taken = unparks ? database.unpark(statements, number) : received(place);
        if (taken.isEmpty()) {
            return false;
        }
        Token moved = taken.get().moved();
        database.note(statements, moved);
        if (!unparks && random.nextInt(4) == 0) {
            database.park(statements, number, moved);
        } else {
            producer.send(session.createQueue(Ring.queue(place + 1)), session.createTextMessage(moved.toString()));
        }
        return true;
    }

    private Optional<Token> received(int place) throws JMSException {
        Message message = consumers[place].receive(PATIENCE_MILLIS);
        return message == null ? Optional.empty() : Optional.of(Token.of(message.getBody(String.class)));
    }
}
