package io.duramen.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.jms.DuramenConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.InvalidSelectorRuntimeException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Selectors and noLocal through the API, over TCP, to a node (sections 3.8, 4.1.2, 8.3). */
@Timeout(120)
class SelectorsNodeTest {
    private static final long PATIENCE_MILLIS = 20_000;

    @TempDir
    Path data;

    private Duramen node;
    private Connection connection;
    private Session session;

    @BeforeEach
    void start() throws Exception {
        node = TestNodes.embedded().dataDirectory(data).start();
        connection = connect("");
        session = connection.createSession();
    }

    @AfterEach
    void stop() throws Exception {
        connection.close();
        node.close();
    }

    private Connection connect(String options) throws JMSException {
        Connection opened = new DuramenConnectionFactory(node.url() + options).createConnection();
        opened.start();
        return opened;
    }

    /** @param color and number make the text */
    private static void send(Session by, MessageProducer producer, String color, int number) throws JMSException {
        TextMessage message = by.createTextMessage(color + number);
        message.setStringProperty("color", color);
        message.setIntProperty("number", number);
        producer.send(message);
    }

    private static String next(MessageConsumer consumer) throws JMSException {
        Message message = consumer.receive(PATIENCE_MILLIS);
        return message == null ? null : message.getBody(String.class);
    }

    @Test
    void shouldRefuseASelectorThatIsNoneWhenItIsGiven() throws Exception {
        Queue queue = session.createQueue("orders");
        Topic topic = session.createTopic("news");
        assertThatThrownBy(() -> session.createConsumer(queue, "color ="))
                .isInstanceOf(InvalidSelectorException.class)
                .hasMessageContaining("character 8");
        assertThatThrownBy(() -> session.createConsumer(topic, "'x"))
                .isInstanceOf(InvalidSelectorException.class)
                .hasMessageContaining("character 1");
        assertThatThrownBy(() -> session.createSharedConsumer(topic, "s", "a ="))
                .isInstanceOf(InvalidSelectorException.class);
        assertThatThrownBy(() -> session.createSharedDurableConsumer(topic, "s", "a ="))
                .isInstanceOf(InvalidSelectorException.class);
        assertThatThrownBy(() -> session.createBrowser(queue, "a =").getEnumeration())
                .isInstanceOf(InvalidSelectorException.class);
        try (JMSContext context = new DuramenConnectionFactory(node.url()).createContext()) {
            assertThatThrownBy(() -> context.createConsumer(queue, "a ="))
                    .isInstanceOf(InvalidSelectorRuntimeException.class);
        }
    }

    @Test
    void shouldHaveNoSelectorWhenItIsNullEmptyOrBlank() throws Exception {
        Queue queue = session.createQueue("orders");
        for (String none : new String[] {null, "", "  "}) {
            try (MessageConsumer consumer = session.createConsumer(queue, none)) {
                assertThat(consumer.getMessageSelector()).isNull();
                send(session, session.createProducer(queue), "red", 1);
                assertThat(next(consumer)).isEqualTo("red1");
            }
        }
    }

    @Test
    void shouldSeeHeadersAsTheApplicationSetThem() throws Exception {
        Queue queue = session.createQueue("orders");
        MessageProducer producer = session.createProducer(queue);
        TextMessage message = session.createTextMessage("found");
        message.setJMSCorrelationID("c-1");
        message.setJMSType("car");
        message.setStringProperty("JMSXGroupID", "g");
        message.setDoubleProperty("weight", 2500.5);
        message.setBooleanProperty("new", true);
        producer.send(message, DeliveryMode.NON_PERSISTENT, 7, 0);
        for (String selector : List.of(
                "JMSMessageID = '" + message.getJMSMessageID() + "'",
                "JMSCorrelationID = 'c-1' AND JMSType IN ('bike', 'car')",
                "JMSPriority BETWEEN 7 AND 9 AND JMSDeliveryMode = 'NON_PERSISTENT'",
                "JMSTimestamp = " + message.getJMSTimestamp(),
                "JMSXGroupID LIKE '_' AND new AND weight > 2500 AND absent IS NULL")) {
            Enumeration<?> browsed = session.createBrowser(queue, selector).getEnumeration();
            assertThat(Collections.list(browsed)).as(selector).hasSize(1);
            try (Session other = connection.createSession(Session.SESSION_TRANSACTED);
                    MessageConsumer consumer = other.createConsumer(queue, selector)) {
                assertThat(next(consumer)).as(selector).isEqualTo("found");
                other.rollback();
            }
        }
    }

    @Test
    void shouldGiveEachWhatItWantsAndAgainAfterARollback() throws Exception {
        Queue queue = session.createQueue("orders");
        MessageProducer producer = session.createProducer(queue);
        try (Session redSession = connection.createSession(Session.SESSION_TRANSACTED);
                Session oddSession = connection.createSession(Session.CLIENT_ACKNOWLEDGE)) {
            MessageConsumer red = redSession.createConsumer(queue, "color = 'red'");
            MessageConsumer odd = oddSession.createConsumer(queue, "color <> 'red' AND number / 2 * 2 <> number");
            for (int i = 0; i < 6; i++) {
                send(session, producer, "red", i);
                send(session, producer, "blue", i);
            }
            assertThat(List.of(next(red), next(red))).containsExactly("red0", "red1");
            redSession.rollback();
            for (int i = 0; i < 6; i++) {
                Message message = red.receive(PATIENCE_MILLIS);
                assertThat(message.getBody(String.class)).isEqualTo("red" + i);
                assertThat(message.getIntProperty("JMSXDeliveryCount")).isEqualTo(i < 2 ? 2 : 1);
            }
            redSession.commit();
            assertThat(List.of(next(odd), next(odd), next(odd))).containsExactly("blue1", "blue3", "blue5");
            MessageConsumer plain = session.createConsumer(queue);
            assertThat(List.of(next(plain), next(plain), next(plain))).containsExactly("blue0", "blue2", "blue4");
            assertThat(plain.receiveNoWait()).isNull();
        }
    }

    @Test
    void shouldFindTheReplyWhenAConsumerIsMadeForEachRequest() throws Exception {
        Queue replies = session.createQueue("replies");
        MessageProducer producer = session.createProducer(replies);
        for (int i = 0; i < 500; i++) {
            Message reply = session.createTextMessage("r" + i);
            reply.setJMSCorrelationID("c" + i);
            producer.send(reply);
        }
        List<MessageConsumer> waiting = new ArrayList<>();
        for (int i = 499; i >= 0; i -= 2) {
            try (MessageConsumer consumer = session.createConsumer(replies, "JMSCorrelationID = 'c" + i + "'")) {
                assertThat(next(consumer)).isEqualTo("r" + i);
            }
            waiting.add(session.createConsumer(replies, "JMSCorrelationID = 'd" + i + "'"));
        }
        for (int i = 0; i < waiting.size(); i++) {
            Message reply = session.createTextMessage("s" + i);
            reply.setJMSCorrelationID("d" + (499 - 2 * i));
            producer.send(reply);
        }
        for (int i = 0; i < waiting.size(); i++) {
            assertThat(next(waiting.get(i))).isEqualTo("s" + i);
        }
    }

    @Test
    void shouldLeaveOutWhatTheOwnConnectionPublished() throws Exception {
        Topic topic = session.createTopic("news");
        MessageConsumer foreign = session.createConsumer(topic, "number > 0", true);
        MessageConsumer all = session.createConsumer(topic);
        send(session, session.createProducer(topic), "own", 1);
        try (Session transacted = connection.createSession(Session.SESSION_TRANSACTED)) {
            send(transacted, transacted.createProducer(topic), "own", 2);
            transacted.commit();
        }
        try (Connection other = connect("")) {
            Session publishing = other.createSession();
            MessageProducer producer = publishing.createProducer(topic);
            send(publishing, producer, "other", 0);
            send(publishing, producer, "other", 3);
        }
        assertThat(next(foreign)).isEqualTo("other3");
        assertThat(List.of(next(all), next(all), next(all), next(all)))
                .containsExactly("own1", "own2", "other0", "other3");
    }

    @Test
    void shouldLeaveOutWhatTheClientIdPublishedWhenTheSubscriptionIsDurable() throws Exception {
        Topic topic = session.createTopic("news");
        try (Connection mine = connect("?clientId=me")) {
            mine.createSession().createDurableConsumer(topic, "d", null, true).close();
        }
        try (Connection mine = connect("?clientId=me")) {
            Session publishing = mine.createSession();
            send(publishing, publishing.createProducer(topic), "own", 1);
        }
        send(session, session.createProducer(topic), "other", 2);
        try (Connection mine = connect("?clientId=me")) {
            MessageConsumer consumer = mine.createSession().createDurableConsumer(topic, "d", null, true);
            assertThat(next(consumer)).isEqualTo("other2");
        }
    }

    @Test
    void shouldReplaceADurableSubscriptionWhenItsSelectorChanges() throws Exception {
        Topic topic = session.createTopic("news");
        MessageProducer producer = session.createProducer(topic);
        try (Connection mine = connect("?clientId=me")) {
            Session own = mine.createSession();
            own.createDurableConsumer(topic, "d", "color = 'red'", false).close();
            send(session, producer, "red", 1);
            MessageConsumer blue = own.createDurableConsumer(topic, "d", "color = 'blue'", false);
            assertThatThrownBy(() -> own.createDurableConsumer(topic, "d", "color = 'red'", false))
                    .isInstanceOf(JMSException.class);
            send(session, producer, "red", 2);
            send(session, producer, "blue", 3);
            assertThat(next(blue)).isEqualTo("blue3");
            MessageConsumer shared = own.createSharedConsumer(topic, "s", "color = 'red'");
            assertThatThrownBy(() -> own.createSharedConsumer(topic, "s", "color = 'blue'"))
                    .isInstanceOf(JMSException.class);
            own.createSharedConsumer(topic, "s", "color = 'red'").close();
            shared.close();
            own.createSharedConsumer(topic, "s", "color = 'blue'").close();
        }
    }
}
