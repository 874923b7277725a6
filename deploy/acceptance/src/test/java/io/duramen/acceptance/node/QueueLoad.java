package io.duramen.acceptance.node;

import io.duramen.jms.DuramenConnectionFactory;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** Fills a queue with numbered messages and takes them out again. Used by one thread. */
final class QueueLoad {
    private static final String NUMBER = "number";
    private static final int IN_FLIGHT = 512;
    private static final long PATIENCE_SECONDS = 60;
    private static final long EMPTY_MILLIS = 500;

    private final String url;
    private final String queue;

    QueueLoad(String url, String queue) {
        this.url = url;
        this.queue = queue;
    }

    /** Sends persistent messages with these numbers and returns when all are confirmed. */
    void send(int from, int to, int bodyChars) throws JMSException, InterruptedException {
        String body = "x".repeat(bodyChars);
        Semaphore room = new Semaphore(IN_FLIGHT);
        AtomicReference<Exception> failure = new AtomicReference<>();
        try (Connection connection = new DuramenConnectionFactory(url).createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            MessageProducer producer = session.createProducer(session.createQueue(queue));
            for (int number = from; number < to && failure.get() == null; number++) {
                acquire(room, 1);
                Message message = session.createTextMessage(body);
                message.setIntProperty(NUMBER, number);
                producer.send(message, new Confirmation(room, failure));
            }
            acquire(room, IN_FLIGHT);
        }
        if (failure.get() != null) {
            throw new IllegalStateException("a send failed", failure.get());
        }
    }

    private static void acquire(Semaphore room, int permits) throws InterruptedException {
        if (!room.tryAcquire(permits, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("no confirmation within " + PATIENCE_SECONDS + " s");
        }
    }

    /** Takes one message after the other and fails where its number is not the next. */
    void receive(int from, int to) throws JMSException {
        try (Connection connection = new DuramenConnectionFactory(url).createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            connection.start();
            MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
            for (int number = from; number < to; number++) {
                Message message = consumer.receive(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
                if (message == null) {
                    throw new AssertionError("message " + number + " did not come");
                }
                if (message.getIntProperty(NUMBER) != number) {
                    throw new AssertionError(
                            "message " + message.getIntProperty(NUMBER) + " came instead of " + number);
                }
            }
        }
    }

    /** Fails where a message is left. */
    void expectNothing() throws JMSException {
        try (Connection connection = new DuramenConnectionFactory(url).createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            connection.start();
            Message message = session.createConsumer(session.createQueue(queue)).receive(EMPTY_MILLIS);
            if (message != null) {
                throw new AssertionError("message " + message.getIntProperty(NUMBER) + " is left");
            }
        }
    }

    private record Confirmation(Semaphore room, AtomicReference<Exception> failure) implements CompletionListener {
        @Override
        public void onCompletion(Message message) {
            room.release();
        }

        @Override
        public void onException(Message message, Exception exception) {
            failure.compareAndSet(null, exception);
            room.release();
        }
    }
}
