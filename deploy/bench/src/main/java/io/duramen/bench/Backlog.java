package io.duramen.bench;

import io.duramen.jms.DuramenConnectionFactory;
import jakarta.jms.BytesMessage;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Builds a deep backlog in one queue, or drains it, and prints the rate and the server's memory for each step, so that a
 * slowing down shows. Four threads and connections; what they share is thread-safe.
 */
public final class Backlog {
    private static final String QUEUE = "bench.backlog";
    private static final int CLIENTS = 4;
    private static final int IN_FLIGHT = 512;
    private static final int STEPS = 10;
    private static final long STALL_SECONDS = 60;

    private final ConnectionFactory factory;
    private final ServerMemory memory;
    private final long messages;
    private final AtomicLong done = new AtomicLong();
    private final AtomicReference<Exception> failure = new AtomicReference<>();

    private Backlog(String url, long pid, long messages) {
        factory = new DuramenConnectionFactory(url);
        memory = new ServerMemory(pid);
        this.messages = messages;
    }

    /** @param args {@code produce|drain URL SERVER-PID MESSAGES [BODY-BYTES]} */
    public static void main(String[] args) throws Exception {
        Backlog backlog = new Backlog(args[1], Long.parseLong(args[2]), Long.parseLong(args[3]));
        if (args[0].equals("produce")) {
            backlog.produce(args.length > 4 ? Integer.parseInt(args[4]) : 1024);
        } else {
            backlog.drain();
        }
    }

    private void produce(int bodyBytes) throws Exception {
        List<Connection> connections = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            Connection connection = factory.createConnection();
            connections.add(connection);
            long share = messages / CLIENTS + (i < messages % CLIENTS ? 1 : 0);
            Thread thread = new Thread(() -> send(connection, share, bodyBytes), "producer-" + i);
            thread.setDaemon(true);
            thread.start();
        }
        watch("produced");
        for (Connection connection : connections) {
            connection.close();
        }
    }

    private void send(Connection connection, long share, int bodyBytes) {
        byte[] body = new byte[bodyBytes];
        Semaphore room = new Semaphore(IN_FLIGHT);
        CompletionListener confirmation = new Confirmation(room);
        try {
            Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            MessageProducer producer = session.createProducer(session.createQueue(QUEUE));
            for (long i = 0; i < share && failure.get() == null; i++) {
                room.acquire();
                BytesMessage message = session.createBytesMessage();
                message.writeBytes(body);
                producer.send(message, confirmation);
            }
        } catch (JMSException e) {
            failure.compareAndSet(null, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void drain() throws Exception {
        List<Connection> connections = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            Connection connection = factory.createConnection();
            connections.add(connection);
            Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            session.createConsumer(session.createQueue(QUEUE)).setMessageListener(message -> done.incrementAndGet());
            connection.start();
        }
        watch("drained");
        for (Connection connection : connections) {
            connection.close();
        }
    }

    /** Prints a line for each step until all is done. */
    private void watch(String what) throws Exception {
        long startNanos = System.nanoTime();
        long stepNanos = startNanos;
        long stepDone = 0;
        for (int step = 1; step <= STEPS; step++) {
            await(messages * step / STEPS);
            long nowNanos = System.nanoTime();
            long nowDone = done.get();
            System.out.printf(
                    "%s %,12d   %,9.0f messages/s   %s%n",
                    what, nowDone, (nowDone - stepDone) * 1e9 / (nowNanos - stepNanos), memory.describe());
            stepNanos = nowNanos;
            stepDone = nowDone;
        }
        System.out.printf("%s in all %,.0f messages/s%n", what, messages * 1e9 / (System.nanoTime() - startNanos));
    }

    private void await(long count) throws Exception {
        Semaphore never = new Semaphore(0);
        long before = -1;
        long progressNanos = System.nanoTime();
        while (done.get() < count) {
            if (failure.get() != null) {
                throw failure.get();
            }
            if (done.get() != before) {
                before = done.get();
                progressNanos = System.nanoTime();
            } else if (System.nanoTime() - progressNanos > TimeUnit.SECONDS.toNanos(STALL_SECONDS)) {
                throw new IllegalStateException("nothing moved for " + STALL_SECONDS + " s at " + before);
            }
            never.tryAcquire(20, TimeUnit.MILLISECONDS);
        }
    }

    private final class Confirmation implements CompletionListener {
        private final Semaphore room;

        Confirmation(Semaphore room) {
            this.room = room;
        }

        @Override
        public void onCompletion(Message message) {
            done.incrementAndGet();
            room.release();
        }

        @Override
        public void onException(Message message, Exception exception) {
            failure.compareAndSet(null, exception);
            room.release();
        }
    }
}
