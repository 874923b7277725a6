package io.duramen.examples;

import io.duramen.jms.DuramenConnectionFactory;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Two consumers share a queue, and the steps of each order stay in their order: a message group goes to one consumer at a time.
 * Each consumer's listener runs on a thread of its own.
 *
 * <p>A group moves to another consumer when its consumer leaves, stalls, or others join; never while one of its messages is in
 * hand.
 */
public final class MessageGroupExample {
    private static final List<String> STEPS = List.of("placed", "paid", "shipped");
    private static final int ORDERS = 6;
    private static final long PATIENCE_SECONDS = 10;

    private final Map<String, List<String>> steps = new ConcurrentSkipListMap<>();
    private final Map<String, Set<Thread>> servers = new ConcurrentHashMap<>();
    private final CountDownLatch left = new CountDownLatch(STEPS.size() * ORDERS);

    private MessageGroupExample() {}

    /** @param args the server's URL, or nothing for a node on this machine */
    public static void main(String[] args) throws Exception {
        new MessageGroupExample().go(new DuramenConnectionFactory(ServerUrl.from(args)));
    }

    private void go(ConnectionFactory factory) throws InterruptedException {
        try (JMSContext first = factory.createContext();
                JMSContext second = first.createContext(JMSContext.AUTO_ACKNOWLEDGE)) {
            Queue queue = first.createQueue("examples.steps");
            for (JMSContext each : List.of(first, second)) {
                each.createConsumer(queue).setMessageListener(this::onStep);
            }
            try (JMSContext sender = factory.createContext()) {
                for (String step : STEPS) {
                    for (int order = 1; order <= ORDERS; order++) {
                        sender.createProducer()
                                .setProperty("JMSXGroupID", "order " + order)
                                .send(queue, step);
                    }
                }
            }
            if (!left.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException(left.getCount() + " steps did not come");
            }
        }
        new TreeMap<>(steps).forEach((order, done) -> System.out.println(order + ": " + String.join(", ", done)));
        System.out.println(
                "each by one consumer: " + servers.values().stream().allMatch(threads -> threads.size() == 1));
    }

    private void onStep(Message message) {
        try {
            String order = message.getStringProperty("JMSXGroupID");
            steps.computeIfAbsent(order, each -> new CopyOnWriteArrayList<>()).add(message.getBody(String.class));
            servers.computeIfAbsent(order, each -> ConcurrentHashMap.newKeySet())
                    .add(Thread.currentThread());
            left.countDown();
        } catch (JMSException e) {
            throw new JMSRuntimeException("cannot read a step", e.getErrorCode(), e);
        }
    }
}
