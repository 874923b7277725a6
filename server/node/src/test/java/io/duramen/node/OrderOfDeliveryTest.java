package io.duramen.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.jms.DuramenConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Priority, delivery delay, expiration and message groups, from the JMS API to a node and back. */
@Timeout(120)
class OrderOfDeliveryTest {
    private static final long PATIENCE_MILLIS = 20_000;

    @TempDir
    Path data;

    private Duramen start() throws Exception {
        return TestNodes.embedded()
                .dataDirectory(data)
                .port(0)
                .setting("broker.expiry-destination", "expired")
                .setting("broker.expiry-interval", "50ms")
                .start();
    }

    private static Connection connect(Duramen node, String options) throws JMSException {
        Connection connection = new DuramenConnectionFactory(node.url() + "?" + options).createConnection();
        connection.start();
        return connection;
    }

    private static List<String> receive(MessageConsumer consumer, int count) throws JMSException {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Message message = consumer.receive(PATIENCE_MILLIS);
            assertThat(message).as("after %s", texts).isNotNull();
            texts.add(message.getBody(String.class));
        }
        return texts;
    }

    /** JMS 3.1 §3.4.10. */
    @Test
    void shouldHandOutByPriority() throws Exception {
        try (Duramen node = start();
                Connection connection = connect(node, "prefetch=10")) {
            Session session = connection.createSession();
            Queue queue = session.createQueue("orders");
            MessageProducer producer = session.createProducer(queue);
            for (int priority = 0; priority <= 9; priority++) {
                producer.setPriority(priority);
                producer.send(session.createTextMessage("p" + priority + "a"));
                producer.send(session.createTextMessage("p" + priority + "b"));
            }
            List<String> expected = new ArrayList<>();
            for (int priority = 9; priority >= 0; priority--) {
                expected.add("p" + priority + "a");
                expected.add("p" + priority + "b");
            }
            assertThat(receive(session.createConsumer(queue), 20)).isEqualTo(expected);
        }
    }

    /** JMS 3.1 §7.9 and §3.4.13; the node is restarted while a message waits. */
    @Test
    void shouldDelayDeliveryAcrossARestart() throws Exception {
        long sent;
        try (Duramen node = start();
                Connection connection = connect(node, "")) {
            Session session = connection.createSession();
            MessageProducer producer = session.createProducer(session.createQueue("orders"));
            producer.setDeliveryDelay(4000);
            sent = System.currentTimeMillis();
            TextMessage later = session.createTextMessage("later");
            producer.send(later);
            assertThat(later.getJMSDeliveryTime()).isEqualTo(later.getJMSTimestamp() + 4000);
            producer.setDeliveryDelay(2000);
            producer.send(session.createTextMessage("sooner"));
            producer.setDeliveryDelay(0);
            producer.send(session.createTextMessage("now"));
        }
        try (Duramen node = start();
                Connection connection = connect(node, "")) {
            Session session = connection.createSession();
            MessageConsumer consumer = session.createConsumer(session.createQueue("orders"));
            List<String> texts = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                Message message = consumer.receive(PATIENCE_MILLIS);
                texts.add(message.getBody(String.class));
                assertThat(System.currentTimeMillis()).isGreaterThanOrEqualTo(message.getJMSDeliveryTime());
            }
            assertThat(texts).contains("now").containsSubsequence("sooner", "later");
            assertThat(System.currentTimeMillis() - sent).isGreaterThanOrEqualTo(4000);
        }
    }

    /** JMS 3.1 §3.4.9; moved though nobody consumes where it expired. */
    @Test
    void shouldMoveExpiredMessages() throws Exception {
        try (Duramen node = start();
                Connection connection = connect(node, "")) {
            Session session = connection.createSession();
            Queue queue = session.createQueue("orders");
            MessageProducer producer = session.createProducer(queue);
            producer.setTimeToLive(200);
            TextMessage message = session.createTextMessage("brief");
            message.setStringProperty("region", "EU");
            producer.send(message);
            Message moved =
                    session.createConsumer(session.createQueue("expired")).receive(PATIENCE_MILLIS);
            assertThat(moved.getBody(String.class)).isEqualTo("brief");
            assertThat(moved.getStringProperty("region")).isEqualTo("EU");
            assertThat(moved.getStringProperty("JMS_Duramen_Origin")).isEqualTo("orders");
            assertThat(moved.getLongProperty("JMS_Duramen_ExpiredAt")).isEqualTo(message.getJMSExpiration());
            assertThat(moved.getJMSExpiration()).isZero();
            assertThat(moved.getJMSMessageID()).isEqualTo(message.getJMSMessageID());
            assertThat(session.createConsumer(queue).receiveNoWait()).isNull();
        }
    }

    private static void sendGroups(Session session, Queue queue, int groups, int each) throws JMSException {
        MessageProducer producer = session.createProducer(queue);
        for (int number = 0; number < each; number++) {
            for (int group = 0; group < groups; group++) {
                TextMessage message = session.createTextMessage("m" + number);
                message.setStringProperty("JMSXGroupID", "g" + group);
                message.setIntProperty("JMSXGroupSeq", number);
                producer.send(message);
            }
        }
    }

    /** JMS 3.1 §3.5.9: JMSXGroupID and JMSXGroupSeq. */
    @Test
    void shouldKeepEachGroupWithOneConsumerInItsOrder() throws Exception {
        int groups = 12;
        int each = 20;
        try (Duramen node = start();
                Connection connection = connect(node, "prefetch=3")) {
            Session sending = connection.createSession();
            Queue queue = sending.createQueue("orders");
            List<MessageConsumer> consumers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                consumers.add(connection.createSession().createConsumer(queue));
            }
            sendGroups(sending, queue, groups, each);
            Map<String, Integer> next = new HashMap<>();
            Map<String, Set<Integer>> owners = new HashMap<>();
            Integer[] counts = {0, 0, 0};
            for (int received = 0, turn = 0; received < groups * each; turn = (turn + 1) % consumers.size()) {
                Message message = consumers.get(turn).receive(20);
                if (message != null) {
                    received++;
                    counts[turn]++;
                    String group = message.getStringProperty("JMSXGroupID");
                    assertThat(message.getIntProperty("JMSXGroupSeq"))
                            .isEqualTo(next.merge(group, 1, Integer::sum) - 1);
                    owners.computeIfAbsent(group, none -> new HashSet<>()).add(turn);
                }
            }
            assertThat(owners.values()).allSatisfy(owner -> assertThat(owner).hasSize(1));
            assertThat(counts)
                    .as("each has several groups")
                    .allSatisfy(count -> assertThat(count).isGreaterThanOrEqualTo(2 * each));
        }
    }
}
