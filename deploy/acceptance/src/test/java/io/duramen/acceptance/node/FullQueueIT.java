package io.duramen.acceptance.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.acceptance.process.OperatorCommand;
import io.duramen.acceptance.process.ServerProcess;
import io.duramen.jms.DuramenConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A queue that is full has its producers wait while the node is killed and starts again: it never has more than it may, and all comes
 * once and in the order of each producer, whose connection serves others meanwhile.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class FullQueueIT {
    private static final int MOST = 20;
    private static final int PRODUCERS = 3;
    private static final int MESSAGES = 60;
    private static final long PATIENCE_MILLIS = 60_000;
    private static final Pattern COUNT = Pattern.compile("\"name\":\"orders\".*?\"messages\":(\\d+)");

    @TempDir
    private Path directory;

    private String runs(String... arguments) throws Exception {
        return OperatorCommand.runs(directory, arguments);
    }

    private int stored() throws Exception {
        Matcher found = COUNT.matcher(runs("--json", "destinations", "list"));
        assertThat(found.find()).isTrue();
        return Integer.parseInt(found.group(1));
    }

    /** Each look takes a while by itself. */
    private void awaitFull() throws Exception {
        int has = stored();
        while (has < MOST) {
            has = stored();
        }
    }

    private static CompletableFuture<Void> send(Connection connection, String queue, String producer, int messages) {
        return CompletableFuture.runAsync(() -> {
            try (Session session = connection.createSession()) {
                MessageProducer to = session.createProducer(session.createQueue(queue));
                for (int i = 0; i < messages; i++) {
                    to.send(session.createTextMessage(producer + " " + i));
                }
            } catch (JMSException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void shouldHoldUpItsProducersOverAKillOfTheNode() throws Exception {
        try (ServerProcess node = ServerProcess.on(directory.resolve("data")).start()) {
            runs("destinations", "create", "orders", "QUEUE");
            runs("destinations", "create", "bills", "QUEUE");
            runs("destinations", "change", "orders", "max-messages:" + MOST + " when-full:block");
            DuramenConnectionFactory factory = new DuramenConnectionFactory(node.url());
            factory.setRequestTimeoutMillis(0);
            try (Connection connection = factory.createConnection()) {
                connection.start();
                List<CompletableFuture<Void>> producers = new ArrayList<>();
                for (int i = 0; i < PRODUCERS; i++) {
                    producers.add(send(connection, "orders", "p" + i, MESSAGES));
                }
                send(connection, "bills", "b", 100).get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
                awaitFull();
                node.kill();
                node.start();
                send(connection, "bills", "b", 100).get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
                awaitFull();
                assertThat(stored()).isEqualTo(MOST);
                assertThat(runs("destinations", "settings", "orders"))
                        .containsPattern("max-messages +20 +true")
                        .containsPattern("when-full +block +true");
                takeAll(connection);
                for (CompletableFuture<Void> producer : producers) {
                    producer.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
                }
                assertThat(stored()).isZero();
            }
        }
    }

    private static void takeAll(Connection connection) throws JMSException {
        int[] next = new int[PRODUCERS];
        try (Session session = connection.createSession()) {
            MessageConsumer consumer = session.createConsumer(session.createQueue("orders"));
            for (int i = 0; i < PRODUCERS * MESSAGES; i++) {
                Message message = consumer.receive(PATIENCE_MILLIS);
                assertThat(message).as("message %d", i).isNotNull();
                String[] words = message.getBody(String.class).split(" ");
                int producer = Integer.parseInt(words[0].substring(1));
                assertThat(words[1]).as("of producer %d", producer).isEqualTo(String.valueOf(next[producer]++));
            }
        }
        assertThat(next).containsOnly(MESSAGES);
    }
}
