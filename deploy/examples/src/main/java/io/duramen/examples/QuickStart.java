package io.duramen.examples;

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
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Sends persistent messages of 1 KiB to a queue over TCP and receives them, with a progress bar, and prints rates and
 * latencies. Two sending threads, two listeners, each with its own connection; what they share is thread-safe.
 *
 * <p>The senders don't wait for each message: a {@link CompletionListener} hears when it is on the server's disk, and at
 * most {@value #IN_FLIGHT} of a sender are on their way.
 */
public final class QuickStart {
    private static final String QUEUE = "quickstart";
    private static final String RUN = "run";
    private static final String SENT_NANOS = "sentNanos";
    private static final int SENDERS = 2;
    private static final int LISTENERS = 2;
    private static final int IN_FLIGHT = 256;
    private static final int BODY_BYTES = 1024;
    private static final long STALL_SECONDS = 60;
    private static final long LATENCY_MAX_MICROS = TimeUnit.MINUTES.toMicros(10);

    private final ConnectionFactory factory;
    private final int messages;
    private final String run = UUID.randomUUID().toString();
    private final Histogram confirmMicros = new ConcurrentHistogram(LATENCY_MAX_MICROS, 3);
    private final Histogram deliverMicros = new ConcurrentHistogram(LATENCY_MAX_MICROS, 3);
    private final AtomicLong confirmed = new AtomicLong();
    private final AtomicLong received = new AtomicLong();
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private final CountDownLatch allConfirmed;
    private final CountDownLatch allReceived;
    private volatile long lastConfirmedNanos;
    private volatile long lastReceivedNanos;

    private QuickStart(ConnectionFactory factory, int messages) {
        this.factory = factory;
        this.messages = messages;
        allConfirmed = new CountDownLatch(messages);
        allReceived = new CountDownLatch(messages);
    }

    /** @param args the server's URL (default: a node on this machine) and the number of messages (default 100,000) */
    public static void main(String[] args) throws Exception {
        int messages = args.length > 1 ? Integer.parseInt(args[1]) : 100_000;
        new QuickStart(new DuramenConnectionFactory(ServerUrl.from(args)), messages).go();
    }

    private void go() throws Exception {
        System.out.printf("Sending and receiving %,d persistent messages of %,d bytes%n", messages, BODY_BYTES);
        List<Connection> connections = new ArrayList<>();
        try {
            for (int i = 0; i < LISTENERS; i++) {
                connections.add(listen());
            }
            long startNanos = System.nanoTime();
            for (int i = 0; i < SENDERS; i++) {
                Connection connection = factory.createConnection();
                connections.add(connection);
                int share = messages / SENDERS + (i < messages % SENDERS ? 1 : 0);
                Thread sender = new Thread(() -> send(connection, share), "sender-" + i);
                sender.setDaemon(true);
                sender.start();
            }
            awaitAll();
            report(startNanos);
        } finally {
            for (Connection connection : connections) {
                connection.close();
            }
        }
    }

    private Connection listen() throws JMSException {
        Connection connection = factory.createConnection();
        Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
        session.createConsumer(session.createQueue(QUEUE)).setMessageListener(this::onMessage);
        connection.start();
        return connection;
    }

    private void onMessage(Message message) {
        long nowNanos = System.nanoTime();
        try {
            if (!run.equals(message.getStringProperty(RUN))) {
                return; // left over from a run that was broken off
            }
            deliverMicros.recordValue(micros(nowNanos - message.getLongProperty(SENT_NANOS)));
        } catch (JMSException e) {
            failure.compareAndSet(null, e);
        }
        lastReceivedNanos = nowNanos;
        received.incrementAndGet();
        allReceived.countDown();
    }

    private void send(Connection connection, int share) {
        byte[] body = new byte[BODY_BYTES];
        Semaphore inFlight = new Semaphore(IN_FLIGHT);
        try {
            Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            MessageProducer producer = session.createProducer(session.createQueue(QUEUE));
            for (int i = 0; i < share && failure.get() == null; i++) {
                inFlight.acquire();
                BytesMessage message = session.createBytesMessage();
                message.writeBytes(body);
                message.setStringProperty(RUN, run);
                long sentNanos = System.nanoTime();
                message.setLongProperty(SENT_NANOS, sentNanos);
                producer.send(message, new Confirmation(inFlight, sentNanos));
            }
        } catch (JMSException e) {
            failure.compareAndSet(null, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Hears that one message is stored. Called by the connection's own thread. */
    private final class Confirmation implements CompletionListener {
        private final Semaphore inFlight;
        private final long sentNanos;

        Confirmation(Semaphore inFlight, long sentNanos) {
            this.inFlight = inFlight;
            this.sentNanos = sentNanos;
        }

        @Override
        public void onCompletion(Message message) {
            lastConfirmedNanos = System.nanoTime();
            confirmMicros.recordValue(micros(lastConfirmedNanos - sentNanos));
            confirmed.incrementAndGet();
            inFlight.release();
            allConfirmed.countDown();
        }

        @Override
        public void onException(Message message, Exception exception) {
            failure.compareAndSet(null, exception);
            inFlight.release();
        }
    }

    private void awaitAll() throws Exception {
        ProgressBar bar = new ProgressBar(messages);
        long before = -1;
        long progressNanos = System.nanoTime();
        while (!allReceived.await(200, TimeUnit.MILLISECONDS) || !allConfirmed.await(0, TimeUnit.MILLISECONDS)) {
            long now = confirmed.get() + received.get();
            if (now != before) {
                before = now;
                progressNanos = System.nanoTime();
            }
            if (failure.get() != null) {
                throw failure.get();
            }
            if (System.nanoTime() - progressNanos > TimeUnit.SECONDS.toNanos(STALL_SECONDS)) {
                throw new IllegalStateException("nothing moved for " + STALL_SECONDS + " s: " + confirmed
                        + " confirmed, " + received + " received of " + messages);
            }
            bar.show(confirmed.get(), received.get());
        }
        bar.show(confirmed.get(), received.get());
        bar.end();
        if (failure.get() != null) {
            throw failure.get();
        }
    }

    private void report(long startNanos) {
        System.out.printf("stored    %,9.0f messages/s%n", rate(lastConfirmedNanos - startNanos));
        System.out.printf("received  %,9.0f messages/s%n", rate(lastReceivedNanos - startNanos));
        System.out.println("latency in ms                     p50       p90       p99     p99.9       max");
        print("send to stored on disk", confirmMicros);
        print("send to received", deliverMicros);
        System.out.println(
                "(with as many messages on their way as the senders are allowed: mostly the time in the queue)");
    }

    private double rate(long nanos) {
        return messages * 1e9 / nanos;
    }

    private static void print(String what, Histogram micros) {
        System.out.printf(
                "  %-24s %9.2f %9.2f %9.2f %9.2f %9.2f%n",
                what,
                micros.getValueAtPercentile(50) / 1e3,
                micros.getValueAtPercentile(90) / 1e3,
                micros.getValueAtPercentile(99) / 1e3,
                micros.getValueAtPercentile(99.9) / 1e3,
                micros.getMaxValue() / 1e3);
    }

    private static long micros(long nanos) {
        return Math.min(LATENCY_MAX_MICROS, Math.max(0, nanos / 1_000));
    }
}
