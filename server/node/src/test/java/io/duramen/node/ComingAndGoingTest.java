package io.duramen.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.management.DestinationRow;
import io.duramen.management.DestinationsMXBean;
import io.duramen.management.ShardMXBean;
import io.duramen.management.SubscriptionsMXBean;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.Topic;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Temporary destinations and subscriptions that are not durable come and go for as long as a node runs: they leave nothing. */
@Timeout(120)
class ComingAndGoingTest {
    private static final long PATIENCE_MILLIS = 20_000;
    private static final int CONNECTIONS = 20;
    private static final int TIMES = 20;
    private static final int SEGMENTS_MAX = 6;

    @TempDir
    Path data;

    private final String name = "n" + UUID.randomUUID();
    private final String body = "x".repeat(4096);

    private void talk(Session session, MessageProducer to, MessageConsumer from) throws JMSException {
        to.send(session.createTextMessage(body));
        assertThat(from.receive(PATIENCE_MILLIS)).isNotNull();
        to.send(session.createTextMessage(body)); // nobody receives this one
    }

    private void comeAndGo(Connection connection) throws JMSException {
        Session session = connection.createSession();
        Topic news = session.createTopic("news");
        MessageProducer producer = session.createProducer(null);
        for (int i = 0; i < TIMES; i++) {
            TemporaryQueue queue = session.createTemporaryQueue();
            TemporaryTopic topic = session.createTemporaryTopic();
            try (MessageConsumer ofQueue = session.createConsumer(queue);
                    MessageConsumer ofTopic = session.createConsumer(topic);
                    MessageConsumer plain = session.createConsumer(news);
                    MessageConsumer shared = session.createSharedConsumer(news, "some")) {
                talk(session, session.createProducer(queue), ofQueue);
                talk(session, session.createProducer(topic), ofTopic);
                producer.send(news, session.createTextMessage(body));
                assertThat(plain.receive(PATIENCE_MILLIS)).isNotNull();
                assertThat(shared.receive(PATIENCE_MILLIS)).isNotNull();
                producer.send(news, session.createTextMessage(body));
            }
            if (i % 2 == 0) { // the others go with the connection
                queue.delete();
                topic.delete();
            }
        }
    }

    @Test
    void shouldLeaveNothingOnTheNode() throws Exception {
        try (Duramen node = TestNodes.embedded()
                        .dataDirectory(data)
                        .setting("log.shards", "1")
                        .setting("node.name", name)
                        .setting("log.segment-size", "256KiB")
                        .setting("log.spare-segments", "0")
                        .setting("metadata.snapshot-bytes", "64KiB")
                        .start();
                JmxConsole console = new JmxConsole(name)) {
            for (int i = 0; i < CONNECTIONS; i++) {
                try (Connection connection = new DuramenConnectionFactory(node.url()).createConnection()) {
                    connection.start();
                    comeAndGo(connection);
                }
            }
            DestinationsMXBean destinations = console.of(DestinationsMXBean.class);
            await().untilAsserted(
                            () -> assertThat(destinations.list("*", "", 10).rows())
                                    .extracting(DestinationRow::name)
                                    .containsExactly("news"));
            DestinationRow news = destinations.list("news", "", 10).rows().get(0);
            assertThat(news.subscriptions()).isZero();
            assertThat(news.consumers()).isZero();
            assertThat(console.of(SubscriptionsMXBean.class).list("*", 0, 10).rows())
                    .isEmpty();
            ShardMXBean shard = console.ofShard(ShardMXBean.class, 0);
            await().untilAsserted(() -> assertThat(shard.getLogSegments()).isLessThan(SEGMENTS_MAX));
        }
    }
}
