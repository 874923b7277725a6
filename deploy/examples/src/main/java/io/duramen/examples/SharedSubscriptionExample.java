package io.duramen.examples;

import io.duramen.jms.DuramenConnectionFactory;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.Topic;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Several consumers of one subscription of a topic share its messages, and another subscription gets all of them as well. Each
 * listener runs on a thread of its own.
 *
 * <p>Both subscriptions are durable: they need no client id, keep what is published while nobody consumes from them, and last until
 * they are unsubscribed.
 */
public final class SharedSubscriptionExample {
    private static final int QUOTES = 10;
    private static final long PATIENCE_SECONDS = 10;

    private SharedSubscriptionExample() {}

    /** @param args the server's URL, or nothing for a node on this machine */
    public static void main(String[] args) throws InterruptedException {
        ConnectionFactory factory = new DuramenConnectionFactory(ServerUrl.from(args));
        AtomicInteger shared = new AtomicInteger();
        AtomicInteger archived = new AtomicInteger();
        CountDownLatch left = new CountDownLatch(2 * QUOTES);
        try (JMSContext context = factory.createContext()) {
            Topic quotes = context.createTopic("examples.quotes");
            try (JMSContext first = factory.createContext();
                    JMSContext second = factory.createContext();
                    JMSContext archive = factory.createContext()) {
                for (JMSContext worker : new JMSContext[] {first, second}) {
                    worker.createSharedDurableConsumer(quotes, "examples.workers")
                            .setMessageListener(quote -> {
                                shared.incrementAndGet();
                                left.countDown();
                            });
                }
                archive.createSharedDurableConsumer(quotes, "examples.archive").setMessageListener(quote -> {
                    archived.incrementAndGet();
                    left.countDown();
                });
                for (int i = 1; i <= QUOTES; i++) {
                    context.createProducer().send(quotes, "quote " + i);
                }
                if (!left.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                    throw new IllegalStateException(left.getCount() + " quotes did not come");
                }
            }
            System.out.println("two workers shared " + shared + " quotes");
            System.out.println("the archive had " + archived);
            context.unsubscribe("examples.workers");
            context.unsubscribe("examples.archive");
        }
    }
}
