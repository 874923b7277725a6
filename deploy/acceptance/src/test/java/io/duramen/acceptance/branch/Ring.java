package io.duramen.acceptance.branch;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.DuramenXAConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.XAConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/** Thread-safe. Queues in a ring, and tokens that move round it: none is ever lost or there twice. */
public final class Ring {
    public static final int QUEUES = 8;

    /** At each queue in turn; consumers of all are there. */
    private static final long DRAIN_MILLIS = 50;

    /** Longer than what was rolled back waits where {@code broker.redelivery-delay-max} is a second. */
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(4);

    /** More than {@code broker.redelivery-delay-max}. */
    private static final long REDELIVERY_NANOS_MAX = TimeUnit.SECONDS.toNanos(75);

    private static final String RECONNECTING = "?prefetch=0&reconnectDelayMillis=20&reconnectDelayMaxMillis=200";

    private final String url;
    private final AtomicLong lastBranch = new AtomicLong();
    private long moves;

    public Ring(String url) {
        this.url = url;
    }

    public static String queue(int place) {
        return "ring." + Math.floorMod(place, QUEUES);
    }

    public XAConnection connect() throws JMSException {
        return new DuramenXAConnectionFactory(url + RECONNECTING).createXAConnection();
    }

    Connection connectLocally() throws JMSException {
        return new DuramenConnectionFactory(url + RECONNECTING).createConnection();
    }

    long nextBranch() {
        return lastBranch.incrementAndGet();
    }

    synchronized void moved() {
        moves++;
        notifyAll();
    }

    /** Moves that are committed. */
    synchronized long moves() {
        return moves;
    }

    /** Waits for so many moves, for a time; false where they did not come. */
    synchronized boolean awaitMoves(long count, long millis) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        for (long left = millis; moves < count && left > 0; ) {
            wait(left);
            left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        }
        return moves >= count;
    }

    public List<String> fill(int tokens) throws JMSException {
        List<String> names = new ArrayList<>();
        try (Connection connection = new DuramenConnectionFactory(url).createConnection()) {
            Session session = connection.createSession();
            MessageProducer producer = session.createProducer(null);
            for (int i = 0; i < tokens; i++) {
                names.add("token-" + (100 + i));
                producer.send(session.createQueue(queue(i)), session.createTextMessage(names.get(i)));
            }
        }
        return names;
    }

    /** Rolls back what is prepared: nobody has decided on it. */
    int rollBackUndecided() throws JMSException, XAException {
        try (XAConnection connection = connect()) {
            XAResource resource = connection.createXASession().getXAResource();
            Xid[] left = resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN);
            for (Xid xid : left) {
                resource.rollback(xid);
            }
            return left.length;
        }
    }

    /**
     * All tokens, sorted. One that was rolled back more than once waits for its redelivery: so the queues are watched until all are there, or none has
     * come for longer than any waits; and for a while more for one too many.
     */
    public List<String> drain(int expected) throws JMSException {
        List<String> tokens = new ArrayList<>();
        try (Connection connection = new DuramenConnectionFactory(url).createConnection()) {
            connection.start();
            Session session = connection.createSession();
            List<MessageConsumer> consumers = new ArrayList<>();
            for (int i = 0; i < QUEUES; i++) {
                consumers.add(session.createConsumer(session.createQueue(queue(i))));
            }
            long lastNanos = System.nanoTime();
            long quietNanos = 0;
            while (quietNanos < (tokens.size() < expected ? REDELIVERY_NANOS_MAX : QUIET_NANOS)) {
                int before = tokens.size();
                for (MessageConsumer consumer : consumers) {
                    takeAll(consumer, tokens);
                }
                lastNanos = tokens.size() > before ? System.nanoTime() : lastNanos;
                quietNanos = System.nanoTime() - lastNanos;
            }
        }
        tokens.sort(null);
        return tokens;
    }

    private static void takeAll(MessageConsumer consumer, List<String> tokens) throws JMSException {
        for (Message next = consumer.receive(DRAIN_MILLIS); next != null; next = consumer.receive(DRAIN_MILLIS)) {
            tokens.add(next.getBody(String.class));
        }
    }
}
