package io.duramen.acceptance.storm;

import io.duramen.acceptance.history.History;
import io.duramen.acceptance.history.History.Order;
import io.duramen.acceptance.history.MessageId;
import io.duramen.jms.DuramenConnectionFactory;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** What all workers of a storm share. Thread-safe. */
final class Field {
    /** A queue with three consumers. */
    static final String SHARED = "storm.shared";
    /** A queue with one consumer. */
    static final String SINGLE = "storm.single";
    /** A queue with one consumer, which gives some of its messages back. */
    static final String RETURNS = "storm.returns";
    /** A topic with a durable subscription. */
    static final String NEWS = "storm.news";

    /** A queue with three consumers, whose messages belong to groups. */
    static final String GROUPED = "storm.grouped";
    /** A topic with a durable subscription that two consumers share. */
    static final String OFFERS = "storm.offers";

    static final String READERS = "readers";
    static final String CLIENT_ID = "storm-visitor";
    static final String SUBSCRIPTION = "visitor";

    private static final String PRODUCER = "producer";
    private static final String SEQUENCE = "sequence";
    private static final int ON_THEIR_WAY_MAX = 2_000;
    private static final int BODY_CHARS_MAX = 2_000;

    private final History history = new History();
    private final ConnectionFactory factory;
    private final CountDownLatch producersStop = new CountDownLatch(1);
    private final CountDownLatch consumersStop = new CountDownLatch(1);
    private final Map<String, Semaphore> room = Map.of(
            SHARED, new Semaphore(ON_THEIR_WAY_MAX),
            SINGLE, new Semaphore(ON_THEIR_WAY_MAX),
            RETURNS, new Semaphore(ON_THEIR_WAY_MAX),
            NEWS, new Semaphore(ON_THEIR_WAY_MAX),
            GROUPED, new Semaphore(ON_THEIR_WAY_MAX),
            OFFERS, new Semaphore(ON_THEIR_WAY_MAX));

    Field(String url) {
        factory = new DuramenConnectionFactory(url);
        history.subscribe(new History.Subscription(SHARED, SHARED, Order.EACH));
        history.subscribe(new History.Subscription(SINGLE, SINGLE, Order.ONE));
        history.subscribe(new History.Subscription(RETURNS, RETURNS, Order.ONE));
        history.subscribe(new History.Subscription(SUBSCRIPTION, NEWS, Order.ONE));
        history.subscribe(new History.Subscription(GROUPED, GROUPED, Order.GROUPS));
        history.subscribe(new History.Subscription(READERS, OFFERS, Order.EACH));
    }

    History history() {
        return history;
    }

    ConnectionFactory factory() {
        return factory;
    }

    CountDownLatch producersStop() {
        return producersStop;
    }

    CountDownLatch consumersStop() {
        return consumersStop;
    }

    /** Waits until fewer than the maximum are on their way to a destination; false once producers are to stop. */
    boolean awaitRoom(String destination, int messages) throws InterruptedException {
        while (producersStop.getCount() > 0) {
            if (room.get(destination).tryAcquire(messages, 100, TimeUnit.MILLISECONDS)) {
                return true;
            }
        }
        return false;
    }

    /** A message has arrived, or is known not to. */
    void makeRoom(String destination) {
        room.get(destination).release();
    }

    static Message message(Session session, MessageId id, SplittableRandom random) throws JMSException {
        Message message = session.createTextMessage("x".repeat(random.nextInt(1, BODY_CHARS_MAX)));
        message.setIntProperty(PRODUCER, id.producer());
        message.setLongProperty(SEQUENCE, id.sequence());
        return message;
    }

    static MessageId idOf(Message message) throws JMSException {
        return new MessageId(message.getIntProperty(PRODUCER), message.getLongProperty(SEQUENCE));
    }

    static Queue queue(Session session, String name) throws JMSException {
        return session.createQueue(name);
    }

    /** A queue, or one of the two topics. */
    static Destination destination(Session session, String name) throws JMSException {
        return name.equals(NEWS) || name.equals(OFFERS) ? session.createTopic(name) : queue(session, name);
    }

    static Topic offers(Session session) throws JMSException {
        return session.createTopic(OFFERS);
    }

    static Topic news(Session session) throws JMSException {
        return session.createTopic(NEWS);
    }
}
