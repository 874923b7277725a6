package io.duramen.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.management.AlertRow;
import io.duramen.management.AlertsMXBean;
import io.duramen.management.DestinationsMXBean;
import io.duramen.management.SettingRow;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients of a node whose queue is full: refused, or held up there and nowhere else, and let go as it empties. */
@Timeout(120)
class FullQueueNodeTest {
    private static final long PATIENCE_MILLIS = 20_000;

    private final String name = "n" + UUID.randomUUID();
    private Duramen node;
    private Connection connection;
    private JmxConsole console;
    private DestinationsMXBean destinations;
    private final List<Exception> failures = new CopyOnWriteArrayList<>();

    @BeforeEach
    void start() throws Exception {
        node = TestNodes.quick()
                .setting("node.name", name)
                .setting("management.watch-every", "100ms")
                .start();
        connection = new DuramenConnectionFactory(node.url()).createConnection();
        connection.start();
        console = new JmxConsole(name);
        destinations = console.of(DestinationsMXBean.class);
        destinations.create("orders", "QUEUE", 1);
        destinations.create("bills", "QUEUE", 1);
    }

    @AfterEach
    void stop() throws Exception {
        connection.close();
        console.close();
        node.close();
    }

    private static MessageProducer producer(Session session, String queue) throws JMSException {
        return session.createProducer(session.createQueue(queue));
    }

    private static String received(MessageConsumer consumer) throws JMSException {
        Message message = consumer.receive(PATIENCE_MILLIS);
        return message == null ? "nothing" : message.getBody(String.class);
    }

    private List<String> alerts() {
        return console.of(AlertsMXBean.class).getActive().stream()
                .filter(row -> row.kind().equals("destination-full"))
                .map(AlertRow::message)
                .toList();
    }

    @Test
    void shouldRefuseWhereItIsFullAndTellOperatorsUntilItIsNot() throws Exception {
        destinations.change("orders", "max-messages:2 max-bytes:1MiB");
        assertThat(destinations.settings("orders"))
                .contains(
                        new SettingRow("max-messages", "2", true),
                        new SettingRow("max-bytes", "1MiB", true),
                        new SettingRow("when-full", "refuse", false));
        try (Session session = connection.createSession();
                Session transacted = connection.createSession(Session.SESSION_TRANSACTED)) {
            MessageProducer producer = producer(session, "orders");
            producer.send(session.createTextMessage("m1"));
            producer.send(session.createTextMessage("m2"));
            assertThatThrownBy(() -> producer.send(session.createTextMessage("m3")))
                    .isInstanceOf(ResourceAllocationException.class)
                    .hasMessageContaining("queue 'orders' is full: it has 2 messages")
                    .hasMessageContaining("max-messages is 2");
            producer(transacted, "orders").send(transacted.createTextMessage("t1"));
            assertThatThrownBy(transacted::commit).isInstanceOf(ResourceAllocationException.class);
            await().untilAsserted(() -> assertThat(alerts())
                    .singleElement()
                    .asString()
                    .contains("2 messages (max-messages is 2)", "max-bytes is 1048576"));
            MessageConsumer consumer = session.createConsumer(session.createQueue("orders"));
            assertThat(received(consumer)).isEqualTo("m1");
            assertThat(received(consumer)).isEqualTo("m2");
            await().untilAsserted(() -> assertThat(alerts()).isEmpty());
            transacted.commit();
            assertThat(received(consumer)).isEqualTo("t1");
        }
    }

    @Test
    void shouldHoldUpWhoSendsThereAndNobodyElseOfItsConnection() throws Exception {
        destinations.change("orders", "max-messages:2 when-full:block");
        List<String> got = new ArrayList<>();
        CompletableFuture<Integer> sender = CompletableFuture.supplyAsync(() -> send("orders", 50));
        await().untilAsserted(() -> assertThat(alerts()).hasSize(1));
        assertThat(send("bills", 300)).isEqualTo(300);
        assertThat(sender).isNotDone();
        try (Session session = connection.createSession()) {
            MessageConsumer consumer = session.createConsumer(session.createQueue("orders"));
            for (int i = 0; i < 50; i++) {
                got.add(received(consumer));
            }
        }
        assertThat(sender.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)).isEqualTo(50);
        assertThat(got).containsExactlyElementsOf(texts(50));
    }

    private int send(String queue, int count) {
        try (Session session = connection.createSession()) {
            MessageProducer producer = producer(session, queue);
            for (String text : texts(count)) {
                producer.send(session.createTextMessage(text));
            }
            return count;
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<String> texts(int count) {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            texts.add("m" + i);
        }
        return texts;
    }

    /** Whoever sends to the full queue waits there; the same session sends elsewhere, also what it does not wait for. */
    @Test
    void shouldKeepTheOrderOfWhatIsSentWithoutWaiting() throws Exception {
        destinations.change("orders", "max-messages:5 when-full:block");
        CountDownLatch done = new CountDownLatch(400);
        CompletableFuture<Void> sender = CompletableFuture.runAsync(() -> sendAsync(400, done));
        await().untilAsserted(() -> assertThat(alerts()).hasSize(1));
        List<String> got = new ArrayList<>();
        try (Session session = connection.createSession()) {
            MessageConsumer consumer = session.createConsumer(session.createQueue("orders"));
            for (int i = 0; i < 400; i++) {
                got.add(received(consumer));
            }
        }
        assertThat(done.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)).isTrue();
        sender.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        assertThat(failures).isEmpty();
        assertThat(got).containsExactlyElementsOf(texts(400));
    }

    private void sendAsync(int count, CountDownLatch done) {
        CompletionListener listener = new CompletionListener() {
            @Override
            public void onCompletion(Message message) {
                done.countDown();
            }

            @Override
            public void onException(Message message, Exception exception) {
                failures.add(exception);
            }
        };
        try (Session session = connection.createSession()) {
            MessageProducer producer = producer(session, "orders");
            for (String text : texts(count)) {
                producer.send(session.createTextMessage(text), listener);
            }
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldHaveNonPersistentSendsWaitOnceTheyHaveHeardThatItIsFull() throws Exception {
        destinations.change("orders", "max-messages:1 when-full:block");
        try (Session session = connection.createSession()) {
            MessageProducer producer = producer(session, "orders");
            producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            assertThatThrownBy(() -> {
                        for (long until = System.nanoTime() + 20_000_000_000L; System.nanoTime() < until; ) {
                            producer.send(session.createTextMessage("early"));
                        }
                    })
                    .isInstanceOf(ResourceAllocationException.class);
        }
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            MessageConsumer consumer = session.createConsumer(session.createQueue("orders"));
            assertThat(received(consumer)).isEqualTo("early");
        }
    }

    @Test
    void shouldGiveUpAfterTheRequestTimeout() throws Exception {
        destinations.change("orders", "max-messages:1 when-full:block");
        DuramenConnectionFactory factory = new DuramenConnectionFactory(node.url());
        factory.setRequestTimeoutMillis(300);
        try (Connection impatient = factory.createConnection();
                Session session = impatient.createSession()) {
            MessageProducer producer = producer(session, "orders");
            producer.send(session.createTextMessage("m1"));
            assertThatThrownBy(() -> producer.send(session.createTextMessage("m2")))
                    .hasMessageContaining("queue 'orders' is full");
            assertThatThrownBy(() -> producer.send(session.createTextMessage("m3")))
                    .isInstanceOf(ResourceAllocationException.class)
                    .hasMessageContaining("was not sent");
            producer(session, "bills").send(session.createTextMessage("elsewhere"));
        }
    }
}
