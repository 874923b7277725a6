package io.duramen.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.management.AttachedRow;
import io.duramen.management.ConnectionsMXBean;
import io.duramen.management.DestinationsMXBean;
import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TransactionRolledBackException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An operator closes one consumer of a connection, by JMX, in a node of three shards. */
@Timeout(120)
class ClosedConsumerNodeTest {
    private static final long PATIENCE_MILLIS = 20_000;

    private final String name = "n" + UUID.randomUUID();
    private final AuditTrail audit = new AuditTrail(name);
    private final ConcurrentLinkedQueue<JMSException> told = new ConcurrentLinkedQueue<>();
    private Duramen node;
    private Connection connection;
    private JmxConsole console;
    private ConnectionsMXBean connections;

    @BeforeEach
    void start() throws Exception {
        node = TestNodes.quick()
                .setting("node.name", name)
                .setting("log.shards", "3")
                .start();
        connection = new DuramenConnectionFactory(node.url()).createConnection();
        connection.setExceptionListener(told::add);
        connection.start();
        console = new JmxConsole(name);
        connections = console.of(ConnectionsMXBean.class);
        DestinationsMXBean destinations = console.of(DestinationsMXBean.class);
        destinations.create("orders", "QUEUE", 1);
        destinations.create("wide", "QUEUE", 3);
    }

    @AfterEach
    void stop() throws Exception {
        audit.close();
        connection.close();
        console.close();
        node.close();
    }

    private long id() {
        return connections.list(0, 10).get(0).id();
    }

    private List<AttachedRow> attached(String destination) {
        return connections.consumers(id(), 0, 100).stream()
                .filter(row -> row.destination().equals(destination))
                .toList();
    }

    private void sends(String queue, int count) throws JMSException {
        try (Session session = connection.createSession()) {
            MessageProducer producer = session.createProducer(session.createQueue(queue));
            for (int i = 0; i < count; i++) {
                producer.send(session.createTextMessage("m" + i));
            }
        }
    }

    private static String text(Message message) throws JMSException {
        return message == null ? "nothing" : message.getBody(String.class);
    }

    @Test
    void shouldEndOneConsumerWithAClearErrorAndLeaveTheOthersOfItsSession() throws Exception {
        try (Session session = connection.createSession()) {
            MessageConsumer closed = session.createConsumer(session.createQueue("orders"));
            MessageConsumer other = session.createConsumer(session.createQueue("wide"));
            CompletableFuture<Message> waiting = CompletableFuture.supplyAsync(() -> {
                try {
                    return closed.receive(PATIENCE_MILLIS);
                } catch (JMSException e) {
                    throw new java.util.concurrent.CompletionException(e);
                }
            });
            await().until(() -> !attached("orders").isEmpty());
            int consumer = attached("orders").get(0).consumer();
            connections.closeConsumer(id(), consumer);
            audit.has("close of consumer " + consumer + " of connection", "it has left");
            assertThat(waiting)
                    .failsWithin(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
                    .withThrowableThat()
                    .havingCause()
                    .isInstanceOf(IllegalStateException.class)
                    .withMessageContaining("an operator has closed this consumer");
            assertThatThrownBy(closed::receiveNoWait).isInstanceOf(IllegalStateException.class);
            await().until(() -> told.size() == 1);
            assertThat(told.peek().getErrorCode()).isEqualTo("CONSUMER_ENDED");
            assertThat(attached("orders")).isEmpty();
            assertThatThrownBy(() -> connections.closeConsumer(id(), consumer))
                    .hasMessageContaining("has no consumer " + consumer);
            sends("wide", 1);
            assertThat(text(other.receive(PATIENCE_MILLIS))).isEqualTo("m0");
            closed.close();
        }
    }

    @Test
    void shouldEndAConsumerOfAllShardsByAnyOfItsNumbers() throws Exception {
        try (Session session = connection.createSession()) {
            for (int number = 0; number < 3; number++) {
                session.createConsumer(session.createQueue("wide"));
                await().until(() -> attached("wide").size() == 3);
                connections.closeConsumer(id(), attached("wide").get(number).consumer());
                await().until(() -> attached("wide").isEmpty());
            }
        }
        await().until(() -> told.size() == 3);
    }

    @Test
    void shouldGiveBackWhatItHadInItsOrderAndRollItsTransactionBack() throws Exception {
        sends("orders", 6);
        try (Session transacted = connection.createSession(Session.SESSION_TRANSACTED);
                Session session = connection.createSession()) {
            MessageConsumer closed = transacted.createConsumer(transacted.createQueue("orders"));
            assertThat(text(closed.receive(PATIENCE_MILLIS))).isEqualTo("m0");
            transacted.commit();
            assertThat(text(closed.receive(PATIENCE_MILLIS))).isEqualTo("m1");
            assertThat(text(closed.receive(PATIENCE_MILLIS))).isEqualTo("m2");
            connections.closeConsumer(id(), attached("orders").get(0).consumer());
            List<String> again = new ArrayList<>();
            MessageConsumer next = session.createConsumer(session.createQueue("orders"));
            for (int i = 1; i < 6; i++) {
                Message message = next.receive(PATIENCE_MILLIS);
                again.add(text(message) + " x" + message.getIntProperty("JMSXDeliveryCount"));
            }
            assertThat(again).containsExactly("m1 x2", "m2 x2", "m3 x1", "m4 x1", "m5 x1");
            assertThatThrownBy(transacted::commit).isInstanceOf(TransactionRolledBackException.class);
            transacted.rollback();
            MessageConsumer anew = transacted.createConsumer(transacted.createQueue("wide"));
            sends("wide", 1);
            assertThat(text(anew.receive(PATIENCE_MILLIS))).isEqualTo("m0");
            transacted.commit();
        }
    }

    @Test
    void shouldEndAListenerThatHangs() throws Exception {
        sends("orders", 2);
        CompletableFuture<Void> goOn = new CompletableFuture<>();
        CompletableFuture<Void> hangs = new CompletableFuture<>();
        try (Session session = connection.createSession();
                Session other = connection.createSession()) {
            MessageConsumer closed = session.createConsumer(session.createQueue("orders"));
            closed.setMessageListener(message -> {
                hangs.complete(null);
                goOn.join();
            });
            hangs.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            connections.closeConsumer(id(), attached("orders").get(0).consumer());
            MessageConsumer next = other.createConsumer(other.createQueue("orders"));
            Message first = next.receive(PATIENCE_MILLIS);
            assertThat(text(first)).isEqualTo("m0");
            assertThat(first.getJMSRedelivered()).isTrue();
            assertThat(text(next.receive(PATIENCE_MILLIS))).isEqualTo("m1");
            goOn.complete(null);
        }
    }
}
