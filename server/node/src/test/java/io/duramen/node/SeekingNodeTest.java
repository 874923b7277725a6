package io.duramen.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.management.DestinationsMXBean;
import io.duramen.management.MessageRow;
import io.duramen.management.MessagesMXBean;
import io.duramen.management.SubscriptionsMXBean;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A topic of several partitions in a node of three shards keeps what is settled; its subscriptions go back by JMX. */
@Timeout(120)
class SeekingNodeTest {
    private static final int MESSAGES = 12;
    private static final long PATIENCE_MILLIS = 20_000;

    private final String name = "n" + UUID.randomUUID();
    private final AuditTrail audit = new AuditTrail(name);
    private Duramen node;
    private Connection connection;
    private JmxConsole console;
    private DestinationsMXBean destinations;
    private SubscriptionsMXBean subscriptions;

    /** When each message was sent, by its number. */
    private final List<Instant> sent = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        node = TestNodes.quick()
                .setting("node.name", name)
                .setting("log.shards", "3")
                .start();
        connection = new DuramenConnectionFactory(node.url()).createConnection();
        connection.start();
        console = new JmxConsole(name);
        destinations = console.of(DestinationsMXBean.class);
        subscriptions = console.of(SubscriptionsMXBean.class);
        destinations.create("news", "TOPIC", 3);
        try (Session session = connection.createSession()) {
            session.createSharedDurableConsumer(session.createTopic("news"), "archive")
                    .close();
            session.createSharedDurableConsumer(session.createTopic("news"), "other")
                    .close();
        }
    }

    @AfterEach
    void stop() throws Exception {
        audit.close();
        console.close();
        connection.close();
        node.close();
    }

    /** Each by a session of its own, so that all partitions get some. */
    private void sendAll() throws Exception {
        for (int i = 0; i < MESSAGES; i++) {
            try (Session session = connection.createSession();
                    MessageProducer producer = session.createProducer(session.createTopic("news"))) {
                Message message = session.createTextMessage("m" + i);
                Instant before = sent.isEmpty() ? Instant.EPOCH : sent.get(i - 1);
                await().until(() -> Instant.now().isAfter(before.plusMillis(5)));
                producer.send(message);
                sent.add(Instant.ofEpochMilli(message.getJMSTimestamp()));
            }
        }
    }

    private List<String> take(String subscription, int count) throws JMSException {
        List<String> texts = new ArrayList<>();
        try (Session session = connection.createSession();
                MessageConsumer consumer =
                        session.createSharedDurableConsumer(session.createTopic("news"), subscription)) {
            while (texts.size() < count) {
                Message message = consumer.receive(PATIENCE_MILLIS);
                assertThat(message).as("after %s", texts).isNotNull();
                assertThat(message.getJMSRedelivered()).isFalse();
                texts.add(message.getBody(String.class));
            }
            assertThat(consumer.receiveNoWait()).isNull();
        }
        return texts;
    }

    private static List<String> from(int first) {
        return IntStream.range(first, MESSAGES).mapToObj(i -> "m" + i).toList();
    }

    private void comesAgain(int first) throws JMSException {
        assertThat(take("archive", MESSAGES - first)).containsExactlyInAnyOrderElementsOf(from(first));
    }

    @Test
    void shouldGoBackToATimeOrAllThatIsKept() throws Exception {
        destinations.change("news", "keep:1d");
        sendAll();
        comesAgain(0);
        take("other", MESSAGES);
        assertThat(subscriptions.seek("", "archive", sent.get(5).toString()).done())
                .isEqualTo(MESSAGES - 5);
        audit.has("seek of subscription 'archive' of client id '' to " + sent.get(5), "done=7");
        comesAgain(5);
        assertThat(subscriptions.seek("", "archive", "earliest").done()).isEqualTo(MESSAGES);
        comesAgain(0);
        assertThat(subscriptions.seek("", "archive", "2001-01-01T00:00:00Z").done())
                .isEqualTo(MESSAGES);
        subscriptions.seek("", "archive", "latest");
        take("archive", 0);
        take("other", 0);
    }

    @Test
    void shouldGiveAQueueAgainWhatItKeeps() throws Exception {
        destinations.create("orders", "QUEUE", 3);
        destinations.change("orders", "keep:1d");
        for (int i = 0; i < MESSAGES; i++) {
            try (Session session = connection.createSession()) {
                session.createProducer(session.createQueue("orders")).send(session.createTextMessage("m" + i));
            }
        }
        for (int times = 0; times < 3; times++) {
            try (Session session = connection.createSession();
                    MessageConsumer consumer = session.createConsumer(session.createQueue("orders"))) {
                List<String> texts = new ArrayList<>();
                for (int i = 0; i < MESSAGES; i++) {
                    Message message = consumer.receive(PATIENCE_MILLIS);
                    assertThat(message).as("time %d after %s", times, texts).isNotNull();
                    texts.add(message.getBody(String.class));
                }
                assertThat(texts).containsExactlyInAnyOrderElementsOf(from(0));
                assertThatThrownBy(() -> destinations.seek("orders", "earliest"))
                        .hasMessageContaining("queue 'orders' has consumers");
            }
            assertThat(destinations.seek("orders", "earliest").done()).isEqualTo(MESSAGES);
            audit.has("seek of queue 'orders' to earliest", "done=12");
        }
    }

    @Test
    void shouldGoBackToAMessageOfAPartition() throws Exception {
        destinations.change("news", "keep-size:1GiB");
        sendAll();
        comesAgain(0);
        subscriptions.seek("", "archive", "earliest");
        MessagesMXBean messages = console.of(MessagesMXBean.class);
        List<MessageRow> rows =
                messages.browseSubscription("", "archive", "", "", MESSAGES).rows();
        comesAgain(0);
        String last = rows.get(rows.size() - 1).id();
        assertThat(subscriptions.seek("", "archive", last).done()).isEqualTo(1);
        assertThat(take("archive", 1)).containsExactly(rows.get(rows.size() - 1).preview());
        String none = last.replaceFirst(":.*", ":99");
        assertThatThrownBy(() -> subscriptions.seek("", "archive", none))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is not there yet: the next will be");
    }

    @Test
    void shouldRefuseToGoBackToWhatIsNotKeptOrWhileItIsConsumed() throws Exception {
        sendAll();
        comesAgain(0);
        assertThat(subscriptions.seek("", "archive", "earliest").done()).isZero();
        take("archive", 0);
        destinations.change("news", "keep:1h");
        // The other has not settled anything, so all is there.
        assertThat(subscriptions.seek("", "archive", "earliest").done()).isEqualTo(MESSAGES);
        try (Session session = connection.createSession();
                MessageConsumer consumer =
                        session.createSharedDurableConsumer(session.createTopic("news"), "archive")) {
            assertThat(consumer.receive(PATIENCE_MILLIS)).isNotNull();
            assertThatThrownBy(() -> subscriptions.seek("", "archive", "earliest"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("subscription 'archive' has consumers");
        }
    }
}
