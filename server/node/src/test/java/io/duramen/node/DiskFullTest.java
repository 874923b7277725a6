package io.duramen.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.duramen.jms.DuramenConnectionFactory;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A disk that gives no more room, as applications meet it: who sends is refused, who receives goes on, and it passes. */
@Timeout(120)
class DiskFullTest {
    private static final long PATIENCE_MILLIS = 20_000;
    private static final String BODY = "x".repeat(4096);

    @TempDir
    Path data;

    private Duramen node;
    private Connection connection;
    private Session session;
    private Queue queue;
    private MessageProducer producer;
    private int stored;

    @BeforeEach
    void start() throws Exception {
        node = TestNodes.embedded()
                .dataDirectory(data)
                .setting("log.shards", "1")
                .setting("log.segment-size", "64KiB")
                .setting("log.reserve", "16KiB")
                .setting("log.spare-segments", "0")
                .start();
        connect();
    }

    private void connect() throws JMSException {
        connection = new DuramenConnectionFactory(node.url()).createConnection();
        connection.start();
        session = connection.createSession();
        queue = session.createQueue("orders");
        producer = session.createProducer(queue);
    }

    @AfterEach
    void end() throws Exception {
        connection.close();
        node.close();
    }

    private Path log() throws IOException {
        try (Stream<Path> files = Files.walk(data)) {
            return files.filter(one -> one.getFileName().toString().endsWith(".log"))
                    .findFirst()
                    .orElseThrow()
                    .getParent();
        }
    }

    private void send(Session by, MessageProducer to) throws JMSException {
        to.send(by.createTextMessage(BODY));
    }

    /** Until the first refusal. */
    private void sendUntilFull() {
        await().atMost(Duration.ofMinutes(1)).until(() -> {
            try {
                send(session, producer);
                stored++;
                return false;
            } catch (ResourceAllocationException full) {
                assertThat(full).hasMessageContaining("disk");
                return true;
            }
        });
    }

    private Throwable completionOf(Message message) throws Exception {
        CompletableFuture<Throwable> told = new CompletableFuture<>();
        producer.send(message, new CompletionListener() {
            @Override
            public void onCompletion(Message sent) {
                told.complete(null);
            }

            @Override
            public void onException(Message sent, Exception exception) {
                told.complete(exception);
            }
        });
        return told.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void receiveAllThatIsStored() throws JMSException {
        Session client = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = client.createConsumer(queue);
        for (int i = 0; i < stored; i++) {
            Message message = consumer.receive(PATIENCE_MILLIS);
            assertThat(message.getJMSRedelivered()).isFalse();
            message.acknowledge();
        }
        assertThat(consumer.receiveNoWait()).isNull();
        client.close();
        stored = 0;
    }

    @Test
    void shouldRefuseSendersAndLetConsumersDrainUntilThereIsRoomAgain() throws Exception {
        send(session, producer);
        stored++;
        Path log = log();
        Path aside = data.resolve("aside");
        Files.move(log, aside); // no file can be made there; those that are open go on
        sendUntilFull();
        assertThat(completionOf(session.createTextMessage(BODY))).isInstanceOf(ResourceAllocationException.class);
        Session transacted = connection.createSession(Session.SESSION_TRANSACTED);
        send(transacted, transacted.createProducer(queue));
        assertThatThrownBy(transacted::commit).isInstanceOf(ResourceAllocationException.class);
        assertThat(stored).isPositive();
        receiveAllThatIsStored();

        Files.move(aside, log);
        await().atMost(Duration.ofMinutes(1))
                .ignoreExceptionsInstanceOf(ResourceAllocationException.class)
                .until(() -> {
                    transacted.commit(); // it is still open
                    return true;
                });
        stored++;
        send(session, producer);
        stored++;
        assertThat(completionOf(session.createTextMessage(BODY))).isNull();
        stored++;
        connection.close();
        node.close();
        node = TestNodes.embedded()
                .dataDirectory(data)
                .setting("log.shards", "1")
                .start();
        connect();
        receiveAllThatIsStored();
    }
}
