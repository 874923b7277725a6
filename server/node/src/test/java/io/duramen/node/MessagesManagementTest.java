package io.duramen.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.management.ConnectionsMXBean;
import io.duramen.management.DestinationsMXBean;
import io.duramen.management.HeldRow;
import io.duramen.management.MessagePage;
import io.duramen.management.MessageRow;
import io.duramen.management.MessagesMXBean;
import io.duramen.management.MoveResult;
import io.duramen.management.SubscriptionsMXBean;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.io.File;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages of a node of three shards, managed through a real JMX connector. */
@Timeout(120)
class MessagesManagementTest {
    private static final long PATIENCE_MILLIS = 20_000;

    private final String name = "n" + UUID.randomUUID();
    private final AuditTrail audit = new AuditTrail(name);
    private Duramen node;
    private Connection connection;
    private Session session;
    private JmxConsole console;
    private DestinationsMXBean destinations;
    private MessagesMXBean messages;

    @BeforeEach
    void start() throws Exception {
        node = TestNodes.quick()
                .setting("node.name", name)
                .setting("log.shards", "3")
                .setting("broker.expiry-destination", "expired")
                .start();
        connection = new DuramenConnectionFactory(node.url()).createConnection();
        connection.start();
        session = connection.createSession();
        console = new JmxConsole(name);
        destinations = console.of(DestinationsMXBean.class);
        messages = console.of(MessagesMXBean.class);
    }

    @AfterEach
    void stop() throws Exception {
        audit.close();
        console.close();
        connection.close();
        node.close();
    }

    private void send(String queue, Message message) throws JMSException {
        try (MessageProducer producer = session.createProducer(session.createQueue(queue))) {
            producer.send(message);
        }
    }

    private void send(String queue, String... texts) throws JMSException {
        for (String text : texts) {
            Message message = session.createTextMessage(text);
            message.setStringProperty("name", text);
            send(queue, message);
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

    private String idOf(String queue, String text) {
        return messages.browse(queue, "name = '" + text + "'", "", 1)
                .rows()
                .get(0)
                .id();
    }

    @Test
    void shouldMakeDestinations() throws Exception {
        destinations.create("wide", "QUEUE", 4);
        audit.has("creation of QUEUE 'wide' with 4 partitions", "done: it is there");
        destinations.create("news", "topic", 0);
        assertThat(destinations.list("wide", "", 9).rows().get(0).partitions()).isEqualTo(4);
        assertThat(destinations.list("news", "", 9).rows().get(0).kind()).isEqualTo("TOPIC");
        assertThatThrownBy(() -> destinations.create("wide", "QUEUE", 4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("already");
        assertThatThrownBy(() -> destinations.create("x", "HEAP", 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> destinations.create("x", "QUEUE", 65)).isInstanceOf(IllegalArgumentException.class);
        send("wide", "m1");
        assertThat(drain("wide")).containsExactly("m1");
    }

    @Test
    void shouldAddPartitionsToADestinationInUse() throws Exception {
        destinations.create("wide", "QUEUE", 2);
        MessageConsumer consumer = session.createConsumer(session.createQueue("wide"));
        destinations.addPartitions("wide", 5);
        audit.has("adding of partitions to destination 'wide', up to 5", "done: it has so many");
        destinations.addPartitions("wide", 5);
        assertThat(destinations.list("wide", "", 9).rows().get(0).partitions()).isEqualTo(5);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            messages.sendText("wide", "m" + i); // each in the next partition
            texts.add(consumer.receive(PATIENCE_MILLIS).getBody(String.class));
        }
        assertThat(texts).hasSize(10).doesNotHaveDuplicates();
        assertThatThrownBy(() -> destinations.addPartitions("wide", 4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("it has 5, and none is ever taken away");
        assertThatThrownBy(() -> destinations.addPartitions("wide", 65)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> destinations.addPartitions("none", 2)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> destinations.addPartitions(null, 2)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldPauseDestinationsAndSubscriptions() throws Exception {
        SubscriptionsMXBean subscriptions = console.of(SubscriptionsMXBean.class);
        send("orders", "m1");
        destinations.pause("orders");
        audit.has("pause of destination 'orders'", "done: it is paused");
        assertThat(destinations.list("orders", "", 9).rows().get(0).paused()).isTrue();
        assertThat(drain("orders")).isEmpty();
        MessageConsumer waiting = session.createConsumer(session.createQueue("orders"));
        destinations.resume("orders");
        audit.has("resumption of destination 'orders'", "done: it goes on");
        assertThat(waiting.receive(PATIENCE_MILLIS).getBody(String.class)).isEqualTo("m1");
        MessageConsumer archive = session.createSharedDurableConsumer(session.createTopic("news"), "archive");
        subscriptions.pause("", "archive");
        audit.has("pause of subscription 'archive' of client id ''", "done");
        assertThat(subscriptions.list("news", 0, 9).rows().get(0).paused()).isTrue();
        messages.sendText("news", "n1");
        assertThat(archive.receiveNoWait()).isNull();
        subscriptions.resume("", "archive");
        audit.has("resumption of subscription 'archive' of client id ''", "done");
        assertThat(archive.receive(PATIENCE_MILLIS).getBody(String.class)).isEqualTo("n1");
        assertThatThrownBy(() -> destinations.pause("none")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> subscriptions.pause("", "none")).isInstanceOf(IllegalArgumentException.class);
    }

    private List<MessageRow> archived() {
        return messages.browseSubscription("", "archive", "", "", 9).rows();
    }

    private Instant sendNews(int count) throws JMSException {
        long sent = 0;
        try (MessageProducer producer = session.createProducer(session.createTopic("news"))) {
            for (int i = 0; i < count; i++) {
                Message message = session.createTextMessage("n" + i);
                producer.send(message);
                sent = message.getJMSTimestamp();
            }
        }
        return Instant.ofEpochMilli(sent);
    }

    @Test
    void shouldSeekASubscription() throws Exception {
        session.createSharedDurableConsumer(session.createTopic("news"), "archive")
                .close();
        Instant last = sendNews(6);
        SubscriptionsMXBean subscriptions = console.of(SubscriptionsMXBean.class);
        String third = archived().get(2).id();
        assertThat(subscriptions.seek("", "archive", third)).isEqualTo(new MoveResult(2, 0, true));
        audit.has("seek of subscription 'archive' of client id '' to " + third, "done=2");
        assertThat(subscriptions.seek("", "archive", "earliest")).isEqualTo(new MoveResult(0, 0, true));
        subscriptions.seek("", "archive", "1970-01-01T00:00:00Z");
        assertThat(archived()).hasSize(4);
        subscriptions.seek("", "archive", last.plusMillis(1).toString());
        assertThat(archived()).isEmpty();
        messages.sendText("news", "n7");
        assertThat(subscriptions.seek("", "archive", "latest").done()).isEqualTo(1);
    }

    @Test
    void shouldRefuseToSeekWhereNothingIs() throws Exception {
        session.createSharedDurableConsumer(session.createTopic("news"), "archive")
                .close();
        sendNews(3);
        SubscriptionsMXBean subscriptions = console.of(SubscriptionsMXBean.class);
        String first = archived().get(0).id();
        String second = archived().get(1).id();
        subscriptions.seek("", "archive", second);
        assertThatThrownBy(() -> subscriptions.seek("", "archive", first))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the first that is there is " + second);
        assertThatThrownBy(() -> subscriptions.seek("", "archive", first.replaceFirst(":.*", ":99")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not there yet");
        for (String nowhere : List.of("nowhere", "Tuesday", "99999:0", "")) {
            assertThatThrownBy(() -> subscriptions.seek("", "archive", nowhere))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> subscriptions.seek("", "none", "earliest"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldBrowseByPage() throws Exception {
        destinations.create("wide", "QUEUE", 3);
        for (int i = 0; i < 7; i++) {
            try (Session other = connection.createSession()) { // each sends to a partition of its own
                other.createProducer(session.createQueue("wide")).send(other.createTextMessage("m" + i));
            }
        }
        List<String> seen = new ArrayList<>();
        String after = "";
        do {
            MessagePage page = messages.browse("wide", "", after, 3);
            assertThat(page.rows()).hasSizeLessThanOrEqualTo(3);
            page.rows().forEach(row -> seen.add(row.preview()));
            after = page.next();
        } while (!after.isEmpty());
        assertThat(seen).containsExactlyInAnyOrder("m0", "m1", "m2", "m3", "m4", "m5", "m6");
        assertThatThrownBy(() -> messages.browse("wide", "", "", 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> messages.browse("wide", "", "x", 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> messages.browse("none", "", "", 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> messages.browse("wide", "a <", "", 1)).isInstanceOf(IllegalArgumentException.class);
        assertThat(audit.size()).isEqualTo(1);
    }

    private MessageRow shown(Message message) throws JMSException {
        send("orders", message);
        List<MessageRow> rows = messages.browse("orders", "", "", 200).rows();
        return rows.get(rows.size() - 1);
    }

    @Test
    void shouldShowAMessageWithoutOpeningIt() throws Exception {
        TextMessage text = session.createTextMessage("über\u001b[31m " + "x".repeat(1000));
        text.setJMSType("bill");
        text.setJMSCorrelationID("c1");
        text.setJMSReplyTo(session.createQueue("answers"));
        text.setStringProperty("region", "north\u0007");
        text.setIntProperty("count", 7);
        MessageRow row = shown(text);
        assertThat(row.messageId()).isEqualTo(text.getJMSMessageID());
        assertThat(row.type()).isEqualTo("bill");
        assertThat(row.correlationId()).isEqualTo("c1");
        assertThat(row.replyTo()).isEqualTo("QUEUE answers");
        assertThat(row.properties()).isEqualTo(Map.of("region", "north?", "count", "7"));
        assertThat(row.preview()).startsWith("über?[31m x").hasSizeLessThanOrEqualTo(MessagesMXBean.PREVIEW_MAX);
        assertThat(row.bodyBytes()).isEqualTo(1011);
        assertThat(row.timestampMillis()).isEqualTo(text.getJMSTimestamp());
        assertThat(row.priority()).isEqualTo(4);
        assertThat(row.persistent()).isTrue();
        assertThat(row.standing()).isEqualTo("READY");
        assertThat(messages.read("orders", row.id()).preview()).endsWith("xxx").hasSize(1010);
        BytesMessage bytes = session.createBytesMessage();
        bytes.writeBytes(new byte[] {1, (byte) 0xAB});
        assertThat(shown(bytes).preview()).isEqualTo("01ab");
        MapMessage map = session.createMapMessage();
        map.setString("a", "b");
        assertThat(shown(map).preview()).isEqualTo("{a=b}");
        MessageRow object = shown(session.createObjectMessage(new File("x")));
        assertThat(object.bodyType()).isEqualTo("OBJECT");
        assertThat(object.preview()).isEqualTo("(a serialized object, not opened)");
        assertThatThrownBy(() -> messages.read("orders", "1:99")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldBrowseASubscription() throws Exception {
        session.createSharedDurableConsumer(session.createTopic("news"), "archive")
                .close();
        messages.sendText("news", "n1");
        assertThat(messages.browseSubscription("", "archive", "", "", 9).rows())
                .extracting(MessageRow::preview)
                .containsExactly("n1");
        assertThatThrownBy(() -> messages.browseSubscription("", "none", "", "", 9))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldSendAMessage() throws Exception {
        destinations.create("orders", "QUEUE", 1);
        String id = messages.send("orders", "héllo", Map.of("region", "north"), 7, 60_000);
        audit.has("sending of a text of 5 characters to 'orders'", "done: " + id);
        messages.sendText("orders", "second");
        try (MessageConsumer consumer = session.createConsumer(session.createQueue("orders"), "region = 'north'")) {
            TextMessage message = (TextMessage) consumer.receive(PATIENCE_MILLIS);
            assertThat(message.getText()).isEqualTo("héllo");
            assertThat(message.getJMSMessageID()).isEqualTo(id);
            assertThat(message.getJMSPriority()).isEqualTo(7);
            assertThat(message.getJMSExpiration()).isEqualTo(message.getJMSTimestamp() + 60_000);
        }
        assertThat(drain("orders")).containsExactly("second");
        assertThatThrownBy(() -> messages.sendText("none", "x")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> messages.send("orders", "x", Map.of("JMSx", ""), 4, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> messages.send("orders", "x", Map.of(), 10, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> messages.send("orders", "x", Map.of(), 4, -1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> messages.sendText("orders", "x".repeat(MessagesMXBean.TEXT_MAX + 1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldMoveAndCopyToQueuesOfAllShards() throws Exception {
        send("from", "m1", "m2", "m3", "m4");
        for (String to : List.of("a", "b", "c")) { // one in each shard
            destinations.create(to, "QUEUE", 1);
            assertThat(messages.copy("from", "name <> 'm4'", to, 1)).isEqualTo(new MoveResult(1, 0, false));
            assertThat(messages.move("from", "", to, 1)).isEqualTo(new MoveResult(1, 0, false));
            audit.has("move of messages of queue 'from' to '" + to + "', selector '', limit 1", "done=1");
        }
        assertThat(drain("a")).containsExactly("m1", "m1");
        assertThat(drain("b")).containsExactly("m2", "m2");
        assertThat(drain("c")).containsExactly("m3", "m3");
        assertThat(drain("from")).containsExactly("m4");
        await().untilAsserted(() -> assertThat(messages.getMoved()).isEqualTo(3));
        await().untilAsserted(() -> assertThat(messages.getCopied()).isEqualTo(3));
        assertThatThrownBy(() -> messages.move("from", "", "from", 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> messages.move("from", "", "none", 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> messages.move("none", "", "a", 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> messages.copy("from", "", "a", 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldDealWithSingleMessages() throws Exception {
        send("from", "m1", "m2", "m3", "m4", "m5");
        destinations.create("to", "QUEUE", 1);
        String first = idOf("from", "m1");
        messages.deleteOne("from", first);
        audit.has("delete of message " + first + " of queue 'from'", "done");
        messages.moveOne("from", idOf("from", "m2"), "to");
        messages.copyOne("from", idOf("from", "m3"), "to");
        messages.expireOne("from", idOf("from", "m4"));
        assertThat(messages.expire("from", "name = 'm5'", 9)).isEqualTo(new MoveResult(1, 0, true));
        assertThat(drain("from")).containsExactly("m3");
        assertThat(drain("to")).containsExactly("m2", "m3");
        assertThat(drain("expired")).containsExactly("m4", "m5");
        assertThatThrownBy(() -> messages.deleteOne("from", first))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("settled");
        assertThatThrownBy(() -> messages.deleteOne("from", "99:1")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldShowWhoHoldsAMessageAndTakeItBack() throws Exception {
        try (Connection slow = new DuramenConnectionFactory(node.url()).createConnection()) {
            slow.setClientID("slow");
            slow.start();
            Session holding = slow.createSession(Session.CLIENT_ACKNOWLEDGE);
            send("orders", "m1");
            MessageConsumer consumer = holding.createConsumer(holding.createQueue("orders"));
            Message held = consumer.receive(PATIENCE_MILLIS);
            List<HeldRow> rows = messages.held("orders", "", 10).rows();
            assertThat(rows).hasSize(1);
            HeldRow row = rows.get(0);
            assertThat(row.clientId()).isEqualTo("slow");
            assertThat(row.messageId()).isEqualTo(held.getJMSMessageID());
            assertThat(row.heldMillis()).isNotNegative();
            assertThat(console.of(ConnectionsMXBean.class).list(row.connection() - 1, 1))
                    .allMatch(one -> one.clientId().equals("slow"));
            assertThatThrownBy(() -> messages.deleteOne("orders", row.id()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("HELD");
            consumer.close();
            messages.takeBack("orders", row.id());
            audit.has("taking back of message " + row.id() + " of queue 'orders'", "done");
            Message again =
                    session.createConsumer(session.createQueue("orders")).receive(PATIENCE_MILLIS);
            assertThat(again.getBody(String.class)).isEqualTo("m1");
            assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
        }
        assertThatThrownBy(() -> messages.takeBack("orders", "1:99")).isInstanceOf(IllegalArgumentException.class);
    }
}
