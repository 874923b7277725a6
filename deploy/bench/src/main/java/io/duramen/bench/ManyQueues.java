package io.duramen.bench;

import io.duramen.jms.DuramenConnectionFactory;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Sends to very many queues of two nodes in turns, of which one is managed and watched through JMX and the other is not: what that
 * costs a send. Four threads and connections; what they share is thread-safe.
 */
public final class ManyQueues {
    private static final int CLIENTS = 4;
    private static final int IN_FLIGHT = 512;
    private static final int PAIRS_MIN = 3;
    private static final int SLICE_SECONDS = 2;
    private static final int BODY_BYTES = 256;

    private final int queues;
    private final AtomicReference<Exception> failure = new AtomicReference<>();

    private ManyQueues(int queues) {
        this.queues = queues;
    }

    /** @param args {@code fill URL QUEUES | compare URL-WITH PID-WITH URL-WITHOUT PID-WITHOUT QUEUES SECONDS} */
    public static void main(String[] args) throws Exception {
        if (args[0].equals("fill")) {
            new ManyQueues(Integer.parseInt(args[2])).fill(args[1]);
        } else {
            new ManyQueues(Integer.parseInt(args[5]))
                    .compare(Server.of(args[1], args[2]), Server.of(args[3], args[4]), Integer.parseInt(args[6]));
        }
    }

    private void fill(String url) throws Exception {
        long startNanos = System.nanoTime();
        AtomicLong next = new AtomicLong();
        send(url, 1, next, () -> next.get() < queues);
        System.out.printf("%,d queues made in %.1f s%n", queues, (System.nanoTime() - startNanos) / 1e9);
    }

    private void compare(Server with, Server without, int seconds) throws Exception {
        slice(with);
        slice(without);
        Slice allWith = Slice.NONE;
        Slice allWithout = Slice.NONE;
        int pairs = Math.max(PAIRS_MIN, seconds / SLICE_SECONDS / 2);
        for (int pair = 0; pair < pairs; pair++) {
            boolean first = pair % 2 == 0;
            Slice one = slice(first ? with : without);
            Slice other = slice(first ? without : with);
            Slice pairWith = first ? one : other;
            Slice pairWithout = first ? other : one;
            allWith = allWith.and(pairWith);
            allWithout = allWithout.and(pairWithout);
            System.out.printf("with JMX %,9.0f   without %,9.0f messages/s%n", pairWith.rate(), pairWithout.rate());
        }
        System.out.printf("%,d queues: ratio with/without %.3f%n", queues, allWith.rate() / allWithout.rate());
        System.out.printf(
                "CPU of the node for a send, us: %.2f with, %.2f without; ratio without/with %.3f%n",
                allWith.micros(), allWithout.micros(), allWithout.micros() / allWith.micros());
    }

    private record Server(String url, ProcessHandle process) {
        static Server of(String url, String pid) {
            return new Server(url, ProcessHandle.of(Long.parseLong(pid)).orElseThrow());
        }

        long cpuNanos() {
            return process.info().totalCpuDuration().orElseThrow().toNanos();
        }
    }

    /** What was sent in a time, and the CPU time of the node. */
    private record Slice(long sent, long nanos, long cpuNanos) {
        static final Slice NONE = new Slice(0, 0, 0);

        Slice and(Slice other) {
            return new Slice(sent + other.sent, nanos + other.nanos, cpuNanos + other.cpuNanos);
        }

        double rate() {
            return sent * 1e9 / nanos;
        }

        double micros() {
            return cpuNanos / 1e3 / sent;
        }
    }

    private Slice slice(Server server) throws Exception {
        long cpuNanos = server.cpuNanos();
        long startNanos = System.nanoTime();
        long endNanos = startNanos + TimeUnit.SECONDS.toNanos(SLICE_SECONDS);
        AtomicLong next = new AtomicLong();
        send(server.url, BODY_BYTES, next, () -> System.nanoTime() - endNanos < 0);
        return new Slice(next.get(), System.nanoTime() - startNanos, server.cpuNanos() - cpuNanos);
    }

    private interface GoOn {
        boolean is();
    }

    private void send(String url, int bodyBytes, AtomicLong next, GoOn goOn) throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            Thread thread = new Thread(() -> sendAlone(url, bodyBytes, next, goOn), "producer-" + i);
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        if (failure.get() != null) {
            throw failure.get();
        }
    }

    private void sendAlone(String url, int bodyBytes, AtomicLong next, GoOn goOn) {
        Semaphore room = new Semaphore(IN_FLIGHT);
        CompletionListener confirmation = new Confirmation(room);
        String body = "x".repeat(bodyBytes);
        try (Connection connection = new DuramenConnectionFactory(url).createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                MessageProducer producer = session.createProducer(null)) {
            while (goOn.is() && failure.get() == null) {
                room.acquire();
                Queue queue = session.createQueue("bench.many." + next.getAndIncrement() % queues);
                producer.send(queue, session.createTextMessage(body), confirmation);
            }
            room.acquire(IN_FLIGHT);
        } catch (JMSException e) {
            failure.compareAndSet(null, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
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
