package io.duramen.examples;

import io.duramen.jms.DuramenConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * Sends numbered orders one after the other, while another connection receives them, and tells at the end whether
 * each that was confirmed came, in its order. Nodes of a cluster may die meanwhile: a send then takes longer, until
 * another node leads. It ends once there is a file of the name that is the second argument; without one, after ten seconds.
 */
public final class ClusterExample {
    private static final String NUMBER = "number";
    private static final long TEN_SECONDS_NANOS = 10_000_000_000L;
    private static final long PATIENCE_NANOS = 60_000_000_000L;
    private static final long WAIT_MILLIS = 500;

    private ClusterExample() {}

    public static void main(String[] arguments) throws Exception {
        long beganNanos = System.nanoTime();
        BooleanSupplier isOver = arguments.length > 1
                ? () -> Files.exists(Path.of(arguments[1]))
                : () -> System.nanoTime() - beganNanos >= TEN_SECONDS_NANOS;
        DuramenConnectionFactory factory = new DuramenConnectionFactory(ServerUrl.from(arguments));
        CompletableFuture<Integer> sent = CompletableFuture.supplyAsync(() -> send(factory, isOver));
        int received = receive(factory, sent);
        System.out.printf("%d orders were confirmed, %d received, each in its place%n", sent.get(), received);
    }

    private static int send(DuramenConnectionFactory factory, BooleanSupplier isOver) {
        int number = 0;
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession()) {
            Queue orders = session.createQueue("examples.cluster");
            MessageProducer producer = session.createProducer(orders);
            while (!isOver.getAsBoolean()) {
                Message order = session.createTextMessage("order " + number);
                order.setIntProperty(NUMBER, number);
                long beganNanos = System.nanoTime();
                producer.send(order); // Returns once a majority of the nodes has it on disk.
                number++;
                long tookMillis = (System.nanoTime() - beganNanos) / 1_000_000;
                if (tookMillis > 500) {
                    System.out.printf(
                            "order %d took %d ms: the leader was lost, and another took over%n",
                            number - 1, tookMillis);
                }
            }
            return number;
        } catch (JMSException e) {
            throw new IllegalStateException("order " + number + " was not confirmed", e);
        }
    }

    /** What was received and not acknowledged when a node died may come again, marked as redelivered. */
    private static int receive(DuramenConnectionFactory factory, CompletableFuture<Integer> sent) throws Exception {
        BitSet seen = new BitSet();
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession()) {
            connection.start();
            MessageConsumer consumer = session.createConsumer(session.createQueue("examples.cluster"));
            long lastNanos = System.nanoTime();
            while (!sent.isDone() || seen.cardinality() < sent.get()) {
                Message order = consumer.receive(WAIT_MILLIS);
                if (order == null && System.nanoTime() - lastNanos > PATIENCE_NANOS) {
                    throw new IllegalStateException("order " + seen.nextClearBit(0) + " did not come");
                } else if (order == null) {
                    continue;
                }
                lastNanos = System.nanoTime();
                int number = order.getIntProperty(NUMBER);
                if (number > seen.nextClearBit(0) || seen.get(number) && !order.getJMSRedelivered()) {
                    throw new IllegalStateException(
                            "order " + number + " came where " + seen.nextClearBit(0) + " was due");
                }
                seen.set(number);
            }
        }
        return seen.cardinality();
    }
}
