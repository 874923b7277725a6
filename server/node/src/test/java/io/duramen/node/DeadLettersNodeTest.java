package io.duramen.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.jms.AcknowledgeModes;
import io.duramen.jms.DeadLetters;
import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.DuramenXAConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.nio.file.Path;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Messages that an application cannot process, over TCP: what counts, and where they are found in the end. */
@Timeout(120)
class DeadLettersNodeTest {
    private static final long PATIENCE_MILLIS = 20_000;
    private static final int MAX = 3;

    @TempDir
    Path data;

    private Duramen node;
    private Connection connection;

    @BeforeEach
    void start() throws Exception {
        node = TestNodes.embedded()
                .dataDirectory(data)
                .port(0)
                .setting("broker.deliveries-max", "" + MAX)
                .setting("broker.redelivery-delay", "20ms")
                .start();
        connection = new DuramenConnectionFactory(node.url()).createConnection();
        connection.start();
        try (Session session = connection.createSession()) {
            Message message = session.createTextMessage("poison");
            message.setStringProperty("colour", "red");
            message.setJMSCorrelationID("c-1");
            session.createProducer(session.createQueue("orders")).send(message);
        }
    }

    @AfterEach
    void stop() throws Exception {
        connection.close();
        node.close();
    }

    private Message dead(String queue) throws JMSException {
        try (Session session = connection.createSession()) {
            return session.createConsumer(session.createQueue(queue)).receive(PATIENCE_MILLIS);
        }
    }

    private Message receive(Session session, int count) throws JMSException {
        try (MessageConsumer consumer = session.createConsumer(session.createQueue("orders"))) {
            Message message = consumer.receive(PATIENCE_MILLIS);
            assertThat(message.getIntProperty("JMSXDeliveryCount")).isEqualTo(count);
            return message;
        }
    }

    private void isDead(Message letter, String code, String cause) throws JMSException {
        assertThat(letter.getBody(String.class)).isEqualTo("poison");
        assertThat(letter.getStringProperty("colour")).isEqualTo("red");
        assertThat(letter.getJMSCorrelationID()).isEqualTo("c-1");
        assertThat(letter.getStringProperty(DeadLetters.ORIGIN)).isEqualTo("orders");
        assertThat(letter.getStringProperty(DeadLetters.MESSAGE_ID)).isEqualTo(letter.getJMSMessageID());
        assertThat(letter.getStringProperty(DeadLetters.CAUSE_CODE)).isEqualTo(code);
        assertThat(letter.getStringProperty(DeadLetters.CAUSE)).contains(cause);
        assertThat(letter.getLongProperty(DeadLetters.DEAD_AT)).isPositive();
        assertThat(letter.getJMSRedelivered()).isFalse();
        try (Session session = connection.createSession()) {
            MessageConsumer consumer = session.createConsumer(session.createQueue("orders"));
            assertThat(consumer.receiveNoWait()).isNull();
        }
    }

    @Test
    void shouldBeFoundAfterTheLastRollback() throws Exception {
        try (Session session = connection.createSession(true, Session.SESSION_TRANSACTED)) {
            for (int i = 1; i <= MAX; i++) {
                receive(session, i);
                session.rollback();
            }
        }
        Message letter = dead("DLQ.orders");
        isDead(letter, "DELIVERIES_MAX", "delivered 3 times");
        assertThat(letter.getLongProperty(DeadLetters.DELIVERY_COUNT)).isEqualTo(MAX);
    }

    @Test
    void shouldBeFoundAfterTheLastRecover() throws Exception {
        try (Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE)) {
            for (int i = 1; i <= MAX; i++) {
                receive(session, i);
                session.recover();
            }
        }
        isDead(dead("DLQ.orders"), "DELIVERIES_MAX", "delivered 3 times");
    }

    @Test
    void shouldBeFoundWithWhatTheListenerThrew() throws Exception {
        try (Session session = connection.createSession()) {
            session.createConsumer(session.createQueue("orders")).setMessageListener(message -> {
                throw new IllegalArgumentException("no such article");
            });
            isDead(dead("DLQ.orders"), "DELIVERIES_MAX", "IllegalArgumentException: no such article");
        }
    }

    @Test
    void shouldBeFoundAtOnceWhenRefused() throws Exception {
        try (Session session = connection.createSession(AcknowledgeModes.INDIVIDUAL)) {
            Message message = receive(session, 1);
            DeadLetters.refuse(message, "no such article");
            assertThatThrownBy(() -> DeadLetters.refuse(message, "again")).isInstanceOf(IllegalStateException.class);
        }
        isDead(dead("DLQ.orders"), "REFUSED", "refused by its consumer: no such article");
    }

    @Test
    void shouldBeRefusedByAListenerAndWhateverBecomesOfATransaction() throws Exception {
        try (Session session = connection.createSession()) {
            session.createConsumer(session.createQueue("orders")).setMessageListener(message -> {
                try {
                    DeadLetters.refuse(message, "by a listener");
                } catch (JMSException e) {
                    throw new AssertionError(e);
                }
            });
            isDead(dead("DLQ.orders"), "REFUSED", "by a listener");
        }
        try (Session session = connection.createSession(true, Session.SESSION_TRANSACTED)) {
            session.createProducer(session.createQueue("orders")).send(session.createTextMessage("second"));
            session.commit();
            DeadLetters.refuse(receive(session, 1), "in a transaction");
            session.rollback();
        }
        assertThat(dead("DLQ.orders").getBody(String.class)).isEqualTo("second");
    }

    @Test
    void shouldCountRollbacksOfBranches() throws Exception {
        try (XAConnection xa = new DuramenXAConnectionFactory(node.url()).createXAConnection();
                XASession session = xa.createXASession()) {
            xa.start();
            XAResource resource = session.getXAResource();
            for (int i = 1; i <= MAX; i++) {
                Xid xid = new TestXid("dead" + i);
                resource.start(xid, XAResource.TMNOFLAGS);
                receive(session, i);
                resource.end(xid, XAResource.TMSUCCESS);
                if (i == 2) {
                    resource.prepare(xid);
                }
                resource.rollback(xid);
            }
        }
        isDead(dead("DLQ.orders"), "DELIVERIES_MAX", "delivered 3 times");
    }

    @Test
    void shouldNotCountWhatIsSentAheadAndNeverSeen() throws Exception {
        for (int i = 0; i < 3 * MAX; i++) {
            try (Connection other = new DuramenConnectionFactory(node.url()).createConnection();
                    Session session = other.createSession(Session.CLIENT_ACKNOWLEDGE)) {
                session.createConsumer(session.createQueue("orders"));
                other.start();
            }
        }
        try (Session session = connection.createSession()) {
            receive(session, 1);
        }
    }

    @Test
    void shouldComeAgainWhenSentBackThoughItHasADedupId() throws Exception {
        try (Session session = connection.createSession(true, Session.SESSION_TRANSACTED)) {
            DeadLetters.refuse(receive(session, 1), "not this one");
            Message guarded = session.createTextMessage("guarded");
            guarded.setStringProperty("JMS_Duramen_DedupId", "id-1");
            guarded.setStringProperty("JMSXGroupID", "g");
            session.createProducer(session.createQueue("orders")).send(guarded);
            session.commit();
            DeadLetters.refuse(receive(session, 1), "not yet");
            try (MessageConsumer dead =
                    session.createConsumer(session.createQueue("DLQ.orders"), "JMSXGroupID = 'g'")) {
                DeadLetters.sendBack(session, dead.receive(PATIENCE_MILLIS));
            }
            session.commit();
            Message again = receive(session, 1);
            assertThat(again.getBody(String.class)).isEqualTo("guarded");
            assertThat(again.getStringProperty("JMSXGroupID")).isEqualTo("g");
            assertThat(again.propertyExists(DeadLetters.CAUSE)).isFalse();
            assertThatThrownBy(() -> DeadLetters.sendBack(session, again)).isInstanceOf(IllegalStateException.class);
            session.commit();
        }
    }

    @Test
    void shouldCountForEachSubscription() throws Exception {
        try (Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
                MessageConsumer failing = session.createSharedDurableConsumer(session.createTopic("news"), "failing");
                Session fine = connection.createSession();
                MessageConsumer other = fine.createSharedDurableConsumer(fine.createTopic("news"), "fine")) {
            fine.createProducer(fine.createTopic("news")).send(fine.createTextMessage("poison"));
            for (int i = 1; i <= MAX; i++) {
                assertThat(failing.receive(PATIENCE_MILLIS).getIntProperty("JMSXDeliveryCount"))
                        .isEqualTo(i);
                session.rollback();
            }
            Message letter = dead("DLQ.news");
            assertThat(letter.getStringProperty(DeadLetters.SUBSCRIPTION)).isEqualTo("failing");
            assertThat(letter.getStringProperty(DeadLetters.ORIGIN)).isEqualTo("news");
            assertThat(other.receive(PATIENCE_MILLIS).getBody(String.class)).isEqualTo("poison");
        }
    }

    @Test
    void shouldBeReceivedThoughItHasGrownBeyondTheLongestThatCanBeSent() throws Exception {
        stop();
        node = TestNodes.embedded()
                .dataDirectory(data)
                .setting("network.frame-length-max", "64KiB")
                .start();
        connection = new DuramenConnectionFactory(node.url()).createConnection();
        connection.start();
        int longest = sendLongest("full");
        try (Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE)) {
            MessageConsumer consumer = session.createConsumer(session.createQueue("full"));
            DeadLetters.refuse(consumer.receive(PATIENCE_MILLIS), "x".repeat(512));
        }
        Message letter = dead("DLQ.full");
        assertThat(letter.getStringProperty("much")).hasSize(longest);
        assertThat(letter.getStringProperty(DeadLetters.CAUSE)).contains("xxx");
    }

    /** Sends one with the longest property that just goes, and says how long that is. */
    private int sendLongest(String queue) throws JMSException {
        try (Session session = connection.createSession()) {
            MessageProducer producer = session.createProducer(session.createQueue(queue));
            for (int length = 64 * 1024; true; length -= 8) {
                Message message = session.createMessage();
                message.setStringProperty("much", "m".repeat(length));
                try {
                    producer.send(message);
                    return length;
                } catch (JMSException tooLong) {
                    assertThat(length).as(tooLong.toString()).isGreaterThan(60 * 1024);
                }
            }
        }
    }
}
