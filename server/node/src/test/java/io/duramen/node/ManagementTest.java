package io.duramen.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.duramen.jms.AcknowledgeModes;
import io.duramen.jms.DeadLetters;
import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.DuramenXAConnectionFactory;
import io.duramen.management.BranchRow;
import io.duramen.management.BranchesMXBean;
import io.duramen.management.ConnectionRow;
import io.duramen.management.ConnectionsMXBean;
import io.duramen.management.ConsumerRow;
import io.duramen.management.DeadLettersMXBean;
import io.duramen.management.DestinationPage;
import io.duramen.management.DestinationRow;
import io.duramen.management.DestinationsMXBean;
import io.duramen.management.MoveResult;
import io.duramen.management.NodeMXBean;
import io.duramen.management.ShardMXBean;
import io.duramen.management.SubscriptionRow;
import io.duramen.management.SubscriptionsMXBean;
import jakarta.jms.Connection;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.management.openmbean.CompositeData;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node of three shards, managed through a real JMX connector. */
@Timeout(120)
class ManagementTest {
    private static final long PATIENCE_MILLIS = 20_000;
    private static final int SHARDS = 3;

    private final String name = "n" + UUID.randomUUID();
    private final AuditTrail audit = new AuditTrail(name);
    private Duramen node;
    private Connection connection;
    private Session session;
    private JmxConsole console;
    private DestinationsMXBean destinations;

    @BeforeEach
    void start() throws Exception {
        node = TestNodes.quick()
                .setting("node.name", name)
                .setting("log.shards", "" + SHARDS)
                .setting("broker.partitions-of", "wide=3")
                .start();
        connection = new DuramenConnectionFactory(node.url()).createConnection();
        connection.start();
        session = connection.createSession();
        console = new JmxConsole(name);
        destinations = console.of(DestinationsMXBean.class);
    }

    @AfterEach
    void stop() throws Exception {
        audit.close();
        console.close();
        connection.close();
        node.close();
    }

    private void send(String queue, String... texts) throws JMSException {
        try (MessageProducer producer = session.createProducer(session.createQueue(queue))) {
            for (String text : texts) {
                Message message = session.createTextMessage(text);
                message.setStringProperty("name", text);
                producer.send(message);
            }
        }
    }

    private List<String> drain(String queue) throws JMSException {
        List<String> texts = new ArrayList<>();
        try (MessageConsumer consumer = session.createConsumer(session.createQueue(queue))) {
            for (Message message = consumer.receiveNoWait(); message != null; message = consumer.receiveNoWait()) {
                texts.add(message.getBody(String.class));
            }
        }
        return texts;
    }

    private DestinationRow row(String destination) {
        List<DestinationRow> rows = destinations.list(destination, "", 10).rows();
        assertThat(rows).hasSize(1);
        return rows.get(0);
    }

    @Test
    void shouldShowNodeAndShards() throws Exception {
        send("orders", "m1", "m2");
        drain("orders");
        NodeMXBean about = console.of(NodeMXBean.class);
        await().untilAsserted(() -> assertThat(about.getMessagesSettled()).isEqualTo(2));
        assertThat(about.getMessagesStored()).isEqualTo(2);
        assertThat(about.getName()).isEqualTo(name);
        assertThat(about.getVersion()).isEqualTo(Version.current());
        assertThat(about.getAddress()).isEqualTo("127.0.0.1:" + node.port());
        assertThat(about.getShards()).isEqualTo(SHARDS);
        assertThat(about.getShardsLeading()).isEqualTo(SHARDS);
        assertThat(about.getDestinations()).isEqualTo(1);
        assertThat(about.getDurableSubscriptions()).isZero();
        assertThat(about.getConnections()).isEqualTo(1);
        assertThat(about.getLogBytes()).isPositive();
        assertThat(about.isDiskFull()).isFalse();
        assertThat(about.getStartedMillis()).isPositive();
        assertThat(about.getUptimeMillis()).isNotNegative();
        assertThat(about.getDataDirectory()).startsWith("/");
        assertThat(about.getChangedSettings()).anyMatch(one -> one.startsWith("log.shards=3"));
        long stored = 0;
        long segments = 0;
        long syncs = 0;
        for (int shard = 0; shard < SHARDS; shard++) {
            ShardMXBean one = console.ofShard(ShardMXBean.class, shard);
            assertThat(one.getNumber()).isEqualTo(shard);
            assertThat(one.getState()).isEqualTo("LEADING");
            segments += one.getLogSegments();
            stored += one.getMessagesStored();
            syncs += one.getLogSyncs();
            assertThat(one.getLogSlowSyncs()).isBetween(0L, one.getLogSyncs());
            assertThat(one.getLogLongestSyncMillis()).isBetween(0L, one.getLogSyncMillis());
        }
        assertThat(syncs).isPositive();
        assertThat(stored).isEqualTo(2);
        assertThat(segments).isPositive();
    }

    @Test
    void shouldListDestinationsWithWhatAllShardsHave() throws Exception {
        for (int i = 0; i < 9; i++) {
            try (Session other = connection.createSession()) { // each sends to a partition of its own
                other.createProducer(session.createQueue("wide")).send(other.createTextMessage("w" + i));
            }
        }
        session.createConsumer(session.createTopic("news"));
        DestinationRow wide = row("wide");
        assertThat(wide.partitions()).isEqualTo(3);
        assertThat(wide.messages()).isEqualTo(9);
        assertThat(wide.kind()).isEqualTo("QUEUE");
        assertThat(row("news").consumers()).isEqualTo(1);
        try (Session held = connection.createSession(Session.CLIENT_ACKNOWLEDGE)) {
            MessageConsumer consumer = held.createConsumer(held.createQueue("wide"));
            assertThat(consumer.receive(PATIENCE_MILLIS)).isNotNull();
            await().untilAsserted(() -> assertThat(row("wide").held()).isPositive());
            assertThat(row("wide").messages()).isEqualTo(9);
        }
        DestinationPage first = destinations.list("", "", 1);
        assertThat(first.next()).isEqualTo("news");
        assertThat(destinations.list(null, first.next(), 1).rows().get(0).name())
                .isEqualTo("wide");
        assertThatThrownBy(() -> destinations.list("", "", 0)).isInstanceOf(IllegalArgumentException.class);
        assertThat(console.connection()
                        .invoke(
                                console.name(DestinationsMXBean.class),
                                "list",
                                new Object[] {"*", "", 10},
                                new String[] {"java.lang.String", "java.lang.String", "int"}))
                .isInstanceOf(CompositeData.class);
        assertThat(audit.size()).isZero();
    }

    @Test
    void shouldListConsumersWithWhatTheyHoldInAllShards() throws Exception {
        for (int i = 0; i < 9; i++) {
            try (Session other = connection.createSession()) { // each sends to a partition of its own
                other.createProducer(session.createQueue("wide")).send(other.createTextMessage("w" + i));
            }
        }
        try (Connection till = new DuramenConnectionFactory(node.url()).createConnection()) {
            till.setClientID("till");
            till.start();
            Session held = till.createSession(Session.CLIENT_ACKNOWLEDGE);
            MessageConsumer consumer = held.createConsumer(held.createQueue("wide"));
            assertThat(consumer.receive(PATIENCE_MILLIS)).isNotNull();
            await().untilAsserted(() -> assertThat(
                            destinations.consumers("wide", "", 9).rows())
                    .extracting(ConsumerRow::held)
                    .containsExactly(9L));
            session.createConsumer(session.createTopic("news"), "a = 1");
            session.createSharedConsumer(session.createTopic("news"), "readers");
            var first = destinations.consumers("news", "", 1);
            var second = destinations.consumers("news", first.next(), 1);
            assertThat(List.of(first.rows().get(0), second.rows().get(0)))
                    .extracting(ConsumerRow::subscription)
                    .containsExactly("", "readers");
            assertThat(first.rows().get(0).consumers()).isEqualTo(1);
            assertThat(second.next()).isEmpty();
            assertThat(destinations.consumers("news", "", 2).next()).isEmpty();
            assertThat(destinations.consumers("wide", "", 9).rows().get(0).clientId())
                    .isEqualTo("till");
        }
        await().untilAsserted(() ->
                assertThat(destinations.consumers("wide", "", 9).rows()).isEmpty());
        assertThatThrownBy(() -> destinations.consumers("none", "", 9)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> destinations.consumers("wide", "x", 9)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> destinations.consumers("wide", "", 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldDeleteADestination() throws Exception {
        send("orders", "m1");
        MessageConsumer consumer = session.createConsumer(session.createQueue("orders"));
        assertThatThrownBy(() -> destinations.delete("orders"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("consumers");
        audit.has("delete of destination 'orders'", "failed: DESTINATION_IN_USE");
        consumer.close();
        destinations.delete("orders");
        audit.has("delete of destination 'orders'", "done");
        assertThat(destinations.list("orders", "", 10).rows()).isEmpty();
        assertThatThrownBy(() -> destinations.delete("orders"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no destination 'orders'");
        assertThatThrownBy(() -> destinations.delete("a\nb")).isInstanceOf(IllegalArgumentException.class);
        audit.has("'a?b'");
        for (Attempt attempt : List.<Attempt>of(
                () -> send("orders", "m2"),
                () -> drain("orders"),
                () -> session.createBrowser(session.createQueue("orders")).getEnumeration())) {
            // A client that knew it hears once that it is gone, and makes it anew then.
            assertThatThrownBy(attempt::run).isInstanceOf(InvalidDestinationException.class);
            attempt.run();
            drain("orders");
            destinations.delete("orders");
        }
    }

    @FunctionalInterface
    private interface Attempt {
        void run() throws Exception;
    }

    @Test
    void shouldPurgeAQueue() throws Exception {
        send("orders", "m1", "m2", "m3", "m4", "m5");
        assertThat(destinations.purge("orders", "name <> 'm1'", 2)).isEqualTo(new MoveResult(2, 0, false));
        audit.has("purge of queue 'orders', selector 'name <> 'm1'', limit 2", "done=2");
        assertThat(destinations.purge("orders", "name = 'm4'", 100)).isEqualTo(new MoveResult(1, 0, true));
        assertThat(drain("orders")).containsExactly("m1", "m5");
        assertThat(destinations.purge("orders", null, 1)).isEqualTo(new MoveResult(0, 0, true));
        assertThatThrownBy(() -> destinations.purge("none", "", 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> destinations.purge("orders", "name <", 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("INVALID_SELECTOR");
        assertThatThrownBy(() -> destinations.purge("orders", "", 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldListAndPurgeSubscriptions() throws Exception {
        session.createSharedDurableConsumer(session.createTopic("news"), "archive")
                .close();
        try (MessageProducer producer = session.createProducer(session.createTopic("news"))) {
            for (int i = 0; i < 4; i++) {
                producer.send(session.createTextMessage("n" + i));
            }
        }
        SubscriptionsMXBean subscriptions = console.of(SubscriptionsMXBean.class);
        SubscriptionRow archive = subscriptions.list("news", 0, 10).rows().get(0);
        assertThat(archive.name()).isEqualTo("archive");
        assertThat(archive.shared()).isTrue();
        assertThat(archive.backlog()).isEqualTo(4);
        assertThat(subscriptions.list("news", archive.id(), 10).rows()).isEmpty();
        await().untilAsserted(() -> assertThat(subscriptions.getCount()).isEqualTo(1));
        assertThat(subscriptions.purge("", "archive", "", 3)).isEqualTo(new MoveResult(3, 0, false));
        audit.has("purge of subscription 'archive'", "done=3");
        MessageConsumer consumer = session.createSharedDurableConsumer(session.createTopic("news"), "archive");
        assertThat(consumer.receive(PATIENCE_MILLIS).getBody(String.class)).isEqualTo("n3");
        assertThatThrownBy(() -> subscriptions.purge("", "none", "", 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldListAndCloseConnections() throws Exception {
        ConnectionsMXBean connections = console.of(ConnectionsMXBean.class);
        try (Connection other = new DuramenConnectionFactory(node.url()).createConnection()) {
            other.setClientID("till");
            other.start();
            List<ConnectionRow> rows = connections.list(0, 10);
            assertThat(rows).hasSize(2).isSortedAccordingTo((a, b) -> Long.compare(a.id(), b.id()));
            ConnectionRow till = rows.get(1);
            assertThat(till.clientId()).isEqualTo("till");
            assertThat(till.address()).contains("127.0.0.1");
            assertThat(till.openedMillis()).isPositive();
            assertThat(connections.list(rows.get(0).id(), 10)).containsExactly(till);
            connections.close(till.id());
            audit.has("close of connection " + till.id(), "done");
            await().untilAsserted(() -> assertThat(connections.list(0, 10))
                    .extracting(ConnectionRow::id)
                    .doesNotContain(till.id()));
            assertThatThrownBy(() -> connections.close(till.id())).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> connections.list(0, 0)).isInstanceOf(IllegalArgumentException.class);
            // Its client is back by itself.
            await().untilAsserted(() -> assertThat(connections.getCount()).isEqualTo(2));
        }
    }

    private static void prepare(XASession xa, String name, String... queues) throws Exception {
        XAResource resource = xa.getXAResource();
        Xid xid = new TestXid(name);
        resource.start(xid, XAResource.TMNOFLAGS);
        for (String queue : queues) {
            xa.createProducer(xa.createQueue(queue)).send(xa.createTextMessage(name));
        }
        resource.end(xid, XAResource.TMSUCCESS);
        resource.prepare(xid);
    }

    @Test
    void shouldEndPreparedBranchesByHand() throws Exception {
        BranchesMXBean branches = console.of(BranchesMXBean.class);
        try (XAConnection xa = new DuramenXAConnectionFactory(node.url()).createXAConnection();
                XASession xaSession = xa.createXASession()) {
            prepare(xaSession, "one", "orders");
            prepare(xaSession, "both", "orders", "bills", "wide");
            prepare(xaSession, "none", "orders", "bills");
            List<BranchRow> rows = branches.list();
            assertThat(rows).hasSize(3);
            assertThat(rows.get(0).messages()).isEqualTo(1);
            assertThat(rows).allMatch(row -> row.ageMillis() >= 0 && row.preparedMillis() > 0);
            assertThat(branches.getCount()).isGreaterThanOrEqualTo(3);
            branches.commit(rows.get(0).id());
            branches.commit(rows.get(1).id());
            audit.has("commit by hand of branch " + rows.get(1).id(), "done");
            branches.rollBack(rows.get(2).id());
            audit.has("rollback by hand of branch " + rows.get(2).id(), "done");
            assertThat(branches.list()).isEmpty();
            assertThat(xaSession.getXAResource().recover(XAResource.TMSTARTRSCAN))
                    .isEmpty();
            assertThatThrownBy(() -> branches.commit(rows.get(0).id())).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> branches.commit("x")).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(drain("orders")).containsExactly("one", "both");
        assertThat(drain("bills")).containsExactly("both");
        assertThat(drain("wide")).containsExactly("both");
    }

    @Test
    void shouldSendDeadLettersBack() throws Exception {
        send("orders", "m1", "m2", "m3");
        try (Session refusing = connection.createSession(AcknowledgeModes.INDIVIDUAL)) {
            MessageConsumer consumer = refusing.createConsumer(refusing.createQueue("orders"));
            for (int i = 0; i < 3; i++) {
                DeadLetters.refuse(consumer.receive(PATIENCE_MILLIS), "not now");
            }
        }
        DeadLettersMXBean dead = console.of(DeadLettersMXBean.class);
        await().untilAsserted(() -> assertThat(dead.getRefused()).isEqualTo(3));
        assertThat(dead.getSpent()).isZero();
        assertThat(dead.getExpiredMoved()).isZero();
        var page = dead.list("DLQ.orders", "orders", "name <> 'm1'", "", 1);
        assertThat(page.rows()).hasSize(1);
        var row = page.rows().get(0);
        assertThat(row.preview()).isEqualTo("m2");
        assertThat(row.origin()).isEqualTo("orders");
        assertThat(row.causeCode()).isEqualTo("REFUSED");
        assertThat(row.cause()).contains("not now");
        assertThat(row.deliveries()).isEqualTo(1);
        assertThat(row.deadMillis()).isPositive();
        assertThat(dead.list("DLQ.orders", "", "", page.next(), 9).rows()).hasSize(1);
        assertThatThrownBy(() -> dead.list("DLQ.orders", "", "", "", 0)).isInstanceOf(IllegalArgumentException.class);
        assertThat(dead.sendBack("DLQ.orders", "other", "", 9)).isEqualTo(new MoveResult(0, 0, true));
        assertThat(dead.sendBack("DLQ.orders", "orders", "name = 'm2'", 9)).isEqualTo(new MoveResult(1, 0, true));
        audit.has("sending back of dead letters in 'DLQ.orders', origin 'orders'", "done=1");
        assertThatThrownBy(() -> dead.sendBackSlowly("DLQ.orders", "", "", 1, -1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(dead.sendBackSlowly("DLQ.orders", "", "", 1, 100)).isEqualTo(new MoveResult(1, 0, false));
        await().untilAsserted(() -> assertThat(dead.getSentBack()).isEqualTo(2));
        assertThat(drain("DLQ.orders")).containsExactly("m3");
        assertThat(drain("orders")).containsExactly("m2", "m1");
    }
}
