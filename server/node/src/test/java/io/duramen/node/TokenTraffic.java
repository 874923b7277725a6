package io.duramen.node;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Queue;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** Clients of a test cluster, whose messages m100, m101 and so on go over all partitions. */
final class TokenTraffic {
    static final long RECEIVE_MILLIS = 20_000;

    private final TestCluster cluster;

    TokenTraffic(TestCluster cluster) {
        this.cluster = cluster;
    }

    void send(String queue, int from, int to) {
        try (JMSContext context = cluster.factory().createContext()) {
            send(context, queue, from, to);
        }
    }

    /** Each of a group of its own, so that every partition gets some. */
    static void send(JMSContext context, String queue, int from, int to) {
        Queue destination = context.createQueue(queue);
        IntStream.range(from, to)
                .forEach(i -> context.createProducer()
                        .setProperty("JMSXGroupID", "g" + i)
                        .send(destination, "m" + (100 + i)));
    }

    /** In one transaction, over all shards. */
    void move(String from, String to, int count) {
        try (JMSContext context = cluster.factory().createContext(JMSContext.SESSION_TRANSACTED)) {
            moveUncommitted(context, from, to, count);
            context.commit();
        }
    }

    static void moveUncommitted(JMSContext context, String from, String to, int count) {
        try (JMSConsumer consumer = context.createConsumer(context.createQueue(from))) {
            for (int i = 0; i < count; i++) {
                String text = consumer.receiveBody(String.class, RECEIVE_MILLIS);
                assertThat(text).as("message %d", i).isNotNull();
                context.createProducer().setProperty("JMSXGroupID", text).send(context.createQueue(to), text);
            }
        }
    }

    /**
     * Moves what is left in a queue.
     *
     * @param tokens that there are
     * @return the same
     */
    int moveRest(String from, String to, int tokens) {
        try (JMSContext context = cluster.factory().createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue(from))) {
            String text = consumer.receiveBody(String.class, 2_000);
            while (text != null) {
                context.createProducer().setProperty("JMSXGroupID", text).send(context.createQueue(to), text);
                text = consumer.receiveBody(String.class, 2_000);
            }
        }
        return tokens;
    }

    /** So many messages, each another. */
    void requireCount(String queue, int count) {
        TreeSet<String> texts = new TreeSet<>();
        try (JMSContext context = cluster.factory().createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue(queue))) {
            for (int i = 0; i < count; i++) {
                String text = consumer.receiveBody(String.class, RECEIVE_MILLIS);
                assertThat(text).as("message %d", i).isNotNull();
                texts.add(text);
            }
            assertThat(consumer.receiveNoWait()).isNull();
        }
        assertThat(texts).hasSize(count);
    }

    void requireExactly(String queue, int from, int to) {
        TreeSet<String> texts = new TreeSet<>();
        try (JMSContext context = cluster.factory().createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue(queue))) {
            for (int i = from; i < to; i++) {
                String text = consumer.receiveBody(String.class, RECEIVE_MILLIS);
                assertThat(text).as("message %d", i).isNotNull();
                texts.add(text);
            }
            assertThat(consumer.receiveNoWait()).isNull();
        }
        assertThat(texts)
                .containsExactlyElementsOf(
                        IntStream.range(from, to).mapToObj(i -> "m" + (100 + i)).toList());
    }
}
