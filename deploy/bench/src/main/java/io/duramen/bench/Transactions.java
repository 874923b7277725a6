package io.duramen.bench;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Sends transactions of ten messages each to any Jakarta Messaging server, and prints how many it commits a second and how
 * long a commit takes; then takes the messages out again, unmeasured. A thread and a connection for each producer, which
 * share nothing but the first failure.
 */
public final class Transactions {
    private static final int SENDS = 10;
    private static final int BODY_BYTES = 1024;
    private static final int DRAINERS = 4;
    private static final long DRAINED_MILLIS = 500;
    private static final int LATENCIES_MAX = 1 << 20;

    private final ConnectionFactory factory;
    private final int queues;
    private final boolean spread;
    private final AtomicReference<Exception> failure = new AtomicReference<>();

    private Transactions(ConnectionFactory factory, int queues, boolean spread) {
        this.factory = factory;
        this.queues = queues;
        this.spread = spread;
    }

    /** What one producer committed in the measured time, and how long each commit took. */
    private static final class Producing {
        private final long[] nanos = new long[LATENCIES_MAX];
        private int count;
    }

    /**
     * @param args {@code FACTORY-CLASS URL one|many QUEUES PRODUCERS WARM-UP-SECONDS SECONDS LABEL}: all sends of a transaction to
     *     the same queue, or one after the other to all
     */
    public static void main(String[] args) throws Exception {
        ConnectionFactory factory = (ConnectionFactory)
                Class.forName(args[0]).getConstructor(String.class).newInstance(args[1]);
        Transactions run = new Transactions(factory, Integer.parseInt(args[3]), args[2].equals("many"));
        long[] nanos = run.measure(Integer.parseInt(args[4]), Integer.parseInt(args[5]), Integer.parseInt(args[6]));
        Arrays.sort(nanos);
        System.out.printf(
                "%s %s %.1f %d %d%n",
                args[7], args[2], nanos.length / Double.parseDouble(args[6]), micros(nanos, 0.5), micros(nanos, 0.99));
        run.drain();
        run.requireNoFailure();
    }

    private static long micros(long[] sorted, double quantile) {
        return sorted.length == 0 ? 0 : TimeUnit.NANOSECONDS.toMicros(sorted[(int) (quantile * (sorted.length - 1))]);
    }

    private long[] measure(int producers, int warmUpSeconds, int seconds) throws Exception {
        long fromNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(warmUpSeconds);
        long toNanos = fromNanos + TimeUnit.SECONDS.toNanos(seconds);
        Thread[] threads = new Thread[producers];
        Producing[] all = new Producing[producers];
        for (int i = 0; i < producers; i++) {
            int number = i;
            all[i] = new Producing();
            threads[i] = new Thread(() -> produce(number, all[number], fromNanos, toNanos), "producer-" + i);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        requireNoFailure();
        return Arrays.stream(all)
                .flatMapToLong(one -> Arrays.stream(one.nanos, 0, one.count))
                .toArray();
    }

    private void requireNoFailure() throws Exception {
        if (failure.get() != null) {
            throw failure.get();
        }
    }

    private void produce(int number, Producing into, long fromNanos, long toNanos) {
        try (Connection connection = factory.createConnection()) {
            Session session = connection.createSession(Session.SESSION_TRANSACTED);
            MessageProducer producer = session.createProducer(null);
            Queue[] targets = new Queue[queues];
            for (int i = 0; i < queues; i++) {
                targets[i] = session.createQueue(queue(i));
            }
            byte[] body = new byte[BODY_BYTES];
            while (System.nanoTime() < toNanos) {
                for (int i = 0; i < SENDS; i++) {
                    BytesMessage message = session.createBytesMessage();
                    message.writeBytes(body);
                    producer.send(targets[(spread ? number + i : number) % queues], message);
                }
                long begun = System.nanoTime();
                session.commit();
                long ended = System.nanoTime();
                if (begun >= fromNanos && ended <= toNanos && into.count < LATENCIES_MAX) {
                    into.nanos[into.count++] = ended - begun;
                }
            }
        } catch (JMSException | RuntimeException e) {
            failure.compareAndSet(null, e);
        }
    }

    private static String queue(int number) {
        return "bench.transactions." + number;
    }

    private void drain() throws InterruptedException {
        Thread[] threads = new Thread[DRAINERS];
        for (int i = 0; i < DRAINERS; i++) {
            int number = i;
            threads[i] = new Thread(() -> drain(number), "drainer-" + i);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void drain(int number) {
        try (Connection connection = factory.createConnection()) {
            connection.start();
            Session session = connection.createSession(Session.DUPS_OK_ACKNOWLEDGE);
            for (int i = number; i < queues; i += DRAINERS) {
                try (MessageConsumer consumer = session.createConsumer(session.createQueue(queue(i)))) {
                    while (consumer.receive(DRAINED_MILLIS) != null) {
                        // Taken, and no more.
                    }
                }
            }
        } catch (JMSException | RuntimeException e) {
            failure.compareAndSet(null, e);
        }
    }
}
