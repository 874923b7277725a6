package io.duramen.node;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.Topic;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/** The database is a projection: whatever becomes of its file, the node has what it had. */
@Timeout(300)
class MetadataStoreNodeTest {
    private static final int MESSAGES = 300;
    private static final int SETTLED_OF_TOPIC = 100;
    private static final long PATIENCE_MILLIS = 60_000;

    @TempDir
    Path data;

    /** What may become of the file of a node that does not run. */
    private enum Damage {
        DELETED("A new metadata store is made") {
            @Override
            void to(Path file) throws IOException {
                Files.delete(file);
            }
        },
        TRUNCATED("not as it was when it was closed") {
            @Override
            void to(Path file) throws IOException {
                byte[] whole = Files.readAllBytes(file);
                Files.write(file, Arrays.copyOf(whole, whole.length / 2));
            }
        },
        FLIPPED("not as it was when it was closed") {
            @Override
            void to(Path file) throws IOException {
                byte[] whole = Files.readAllBytes(file);
                whole[whole.length * 2 / 3] ^= 1;
                Files.write(file, whole);
            }
        };

        private final String reason;

        Damage(String reason) {
            this.reason = reason;
        }

        abstract void to(Path file) throws IOException;
    }

    @ParameterizedTest
    @EnumSource(Damage.class)
    void shouldHaveEverythingAsBeforeWhenTheDatabaseIs(Damage damage) throws Exception {
        fillAndSettleEveryThird();
        damage.to(file());
        List<String> log = logOf(() -> {
            try (Duramen node = start();
                    JMSContext context = node.connectionFactory().createContext()) {
                context.setClientID("shop");
                assertThat(left(context.createConsumer(queue(context)), 2 * MESSAGES / 3))
                        .isEqualTo(numbers(0, number -> number % 3 != 1));
                assertThat(left(context.createDurableConsumer(topic(context), "archive"), MESSAGES - SETTLED_OF_TOPIC))
                        .isEqualTo(numbers(SETTLED_OF_TOPIC, number -> true));
            }
        });
        assertThat(log).anyMatch(line -> line.contains(damage.reason));
        assertThat(metadata("verify")).contains("All rows match their checksums");
    }

    private static List<Integer> numbers(int from, IntPredicate left) {
        return IntStream.range(from, MESSAGES).filter(left).boxed().toList();
    }

    @Test
    void shouldBeVerifiedExportedAndRebuiltByHand() throws Exception {
        fillAndSettleEveryThird();
        String before = metadata("export");
        assertThat(before).contains("\"destination\":{\"name\":\"orders\"").contains("\"settledBeyond\":\"");
        Damage.FLIPPED.to(file());
        StringWriter errors = new StringWriter();
        assertThat(execute("verify", new StringWriter(), errors)).isEqualTo(65);
        assertThat(errors.toString()).contains("not as it was when it was closed");
        assertThat(metadata("rebuild")).contains("All rows match their checksums");
        assertThat(metadata("export")).isEqualTo(before);
        try (Duramen node = start()) {
            assertThat(node.port()).isPositive();
            assertThat(execute("verify", new StringWriter(), errors)).isEqualTo(73);
        }
    }

    @Test
    void shouldRebuildNothingWhenThereIsNoDatabaseToBe() throws Exception {
        try (Duramen node = start()) {
            assertThat(node.port()).isPositive();
        }
        StringWriter errors = new StringWriter();
        assertThat(execute("rebuild", new StringWriter(), errors, "-D", "metadata.store=file"))
                .isEqualTo(64);
        assertThat(errors.toString()).contains("metadata.store=file");
        assertThat(file()).exists();
    }

    /** Segments wait for snapshots, and those for a database only as long as it works. */
    @Test
    void shouldPutSnapshotsBesideTheLogWhenTheDatabaseCanNeverBeOpened() throws Exception {
        Files.createDirectories(file().resolve("in the way"));
        Files.createDirectories(file().resolveSibling("metadata.mv.db.damaged").resolve("in the way"));
        Path image = data.resolve("shard-0").resolve("image").resolve("image-0");
        try (Duramen node = TestNodes.quick()
                        .dataDirectory(data)
                        .setting("metadata.flush-every", "10ms")
                        .setting("metadata.snapshot-every", "10ms")
                        .setting("metadata.snapshot-bytes", "64KiB")
                        .start();
                JMSContext context = node.connectionFactory().createContext()) {
            while (!Files.exists(image)) {
                context.createProducer().send(queue(context), "x".repeat(1000));
            }
            context.createProducer().send(queue(context), "last");
        }
        try (Duramen node = start();
                JMSContext context = node.connectionFactory().createContext();
                JMSConsumer consumer = context.createConsumer(queue(context))) {
            String text = consumer.receiveBody(String.class, PATIENCE_MILLIS);
            while (!"last".equals(text)) {
                assertThat(text).hasSize(1000);
                text = consumer.receiveBody(String.class, PATIENCE_MILLIS);
            }
        }
    }

    /** Of a queue one of three messages is settled, which leaves holes; of a durable subscription the first hundred. */
    private void fillAndSettleEveryThird() throws Exception {
        try (Duramen node = start();
                JMSContext context = node.connectionFactory().createContext()) {
            context.setClientID("shop");
            context.createDurableConsumer(topic(context), "archive").close();
            JMSProducer producer = context.createProducer();
            for (int i = 0; i < MESSAGES; i++) {
                producer.setProperty("number", i).setProperty("third", i % 3 == 1);
                producer.send(queue(context), "m").send(topic(context), "m");
            }
            try (JMSConsumer thirds = context.createConsumer(queue(context), "third = TRUE")) {
                for (int i = 0; i < MESSAGES / 3; i++) {
                    assertThat(thirds.receive(PATIENCE_MILLIS)).isNotNull();
                }
            }
            try (JMSConsumer archive = context.createDurableConsumer(topic(context), "archive")) {
                for (int i = 0; i < SETTLED_OF_TOPIC; i++) {
                    assertThat(archive.receive(PATIENCE_MILLIS)).isNotNull();
                }
            }
        }
    }

    private static List<Integer> left(JMSConsumer consumer, int count) throws Exception {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Message message = consumer.receive(PATIENCE_MILLIS);
            assertThat(message).as("message %d of %d", i, count).isNotNull();
            numbers.add(message.getIntProperty("number"));
        }
        assertThat(consumer.receive(200)).isNull();
        return numbers;
    }

    private Duramen start() throws IOException {
        return TestNodes.embedded().dataDirectory(data).start();
    }

    private Path file() {
        return data.resolve("metadata").resolve("metadata.mv.db");
    }

    private static Queue queue(JMSContext context) {
        return context.createQueue("orders");
    }

    private static Topic topic(JMSContext context) {
        return context.createTopic("prices");
    }

    private String metadata(String command) {
        StringWriter out = new StringWriter();
        StringWriter errors = new StringWriter();
        assertThat(execute(command, out, errors)).as(errors.toString()).isZero();
        return out.toString();
    }

    private int execute(String command, StringWriter out, StringWriter errors, String... more) {
        List<String> words = new ArrayList<>(List.of("metadata", command, "--data", data.toString()));
        words.addAll(List.of(more));
        return Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(errors))
                .execute(words.toArray(String[]::new));
    }

    /** Something that a test does, and that may fail. */
    private interface Work {
        void run() throws Exception;
    }

    /** What was logged meanwhile. */
    private static List<String> logOf(Work work) throws Exception {
        Logger logger = (Logger) LoggerFactory.getLogger("io.duramen.metadata");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        Level level = logger.getLevel();
        logger.setLevel(Level.INFO);
        logger.addAppender(lines);
        try {
            work.run();
        } finally {
            logger.detachAppender(lines);
            logger.setLevel(level);
        }
        return List.copyOf(lines.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }
}
