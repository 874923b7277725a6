package io.duramen.acceptance.branch;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/**
 * Moves tokens round the ring, and is its own transaction manager: what it has decided it asks for until it is answered.
 * Confined to its thread.
 */
final class Mover implements RingMover {
    private static final long PATIENCE_MILLIS = 100;
    private static final long PAUSE_MILLIS = 20;

    private final Ring ring;
    private final SplittableRandom random;
    private final CountDownLatch stop;
    private volatile Throwable failure;

    private XAResource resource;
    private Session session;
    private MessageConsumer[] consumers;
    private MessageProducer producer;

    Mover(Ring ring, SplittableRandom random, CountDownLatch stop) {
        this.ring = ring;
        this.random = random;
        this.stop = stop;
    }

    record BranchName(long number) implements Xid {
        @Override
        public int getFormatId() {
            return 11;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
        }

        @Override
        public byte[] getBranchQualifier() {
            return new byte[] {1};
        }
    }

    @Override
    public Throwable failure() {
        return failure;
    }

    @Override
    public void run() {
        try (XAConnection connection = ring.connect()) {
            open(connection);
            while (stop.getCount() > 0) {
                move(new BranchName(ring.nextBranch()), random.nextInt(Ring.QUEUES));
            }
        } catch (JMSException | XAException | InterruptedException | RuntimeException | Error e) {
            failure = e;
        }
    }

    private void open(XAConnection connection) throws JMSException {
        XASession own = connection.createXASession();
        resource = own.getXAResource();
        session = own.getSession();
        producer = session.createProducer(null);
        consumers = new MessageConsumer[Ring.QUEUES];
        for (int i = 0; i < Ring.QUEUES; i++) {
            consumers[i] = session.createConsumer(session.createQueue(Ring.queue(i)));
        }
        connection.start();
    }

    private void move(Xid branch, int place) throws XAException, InterruptedException {
        resource.start(branch, XAResource.TMNOFLAGS);
        boolean moved;
        try {
            Message token = consumers[place].receive(PATIENCE_MILLIS);
            moved = token != null;
            if (moved) {
                producer.send(
                        session.createQueue(Ring.queue(place + 1)),
                        session.createTextMessage(token.getBody(String.class)));
            }
            resource.end(branch, XAResource.TMSUCCESS);
        } catch (JMSException e) {
            resource.end(branch, XAResource.TMFAIL);
            moved = false;
        }
        end(branch, moved ? random.nextInt(10) : 0);
    }

    private void end(Xid branch, int die) throws XAException, InterruptedException {
        try {
            if (die == 0) {
                untilAnswered(() -> resource.rollback(branch));
                return;
            }
            if (die < 3) {
                resource.commit(branch, true);
            } else if (resource.prepare(branch) == XAResource.XA_OK) {
                boolean commit = die < 9;
                untilAnswered(() -> {
                    if (commit) {
                        resource.commit(branch, false);
                    } else {
                        resource.rollback(branch);
                    }
                });
            }
            ring.moved();
        } catch (XAException e) {
            boolean rolledBack = e.errorCode >= XAException.XA_RBBASE && e.errorCode <= XAException.XA_RBEND;
            if (!rolledBack) {
                requireRmFail(e);
                untilAnswered(() -> resource.rollback(branch)); // not decided: presumed rolled back
            }
        }
    }

    @FunctionalInterface
    private interface Call {
        void run() throws XAException;
    }

    /** Until it is done, or was done by a call whose answer was lost. */
    private void untilAnswered(Call call) throws XAException, InterruptedException {
        while (true) {
            try {
                call.run();
                return;
            } catch (XAException e) {
                if (e.errorCode == XAException.XAER_NOTA) {
                    return;
                }
                requireRmFail(e);
                stop.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            }
        }
    }

    private static void requireRmFail(XAException e) {
        if (e.errorCode != XAException.XAER_RMFAIL) {
            throw new AssertionError("code " + e.errorCode + " where the manager would take it for a heuristic", e);
        }
    }
}
