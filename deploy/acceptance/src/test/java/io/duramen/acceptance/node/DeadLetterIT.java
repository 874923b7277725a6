package io.duramen.acceptance.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.acceptance.process.ServerProcess;
import io.duramen.acceptance.process.StormSeed;
import io.duramen.jms.AcknowledgeModes;
import io.duramen.jms.DeadLetters;
import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.destination.DuramenQueue;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Messages become dead letters while the server is killed: each is in one place in the end, with the count it should have. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class DeadLetterIT {
    private static final int MESSAGES = 200;
    private static final int MAX = 3;
    private static final int KILLS = 5;
    private static final long PATIENCE_MILLIS = 60_000;

    @TempDir
    private Path directory;

    private final List<String> accepted = new CopyOnWriteArrayList<>();
    private final BlockingQueue<Integer> progress = new LinkedBlockingQueue<>();
    private volatile boolean done;
    private volatile Throwable failure;

    private static String text(int number) {
        return "m" + number;
    }

    /** Those that no consumer can process. */
    private static boolean isPoison(String text) {
        return Integer.parseInt(text.substring(1)) % 4 == 0;
    }

    /** Those that are refused at once. */
    private static boolean isRefused(String text) {
        return Integer.parseInt(text.substring(1)) % 8 == 0;
    }

    private static void send(Connection connection) throws JMSException {
        try (Session session = connection.createSession(true, Session.SESSION_TRANSACTED)) {
            var producer = session.createProducer(new DuramenQueue("orders"));
            for (int i = 0; i < MESSAGES; i++) {
                producer.send(session.createTextMessage(text(i)));
            }
            session.commit();
        }
    }

    /** Processes what comes, message by message, until it is told that it is done. */
    private void process(Connection connection) {
        try (Session session = connection.createSession(AcknowledgeModes.INDIVIDUAL);
                MessageConsumer consumer = session.createConsumer(new DuramenQueue("orders"))) {
            while (!done) {
                Message message = consumer.receive(500);
                if (message != null) {
                    process(session, message);
                    progress.add(1);
                }
            }
        } catch (JMSException | RuntimeException | Error e) {
            failure = e;
            progress.add(1);
        }
    }

    private void process(Session session, Message message) throws JMSException {
        String text = message.getBody(String.class);
        if (isRefused(text)) {
            DeadLetters.refuse(message, "divisible by eight");
        } else if (isPoison(text)) {
            assertThat(message.getIntProperty("JMSXDeliveryCount")).isLessThanOrEqualTo(MAX);
            session.recover();
        } else {
            message.acknowledge();
            accepted.add(text);
        }
    }

    private void awaitProgress(int messages) throws InterruptedException {
        for (int i = 0; i < messages; i++) {
            assertThat(progress.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)).isNotNull();
            assertThat(failure).isNull();
        }
    }

    private static List<Message> letters(Connection connection) throws JMSException {
        List<Message> letters = new ArrayList<>();
        try (Session session = connection.createSession()) {
            MessageConsumer consumer = session.createConsumer(new DuramenQueue("DLQ.orders"));
            while (letters.size() < MESSAGES / 4) {
                Message next = consumer.receive(PATIENCE_MILLIS);
                assertThat(next).as("dead letter %d", letters.size()).isNotNull();
                letters.add(next);
            }
            assertThat(consumer.receiveNoWait()).isNull();
        }
        return letters;
    }

    @Test
    void shouldBeInOnePlaceWheneverTheServerIsKilled() throws Exception {
        long seed = StormSeed.next();
        Random random = new Random(seed);
        try (ServerProcess server = ServerProcess.on(directory.resolve("data"))
                .with("log.shards", "2")
                .with("broker.deliveries-max", "" + MAX)
                .with("broker.redelivery-delay", "10ms")
                .start()) {
            try (Connection connection = new DuramenConnectionFactory(server.url()).createConnection()) {
                connection.start();
                send(connection);
                Thread worker = new Thread(() -> process(connection), "worker");
                worker.start();
                for (int kill = 0; kill < KILLS; kill++) {
                    awaitProgress(5 + random.nextInt(30));
                    server.kill();
                    server.start();
                }
                requireLetters(letters(connection), seed);
                while (accepted.size() < MESSAGES / 4 * 3) {
                    awaitProgress(1);
                }
                done = true;
                worker.join();
                assertThat(accepted)
                        .as("seed %d", seed)
                        .hasSize(MESSAGES / 4 * 3)
                        .doesNotHaveDuplicates();
            }
        }
    }

    private static void requireLetters(List<Message> letters, long seed) throws JMSException {
        List<String> dead = new ArrayList<>();
        for (Message letter : letters) {
            String text = letter.getBody(String.class);
            dead.add(text);
            long count = letter.getLongProperty(DeadLetters.DELIVERY_COUNT);
            boolean spent = letter.getStringProperty(DeadLetters.CAUSE_CODE).equals("DELIVERIES_MAX");
            assertThat(count).as(text).isBetween(spent ? MAX : 1L, (long) MAX);
        }
        assertThat(dead).as("seed %d", seed).doesNotHaveDuplicates().allMatch(DeadLetterIT::isPoison);
    }
}
