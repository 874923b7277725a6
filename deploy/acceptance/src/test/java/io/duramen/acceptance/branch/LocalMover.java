package io.duramen.acceptance.branch;

import io.duramen.jms.session.OutcomeUnknownException;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import jakarta.jms.TransactionRolledBackException;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;

/**
 * Moves tokens round the ring in local transactions of one or two moves, and learns what became of those whose answer was
 * lost. Confined to its thread.
 */
final class LocalMover implements RingMover {
    private static final long PATIENCE_MILLIS = 100;

    private final Ring ring;
    private final SplittableRandom random;
    private final CountDownLatch stop;
    private volatile Throwable failure;

    private Session session;
    private MessageConsumer[] consumers;
    private MessageProducer producer;

    LocalMover(Ring ring, SplittableRandom random, CountDownLatch stop) {
        this.ring = ring;
        this.random = random;
        this.stop = stop;
    }

    @Override
    public Throwable failure() {
        return failure;
    }

    @Override
    public void run() {
        try (Connection connection = ring.connectLocally()) {
            session = connection.createSession(Session.SESSION_TRANSACTED);
            producer = session.createProducer(null);
            consumers = new MessageConsumer[Ring.QUEUES];
            for (int i = 0; i < Ring.QUEUES; i++) {
                consumers[i] = session.createConsumer(session.createQueue(Ring.queue(i)));
            }
            connection.start();
            while (stop.getCount() > 0) {
                transact();
            }
            session.rollback();
        } catch (JMSException | RuntimeException | Error e) {
            failure = e;
        }
    }

    private void transact() throws JMSException {
        int place = random.nextInt(Ring.QUEUES);
        boolean moved = move(place);
        if (random.nextBoolean()) {
            moved |= move(place + 1 + random.nextInt(Ring.QUEUES - 1));
        }
        if (!moved) {
            return;
        }
        if (random.nextInt(10) == 0) {
            session.rollback();
        } else if (hasCommitted()) {
            ring.moved();
        }
    }

    private boolean move(int place) throws JMSException {
        Message token = consumers[Math.floorMod(place, Ring.QUEUES)].receive(PATIENCE_MILLIS);
        if (token == null) {
            return false;
        }
        producer.send(
                session.createQueue(Ring.queue(place + 1)), session.createTextMessage(token.getBody(String.class)));
        return true;
    }

    /** Commits, and asks again until the outcome is known; what a node has no room for is rolled back. */
    private boolean hasCommitted() throws JMSException {
        while (true) {
            try {
                session.commit();
                return true;
            } catch (OutcomeUnknownException e) {
                continue;
            } catch (TransactionRolledBackException e) {
                return false;
            } catch (ResourceAllocationException e) {
                session.rollback();
                return false;
            }
        }
    }
}
