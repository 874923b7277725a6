package io.duramen.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.jms.DuramenConnectionFactory;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node of three shards under a client; destinations whose names begin with "wide" have five partitions in them. */
class ShardsNodeTest {
    private static final int MESSAGES = 60;
    private static final long WAIT_MILLIS = 10_000;

    @TempDir
    private Path data;

    private Duramen node;

    @BeforeEach
    void start() throws IOException {
        node = builder(3).start();
    }

    private Duramen.Builder builder(int shards) {
        return TestNodes.quick()
                .dataDirectory(data)
                .setting("log.shards", Integer.toString(shards))
                .setting("broker.partitions-of", "wide*=5");
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private void restart() throws IOException {
        node.close();
        node = builder(3).start();
    }

    private static List<String> texts() {
        return IntStream.range(0, MESSAGES).mapToObj(i -> "m" + (100 + i)).toList();
    }

    /** Each of a group of its own, so that every partition gets some. */
    private void send(jakarta.jms.Destination to) {
        try (JMSContext context = node.connectionFactory().createContext()) {
            for (String text : texts()) {
                context.createProducer().setProperty("JMSXGroupID", text).send(to, text);
            }
        }
    }

    private static List<String> receiveAll(JMSConsumer consumer) {
        List<String> received = new ArrayList<>();
        for (int i = 0; i < MESSAGES; i++) {
            received.add(consumer.receiveBody(String.class, WAIT_MILLIS));
        }
        Collections.sort(received);
        return received;
    }

    @Test
    void shouldReceiveFromEveryShardWhateverIsSentAhead() throws JMSException {
        for (String prefetch : List.of("0", "1", "100")) {
            ConnectionFactory factory = new DuramenConnectionFactory(node.url() + "?prefetch=" + prefetch);
            try (JMSContext context = factory.createContext()) {
                Queue queue = context.createQueue("wide");
                send(queue);
                JMSConsumer consumer = context.createConsumer(queue);

                assertThat(receiveAll(consumer)).as("prefetch " + prefetch).isEqualTo(texts());
                assertThat(consumer.receiveNoWait()).as("prefetch " + prefetch).isNull();
            }
        }
    }

    @Test
    void shouldFindWhatIsThereWithoutWaiting() {
        try (JMSContext context = node.connectionFactory().createContext()) {
            Queue queue = context.createQueue("wide");
            send(queue);
            JMSConsumer consumer = context.createConsumer(queue);
            List<String> received = new ArrayList<>();
            for (Message next = consumer.receiveNoWait(); next != null; next = consumer.receiveNoWait()) {
                received.add(body(next));
            }
            Collections.sort(received);
            assertThat(received).isEqualTo(texts());
        }
    }

    private static String body(Message message) {
        try {
            return ((TextMessage) message).getText();
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldListenToEveryShard() throws InterruptedException {
        try (JMSContext context = node.connectionFactory().createContext()) {
            Queue queue = context.createQueue("wide");
            List<String> received = Collections.synchronizedList(new ArrayList<>());
            CountDownLatch all = new CountDownLatch(MESSAGES);
            context.createConsumer(queue).setMessageListener(message -> {
                received.add(body(message));
                all.countDown();
            });
            send(queue);

            assertThat(all.await(WAIT_MILLIS, TimeUnit.MILLISECONDS)).isTrue();
            assertThat(received).containsExactlyInAnyOrderElementsOf(texts());
        }
    }

    @Test
    void shouldRollBackAndCommitOverShards() throws IOException {
        try (JMSContext context = node.connectionFactory().createContext(JMSContext.SESSION_TRANSACTED)) {
            Queue from = context.createQueue("wide");
            Queue to = context.createQueue("wide.too");
            send(from);
            JMSConsumer consumer = context.createConsumer(from);
            for (String text : receiveAll(consumer)) {
                context.createProducer().setProperty("JMSXGroupID", text).send(to, text);
            }
            context.rollback();
            for (String text : receiveAll(consumer)) {
                context.createProducer().setProperty("JMSXGroupID", text).send(to, text);
            }
            context.commit();
            assertThat(consumer.receiveNoWait()).isNull();
        }
        restart();
        try (JMSContext context = node.connectionFactory().createContext()) {
            assertThat(context.createConsumer(context.createQueue("wide")).receiveNoWait())
                    .isNull();
            assertThat(receiveAll(context.createConsumer(context.createQueue("wide.too"))))
                    .isEqualTo(texts());
        }
    }

    @Test
    void shouldKeepTheOrderOfAProducerAndOfAGroup() throws JMSException {
        try (JMSContext context = node.connectionFactory().createContext()) {
            Queue queue = context.createQueue("wide");
            for (int i = 0; i < MESSAGES; i++) {
                context.createProducer().setProperty("JMSXGroupID", "g" + i % 7).send(queue, "" + (100 + i));
            }
            JMSConsumer consumer = context.createConsumer(queue);
            List<List<String>> byGroup = new ArrayList<>();
            IntStream.range(0, 7).forEach(group -> byGroup.add(new ArrayList<>()));
            for (int i = 0; i < MESSAGES; i++) {
                Message next = consumer.receive(WAIT_MILLIS);
                byGroup.get(Integer.parseInt(
                                next.getStringProperty("JMSXGroupID").substring(1)))
                        .add(body(next));
            }
            for (List<String> group : byGroup) {
                assertThat(group).isSorted();
            }
        }
    }

    @Test
    void shouldKeepDurableSubscriptionsAndDropThemWhenUnsubscribed() throws IOException {
        try (JMSContext context = node.connectionFactory().createContext()) {
            context.setClientID("me");
            Topic topic = context.createTopic("wide.news");
            context.createDurableConsumer(topic, "mine").close();
        }
        try (JMSContext context = node.connectionFactory().createContext()) {
            send(context.createTopic("wide.news"));
        }
        restart();
        try (JMSContext context = node.connectionFactory().createContext()) {
            context.setClientID("me");
            Topic topic = context.createTopic("wide.news");
            JMSConsumer consumer = context.createDurableConsumer(topic, "mine");
            assertThat(receiveAll(consumer)).isEqualTo(texts());
            assertThatThrownBy(() -> context.unsubscribe("mine")).hasMessageContaining("active");
            consumer.close();
            context.unsubscribe("mine");
            send(topic);
            assertThat(context.createDurableConsumer(topic, "mine").receiveNoWait())
                    .isNull();
        }
    }

    @Test
    void shouldGrowAtARestartAndRefuseToShrink() throws IOException {
        try (JMSContext context = node.connectionFactory().createContext()) {
            send(context.createQueue("wide"));
        }
        node.close();

        assertThatThrownBy(() -> builder(2).start())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("holds 3 shards")
                .hasMessageContaining("log.shards=3 or more");
        node = builder(5).start();

        try (JMSContext context = node.connectionFactory().createContext()) {
            assertThat(receiveAll(context.createConsumer(context.createQueue("wide"))))
                    .isEqualTo(texts());
        }
    }

    @Test
    void shouldGiveDestinationsFurtherPartitionsAtAStartAndTakeNoneAway() throws IOException {
        try (JMSContext context = node.connectionFactory().createContext()) {
            send(context.createQueue("wide"));
            send(context.createQueue("wider"));
        }
        node.close();
        node = builder(3).setting("broker.partitions-of", "wide=8,wide*=4").start();
        try (JMSContext context = node.connectionFactory().createContext()) {
            for (String name : List.of("wide", "wider")) {
                Queue queue = context.createQueue(name);
                JMSConsumer consumer = context.createConsumer(queue);
                assertThat(receiveAll(consumer)).isEqualTo(texts());
                send(queue);
                assertThat(receiveAll(consumer)).isEqualTo(texts());
            }
        }
    }
}
