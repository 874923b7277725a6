package io.duramen.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.jms.AcknowledgeModes;
import io.duramen.jms.DuramenConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who gets how many messages when, and what counts as delivered: a slow consumer must not keep them from others. */
@Timeout(120)
class FlowTest {
    private static final long PATIENCE_MILLIS = 20_000;

    @TempDir
    Path data;

    private Duramen node;
    private Connection connection;
    private final CountDownLatch mayReturn = new CountDownLatch(1);
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

    @BeforeEach
    void start() throws Exception {
        node = TestNodes.embedded()
                .dataDirectory(data)
                .setting("broker.recall-after", "100ms")
                .setting("broker.redelivery-delay", "0s")
                .start();
    }

    @AfterEach
    void end() throws Exception {
        mayReturn.countDown();
        connection.close();
        node.close();
    }

    private void connect(String options) throws JMSException {
        connection = new DuramenConnectionFactory(node.url() + "?" + options).createConnection();
        connection.start();
    }

    private static void send(Session session, Queue queue, int from, int to) throws JMSException {
        MessageProducer producer = session.createProducer(queue);
        for (int i = from; i < to; i++) {
            producer.send(session.createTextMessage("m" + i));
        }
    }

    private static String told(Message message) throws JMSException {
        return message == null
                ? null
                : message.getBody(String.class) + "/" + message.getIntProperty("JMSXDeliveryCount");
    }

    private void awaitFirst(String text, Queue queue) throws JMSException {
        Session session = connection.createSession();
        String first = null;
        while (!text.equals(first)) {
            try (QueueBrowser browser = session.createBrowser(queue)) {
                first = ((Message) browser.getEnumeration().nextElement()).getBody(String.class);
            }
        }
    }

    private void hearAndWait(Message message) {
        try {
            heard.add(told(message));
            mayReturn.await();
        } catch (JMSException | InterruptedException e) {
            heard.add(e.toString());
        }
    }

    private String heard() throws InterruptedException {
        return heard.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Test
    void shouldGiveToAnIdleConsumerInOrderWhatASlowListenerHasNotSeen() throws Exception {
        connect("");
        Session session = connection.createSession();
        Queue queue = session.createQueue("orders");
        send(session, queue, 0, 10);
        connection.createSession().createConsumer(queue).setMessageListener(this::hearAndWait);
        assertThat(heard()).isEqualTo("m0/1");
        MessageConsumer idle = connection.createSession().createConsumer(queue);
        for (int i = 1; i < 10; i++) {
            assertThat(told(idle.receive(PATIENCE_MILLIS))).isEqualTo("m" + i + "/1");
        }
        mayReturn.countDown();
        send(session, queue, 10, 12);
        TreeSet<String> both = new TreeSet<>();
        String next = heard.poll();
        while (both.size() < 2) {
            if (next != null) {
                both.add(next);
            }
            next = told(idle.receive(10));
            next = next == null ? heard.poll() : next;
        }
        assertThat(both).as("the listener goes on, too").containsExactly("m10/1", "m11/1");
    }

    @Test
    void shouldGiveToAnIdleConsumerWhatACachedOneHoldsBetweenReceives() throws Exception {
        connect("");
        Session session = connection.createSession();
        Queue queue = session.createQueue("orders");
        MessageConsumer cached = connection.createSession().createConsumer(queue);
        send(session, queue, 0, 3);
        assertThat(told(cached.receive(PATIENCE_MILLIS))).isEqualTo("m0/1");
        awaitFirst("m1", queue); // the node knows what the cached one has had
        MessageConsumer idle = connection.createSession().createConsumer(queue);
        assertThat(told(idle.receive(PATIENCE_MILLIS))).isEqualTo("m1/1");
        assertThat(told(idle.receive(PATIENCE_MILLIS))).isEqualTo("m2/1");
        idle.close();
        send(session, queue, 3, 4);
        assertThat(told(cached.receive(PATIENCE_MILLIS))).isEqualTo("m3/1");
    }

    @Test
    void shouldFetchOneAtATimeForAListenerWhenPrefetchIsZero() throws Exception {
        connect("prefetch=0");
        Session session = connection.createSession();
        Queue queue = session.createQueue("orders");
        send(session, queue, 0, 4);
        connection.createSession().createConsumer(queue).setMessageListener(this::hearAndWait);
        assertThat(heard()).isEqualTo("m0/1");
        MessageConsumer other = connection.createSession().createConsumer(queue);
        assertThat(told(other.receiveNoWait())).isEqualTo("m1/1");
        assertThat(told(other.receive(PATIENCE_MILLIS))).isEqualTo("m2/1");
        mayReturn.countDown();
        assertThat(heard()).isEqualTo("m3/1");
        assertThat(other.receiveNoWait()).isNull();
    }

    @Test
    void shouldLeaveNothingWithAConsumerWhoseReceiveGaveUpWhenPrefetchIsZero() throws Exception {
        connect("prefetch=0");
        Session session = connection.createSession();
        Queue queue = session.createQueue("orders");
        MessageConsumer gaveUp = connection.createSession().createConsumer(queue);
        assertThat(gaveUp.receive(1)).isNull();
        assertThat(gaveUp.receiveNoWait()).isNull();
        send(session, queue, 0, 1);
        MessageConsumer other = connection.createSession().createConsumer(queue);
        assertThat(told(other.receiveNoWait())).isEqualTo("m0/1");
    }

    @Test
    void shouldCountOnceWhatWasSeenAndNeverWhatWasNotHoweverOftenItIsRolledBack() throws Exception {
        connect("");
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        Queue queue = session.createQueue("orders");
        send(session, queue, 0, 8);
        session.commit();
        MessageConsumer consumer = session.createConsumer(queue);
        for (int round = 1; round <= 3; round++) {
            for (int i = 0; i < 4 - round; i++) {
                assertThat(told(consumer.receive(PATIENCE_MILLIS))).isEqualTo("m" + i + "/" + round);
            }
            session.rollback();
        }
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            all.add(told(consumer.receive(PATIENCE_MILLIS)));
        }
        assertThat(all).containsExactly("m0/4", "m1/3", "m2/2", "m3/1", "m4/1", "m5/1", "m6/1", "m7/1");
        session.rollback();
        consumer.close();
        MessageConsumer next = session.createConsumer(queue);
        assertThat(told(next.receive(PATIENCE_MILLIS))).isEqualTo("m0/5");
        session.commit();
    }

    @Test
    void shouldGiveAgainOnlyWhatIsNotAcknowledgedWhenIndividual() throws Exception {
        connect("");
        Session session = connection.createSession(AcknowledgeModes.INDIVIDUAL);
        Queue queue = session.createQueue("orders");
        send(session, queue, 0, 5);
        MessageConsumer consumer = session.createConsumer(queue);
        for (int i = 0; i < 4; i++) {
            Message message = consumer.receive(PATIENCE_MILLIS);
            if (i % 2 == 1) {
                message.acknowledge();
            }
        }
        session.recover();
        for (String expected : List.of("m0/2", "m2/2", "m4/1")) {
            assertThat(told(consumer.receive(PATIENCE_MILLIS))).isEqualTo(expected);
        }
        session.close();
        MessageConsumer next = connection.createSession().createConsumer(queue);
        assertThat(told(next.receive(PATIENCE_MILLIS))).isEqualTo("m0/3");
    }

    @Test
    void shouldNotGiveAgainWhatWasNotAcknowledgedWhenNothingIs() throws Exception {
        connect("");
        Session session = connection.createSession(AcknowledgeModes.NONE);
        Queue queue = session.createQueue("orders");
        send(session, queue, 0, 3);
        MessageConsumer consumer = session.createConsumer(queue);
        assertThat(told(consumer.receive(PATIENCE_MILLIS))).isEqualTo("m0/1");
        session.recover();
        assertThat(told(consumer.receive(PATIENCE_MILLIS))).isEqualTo("m1/1");
        session.close();
        MessageConsumer next = connection.createSession().createConsumer(queue);
        assertThat(next.receiveNoWait()).isNull();
    }
}
