package io.duramen.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duramen.jms.AcknowledgeModes;
import io.duramen.jms.DeadLetters;
import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.DuramenXAConnectionFactory;
import io.duramen.management.AlertRow;
import io.duramen.management.AlertsMXBean;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import javax.management.Notification;
import javax.transaction.xa.XAResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a node tells operators by itself, through a real JMX connector. */
@Timeout(120)
class AlertsTest {
    private static final long PATIENCE_MILLIS = 20_000;

    @TempDir
    private Path data;

    private final String name = "n" + UUID.randomUUID();
    private final List<Notification> heard = new CopyOnWriteArrayList<>();
    private Set<Thread> before;
    private Duramen node;
    private Connection connection;
    private JmxConsole console;
    private AlertsMXBean alerts;

    @BeforeEach
    void start() throws Exception {
        before = Thread.getAllStackTraces().keySet();
        node = TestNodes.quick()
                .dataDirectory(data)
                .setting("node.name", name)
                .setting("log.segment-size", "64KiB")
                .setting("log.reserve", "16KiB")
                .setting("log.spare-segments", "0")
                .setting("management.watch-every", "100ms")
                .setting("management.stuck-after", "100ms")
                .setting("management.in-doubt-after", "100ms")
                .setting("management.failing-from", "1")
                .start();
        connection = new DuramenConnectionFactory(node.url()).createConnection();
        connection.start();
        console = new JmxConsole(name);
        alerts = console.of(AlertsMXBean.class);
        console.connection()
                .addNotificationListener(console.name(AlertsMXBean.class), (one, none) -> heard.add(one), null, null);
    }

    @AfterEach
    void stop() throws Exception {
        console.close();
        connection.close();
        node.close();
    }

    private void hears(String type, String... parts) {
        await().untilAsserted(() -> assertThat(heard)
                .filteredOn(one -> one.getType().equals("io.duramen.alert." + type))
                .extracting(Notification::getMessage)
                .anySatisfy(message -> assertThat(message).contains(parts)));
    }

    @Test
    void shouldTellOfAConsumerThatHoldsAMessageForLong() throws Exception {
        try (Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE)) {
            session.createProducer(session.createQueue("orders")).send(session.createTextMessage("m1"));
            MessageConsumer consumer = session.createConsumer(session.createQueue("orders"));
            var held = consumer.receive(PATIENCE_MILLIS);
            hears("consumer-stuck", "'orders'", "it holds message ");
            assertThat(alerts.getActive()).extracting(AlertRow::kind).containsExactly("consumer-stuck");
            held.acknowledge();
            hears("over", "consumer-stuck: 'orders'");
            await().untilAsserted(() -> assertThat(alerts.getActive()).isEmpty());
            assertThat(alerts.getRaised()).isPositive();
        }
    }

    @Test
    void shouldTellOfABranchThatNobodyEnds() throws Exception {
        try (XAConnection xa = new DuramenXAConnectionFactory(node.url()).createXAConnection();
                XASession session = xa.createXASession()) {
            XAResource resource = session.getXAResource();
            TestXid xid = new TestXid("lost");
            resource.start(xid, XAResource.TMNOFLAGS);
            session.createProducer(session.createQueue("orders")).send(session.createTextMessage("m1"));
            resource.end(xid, XAResource.TMSUCCESS);
            resource.prepare(xid);
            hears("branch-in-doubt", "branch ", "its transaction manager has not ended it");
            resource.rollback(xid);
            hears("over", "branch-in-doubt: ");
        }
    }

    @Test
    void shouldTellOfConsumersThatFail() throws Exception {
        try (Session session = connection.createSession(AcknowledgeModes.INDIVIDUAL)) {
            session.createProducer(session.createQueue("orders")).send(session.createTextMessage("m1"));
            DeadLetters.refuse(
                    session.createConsumer(session.createQueue("orders")).receive(PATIENCE_MILLIS), "not now");
            hears("consumers-failing", "1 messages became dead letters");
            hears("over", "consumers-failing");
        }
    }

    private void sends(String text) throws JMSException {
        try (Session session = connection.createSession()) {
            session.createProducer(session.createQueue("orders")).send(session.createTextMessage(text));
        }
    }

    private static Path theLog(Path data) throws IOException {
        try (Stream<Path> files = Files.walk(data)) {
            return files.filter(one -> one.getFileName().toString().endsWith(".log"))
                    .findFirst()
                    .orElseThrow()
                    .getParent();
        }
    }

    @Test
    void shouldTellOfADiskThatGivesNoMoreRoom() throws Exception {
        sends("the log has a file from here on");
        Path log = theLog(data);
        Path aside = data.resolve("aside");
        Files.move(log, aside); // no file can be made there; those that are open go on
        await().until(() -> {
            try {
                sends("x".repeat(4096));
                return false;
            } catch (ResourceAllocationException full) {
                return true;
            }
        });
        hears("disk-full", "shard 0", "for lack of disk space");
        Files.move(aside, log);
        hears("over", "disk-full: shard 0");
        sends("there is room again");
    }

    /** Goal: what nobody reads is found all the same. */
    @Test
    void shouldTellOfALogThatIsDamaged() throws Exception {
        for (int i = 0; i < 40; i++) {
            sends("x".repeat(4096));
        }
        Path log = theLog(data);
        node.close();
        Path first = firstOf(log);
        byte[] bytes = Files.readAllBytes(first);
        bytes[bytes.length / 2] ^= 1;
        Files.write(first, bytes);
        node = TestNodes.quick()
                .dataDirectory(data)
                .setting("node.name", name)
                .setting("management.watch-every", "100ms")
                .setting("log.scrub-interval", "100ms")
                .start();
        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(alerts.getActive())
                        .extracting(AlertRow::kind)
                        .containsExactly("log-damaged"));
        assertThat(alerts.getActive().get(0).message()).startsWith(first.getFileName() + " at position ");
    }

    private static Path firstOf(Path log) throws IOException {
        try (Stream<Path> files = Files.list(log)) {
            return files.filter(one -> one.getFileName().toString().endsWith(".log"))
                    .sorted()
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void shouldTellOfADiskThatIsNearlyFull() throws Exception {
        assertThat(alerts.getActive()).isEmpty();
        node.close();
        node = TestNodes.quick()
                .dataDirectory(data)
                .setting("node.name", name)
                .setting("management.watch-every", "100ms")
                .setting("management.disk-low", Long.MAX_VALUE + "B")
                .start();
        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(alerts.getActive())
                        .extracting(AlertRow::kind)
                        .containsExactly("disk-low"));
        assertThat(alerts.getActive().get(0).message()).contains(" MiB are left for " + data);
    }

    @Test
    void shouldTellOfAShardThatStops() throws Exception {
        await().ignoreExceptions().until(() -> {
            // A thread that is interrupted cannot write: its file is closed under it.
            Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> !before.contains(thread))
                    .filter(thread -> thread.getName().startsWith("disk-write")
                            || thread.getName().startsWith("shard"))
                    .forEach(Thread::interrupt);
            try {
                sends("x");
            } catch (JMSException stopped) {
                return true;
            }
            return false;
        });
        hears("shard-stopped", "shard 0", "it takes no more changes");
        assertThat(alerts.getActive()).extracting(AlertRow::kind).containsExactly("shard-stopped");
    }
}
