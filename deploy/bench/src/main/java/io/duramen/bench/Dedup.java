package io.duramen.bench;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.session.DuramenConnection;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Fills the window of a queue with dedup ids, and measures what they cost a send: the same messages with a new id each and
 * without any, in turns on one node, so that what disturbs one disturbs the other. Four threads and connections; what they
 * share is thread-safe.
 */
public final class Dedup {
    private static final String FULL = "bench.dedup";
    private static final String PLAIN = "bench.plain";
    private static final int CLIENTS = 4;
    private static final int IN_FLIGHT = 512;
    private static final int STEPS = 10;
    private static final int SLICES = 12;

    private final DuramenConnectionFactory factory;
    private final ServerMemory memory;
    private final ProcessHandle node;
    private final AtomicLong nextId = new AtomicLong();
    private final AtomicReference<Exception> failure = new AtomicReference<>();

    private Dedup(String url, long pid) {
        factory = new DuramenConnectionFactory(url);
        memory = new ServerMemory(pid);
        node = ProcessHandle.of(pid).orElseThrow();
    }

    /** @param args {@code fill URL SERVER-PID FROM TO | compare URL SERVER-PID SECONDS IDS BODY-BYTES} */
    public static void main(String[] args) throws Exception {
        Dedup dedup = new Dedup(args[1], Long.parseLong(args[2]));
        if (args[0].equals("fill")) {
            dedup.fill(Long.parseLong(args[3]), Long.parseLong(args[4]));
        } else {
            dedup.compare(Integer.parseInt(args[3]), Long.parseLong(args[4]), Integer.parseInt(args[5]));
        }
    }

    private void fill(long from, long to) throws Exception {
        nextId.set(from);
        for (int step = 1; step <= STEPS; step++) {
            long until = from + (to - from) * step / STEPS;
            long startNanos = System.nanoTime();
            long start = nextId.get();
            send(true, 16, () -> nextId.get() < until);
            System.out.printf(
                    "%,12d ids   %,9.0f messages/s   %s%n",
                    nextId.get(), (nextId.get() - start) * 1e9 / (System.nanoTime() - startNanos), memory.describe());
        }
    }

    private void compare(int seconds, long ids, int bodyBytes) throws Exception {
        // News, whatever was sent to this data before.
        nextId.set(ids * ThreadLocalRandom.current().nextLong(2, 50));
        long sliceNanos = TimeUnit.SECONDS.toNanos(seconds) / SLICES;
        requireFull(ids);
        slice(true, sliceNanos, bodyBytes);
        slice(false, sliceNanos, bodyBytes);
        Slice with = Slice.NONE;
        Slice without = Slice.NONE;
        for (int slice = 0; slice < SLICES - 2; slice += 2) {
            Slice one = slice(true, sliceNanos, bodyBytes);
            Slice other = slice(false, sliceNanos, bodyBytes);
            System.out.printf(
                    "with ids %,9.0f   without %,9.0f messages/s   %s%n", one.rate(), other.rate(), memory.describe());
            with = with.and(one);
            without = without.and(other);
        }
        System.out.printf("ratio with/without %.2f%n", with.rate() / without.rate());
        System.out.printf(
                "CPU of a send, us: node %.2f with ids, %.2f without; client %.2f, %.2f; ratio without/with %.2f%n",
                with.micros(with.nodeNanos),
                without.micros(without.nodeNanos),
                with.micros(with.clientNanos),
                without.micros(without.clientNanos),
                without.micros(without.nodeNanos + without.clientNanos)
                        / with.micros(with.nodeNanos + with.clientNanos));
    }

    /** What was sent in a time, and the CPU time of both ends. */
    private record Slice(long sent, long nanos, long nodeNanos, long clientNanos) {
        static final Slice NONE = new Slice(0, 0, 0, 0);

        Slice and(Slice other) {
            return new Slice(
                    sent + other.sent,
                    nanos + other.nanos,
                    nodeNanos + other.nodeNanos,
                    clientNanos + other.clientNanos);
        }

        double rate() {
            return sent * 1e9 / nanos;
        }

        double micros(long cpuNanos) {
            return cpuNanos / 1e3 / sent;
        }
    }

    /** The last of the window are known, so that it is what it is said to be. */
    private void requireFull(long ids) throws JMSException {
        try (DuramenConnection connection = (DuramenConnection) factory.createConnection()) {
            Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            Queue queue = session.createQueue(FULL);
            int known = 0;
            for (int i = 0; i < 1000; i++) {
                known += connection.whenStored(queue, id(ids * i / 1000)).isPresent() ? 1 : 0;
            }
            System.out.printf("of 1,000 ids over the whole window %,d are known%n", known);
        }
    }

    private Slice slice(boolean withIds, long nanos, int bodyBytes) throws Exception {
        long nodeNanos = cpuNanos(node);
        long clientNanos = cpuNanos(ProcessHandle.current());
        long startNanos = System.nanoTime();
        long sent = send(withIds, bodyBytes, () -> System.nanoTime() - startNanos < nanos);
        return new Slice(
                sent,
                System.nanoTime() - startNanos,
                cpuNanos(node) - nodeNanos,
                cpuNanos(ProcessHandle.current()) - clientNanos);
    }

    private static long cpuNanos(ProcessHandle process) {
        return process.info().totalCpuDuration().orElseThrow().toNanos();
    }

    private static String id(long number) {
        return "order-" + number;
    }

    private interface GoOn {
        boolean is();
    }

    private long send(boolean withIds, int bodyBytes, GoOn goOn) throws Exception {
        AtomicLong sent = new AtomicLong();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            Thread thread = new Thread(() -> sent.addAndGet(sendAlone(withIds, bodyBytes, goOn)), "producer-" + i);
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        if (failure.get() != null) {
            throw failure.get();
        }
        return sent.get();
    }

    private long sendAlone(boolean withIds, int bodyBytes, GoOn goOn) {
        long sent = 0;
        Semaphore room = new Semaphore(IN_FLIGHT);
        CompletionListener confirmation = new Confirmation(room);
        String body = "x".repeat(bodyBytes);
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            MessageProducer producer = session.createProducer(session.createQueue(withIds ? FULL : PLAIN));
            while (goOn.is() && failure.get() == null) {
                room.acquire();
                Message message = session.createTextMessage(body);
                // The same text in both: what is measured is what the node does with an id.
                message.setStringProperty(
                        withIds ? "JMS_Duramen_DedupId" : "JMS_Duramen_Ordinary", id(nextId.getAndIncrement()));
                producer.send(message, confirmation);
                sent++;
            }
            room.acquire(IN_FLIGHT);
        } catch (JMSException e) {
            failure.compareAndSet(null, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return sent;
    }

    private final class Confirmation implements CompletionListener {
        private final Semaphore room;

        Confirmation(Semaphore room) {
            this.room = room;
        }

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
