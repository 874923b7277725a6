package io.duramen.frameworks;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.jms.DuramenConnectionFactory;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.QueueBrowser;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jms.connection.CachingConnectionFactory;
import org.springframework.jms.connection.JmsTransactionManager;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.jms.listener.DefaultMessageListenerContainer;

/** Spring's listener container, at each of its cache levels. */
class SpringListenerTest extends AgainstANode {
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

    private static DefaultMessageListenerContainer container(ConnectionFactory factory, String queue, int cacheLevel) {
        DefaultMessageListenerContainer container = new DefaultMessageListenerContainer();
        container.setConnectionFactory(factory);
        container.setDestinationName(queue);
        container.setCacheLevel(cacheLevel);
        container.setReceiveTimeout(200);
        container.setRecoveryInterval(100);
        return container;
    }

    private static void run(DefaultMessageListenerContainer container) {
        container.afterPropertiesSet();
        container.start();
    }

    private void send(ConnectionFactory factory, int from, int to) {
        CachingConnectionFactory cached = new CachingConnectionFactory(factory);
        JmsTemplate template = new JmsTemplate(cached);
        for (int i = from; i < to; i++) {
            template.convertAndSend("orders", "m" + i);
        }
        cached.destroy();
    }

    private String heard() throws InterruptedException {
        return heard.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** What was heard last may come again as long as the node was not told of it. */
    private void awaitSettled(String queue) throws JMSException {
        try (JMSContext context = factory("").createContext()) {
            boolean settled = false;
            while (!settled) {
                try (QueueBrowser browser = context.createBrowser(context.createQueue(queue))) {
                    settled = !browser.getEnumeration().hasMoreElements();
                }
            }
        }
    }

    private static String told(Message message) {
        try {
            return message.getBody(String.class) + "/" + message.getIntProperty("JMSXDeliveryCount");
        } catch (JMSException e) {
            return e.toString();
        }
    }

    /** CACHE_NONE makes connection, session and consumer for each receive: what was sent ahead goes back uncounted. */
    @ParameterizedTest
    @ValueSource(
            ints = {
                DefaultMessageListenerContainer.CACHE_NONE,
                DefaultMessageListenerContainer.CACHE_CONNECTION,
                DefaultMessageListenerContainer.CACHE_SESSION,
                DefaultMessageListenerContainer.CACHE_CONSUMER
            })
    void shouldHearEachMessageOnceAndInOrderAtEveryCacheLevel(int cacheLevel) throws Exception {
        DuramenConnectionFactory factory = factory();
        send(factory, 0, 20);
        DefaultMessageListenerContainer container = container(factory, "orders", cacheLevel);
        container.setMessageListener((jakarta.jms.MessageListener) message -> heard.add(told(message)));
        run(container);
        for (int i = 0; i < 20; i++) {
            assertThat(heard()).isEqualTo("m" + i + "/1");
        }
        container.shutdown();
        assertThat(heard).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {DefaultMessageListenerContainer.CACHE_NONE, DefaultMessageListenerContainer.CACHE_CONSUMER})
    void shouldHearAgainWhatARolledBackTransactionHeard(int cacheLevel) throws Exception {
        DuramenConnectionFactory factory = factory();
        send(factory, 0, 3);
        DefaultMessageListenerContainer container = container(factory, "orders", cacheLevel);
        container.setSessionTransacted(true);
        container.setMessageListener((jakarta.jms.MessageListener) message -> {
            String told = told(message);
            heard.add(told);
            if (told.equals("m1/1")) {
                throw new IllegalStateException("on purpose");
            }
        });
        run(container);
        for (String expected : new String[] {"m0/1", "m1/1", "m1/2", "m2/1"}) {
            assertThat(heard()).isEqualTo(expected);
        }
        container.shutdown();
    }

    @Test
    void shouldHearAndSendInOneTransactionOfATransactionManager() throws Exception {
        DuramenConnectionFactory factory = factory();
        send(factory, 0, 2);
        DefaultMessageListenerContainer container =
                container(factory, "orders", DefaultMessageListenerContainer.CACHE_AUTO);
        container.setTransactionManager(new JmsTransactionManager(factory));
        JmsTemplate template = new JmsTemplate(factory);
        template.setSessionTransacted(true);
        container.setMessageListener((jakarta.jms.MessageListener) message -> {
            String told = told(message);
            template.convertAndSend("bills", told);
            if (told.equals("m0/1")) {
                throw new IllegalStateException("on purpose");
            }
        });
        run(container);
        JmsTemplate reading = new JmsTemplate(factory);
        reading.setReceiveTimeout(PATIENCE_MILLIS);
        assertThat(reading.receiveAndConvert("bills")).isEqualTo("m0/2");
        assertThat(reading.receiveAndConvert("bills")).isEqualTo("m1/1");
        container.shutdown();
    }

    @Test
    void shouldHearWithManyThreadsAtOnceAndEachMessageOnce() throws Exception {
        DuramenConnectionFactory factory = factory();
        DefaultMessageListenerContainer container =
                container(factory, "orders", DefaultMessageListenerContainer.CACHE_CONSUMER);
        container.setConcurrentConsumers(4);
        CyclicBarrier together = new CyclicBarrier(4);
        Set<String> threads = ConcurrentHashMap.newKeySet();
        container.setMessageListener((jakarta.jms.MessageListener) message -> {
            try {
                if (threads.add(Thread.currentThread().getName())) {
                    together.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
                }
            } catch (Exception e) {
                heard.add(e.toString());
            }
            heard.add(told(message));
        });
        run(container);
        send(factory, 0, 200);
        TreeSet<String> all = new TreeSet<>();
        for (int i = 0; i < 200; i++) {
            all.add(heard());
        }
        assertThat(all).hasSize(200).allMatch(told -> told.endsWith("/1"));
        assertThat(threads).hasSize(4);
        container.shutdown();
    }

    @Test
    void shouldGoOnHearingWhenTheNodeWasRestarted() throws Exception {
        DuramenConnectionFactory factory = factory("reconnect=false");
        DefaultMessageListenerContainer container =
                container(factory, "orders", DefaultMessageListenerContainer.CACHE_CONSUMER);
        container.setMessageListener((jakarta.jms.MessageListener) message -> heard.add(told(message)));
        run(container);
        send(factory, 0, 1);
        assertThat(heard()).isEqualTo("m0/1");
        awaitSettled("orders");
        restartNode();
        send(factory, 1, 2);
        assertThat(heard()).startsWith("m1/");
        container.shutdown();
    }

    private DefaultMessageListenerContainer readers(DuramenConnectionFactory factory) {
        DefaultMessageListenerContainer container =
                container(factory, "news", DefaultMessageListenerContainer.CACHE_CONSUMER);
        container.setPubSubDomain(true);
        container.setSubscriptionShared(true);
        container.setSubscriptionDurable(true);
        container.setSubscriptionName("readers");
        container.setConcurrentConsumers(2);
        container.setMessageListener((jakarta.jms.MessageListener) message -> heard.add(told(message)));
        return container;
    }

    @Test
    void shouldHearATopicThroughASharedDurableSubscription() throws Exception {
        DuramenConnectionFactory factory = factory();
        try (JMSContext context = factory.createContext()) {
            context.createSharedDurableConsumer(context.createTopic("news"), "readers")
                    .close();
        }
        JmsTemplate template = new JmsTemplate(factory);
        template.setPubSubDomain(true);
        DefaultMessageListenerContainer first = readers(factory);
        run(first);
        template.convertAndSend("news", "while there");
        assertThat(heard()).isEqualTo("while there/1");
        first.shutdown();
        template.convertAndSend("news", "while away");
        DefaultMessageListenerContainer second = readers(factory);
        run(second);
        assertThat(heard()).isEqualTo("while away/1");
        second.shutdown();
    }
}
