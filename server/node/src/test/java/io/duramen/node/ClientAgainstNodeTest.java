package io.duramen.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.jms.DuramenConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the client's own tests play with a script, once more with a node: order, reconnecting, prefetch, leases. */
@Timeout(120)
class ClientAgainstNodeTest {
    private static final long PATIENCE_MILLIS = 20_000;

    @TempDir
    Path data;

    private Duramen start(int port) throws Exception {
        return TestNodes.embedded().dataDirectory(data).port(port).start();
    }

    private static Connection connect(Duramen node, String options) throws JMSException {
        return new DuramenConnectionFactory(node.url() + "?" + options).createConnection();
    }

    private static void send(Session session, Queue queue, int from, int to) throws JMSException {
        MessageProducer producer = session.createProducer(queue);
        for (int i = from; i < to; i++) {
            producer.send(session.createTextMessage("m" + i));
        }
    }

    private static String text(Message message) throws JMSException {
        return message == null ? null : message.getBody(String.class);
    }

    private static CompletableFuture<Void> sendInBackground(Session session, Queue queue, int from, int to) {
        return CompletableFuture.runAsync(() -> {
            try {
                send(session, queue, from, to);
            } catch (JMSException e) {
                throw new java.util.concurrent.CompletionException(e);
            }
        });
    }

    @Test
    void shouldGoOnByItselfWhenTheNodeIsRestarted() throws Exception {
        Duramen first = start(0);
        int port = first.port();
        Connection connection = connect(first, "reconnectDelayMaxMillis=200");
        Session sending = connection.createSession();
        Queue queue = sending.createQueue("orders");
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        connection.createSession().createConsumer(queue).setMessageListener(message -> {
            try {
                heard.add(text(message));
            } catch (JMSException e) {
                heard.add(e.toString());
            }
        });
        connection.start();
        send(sending, queue, 0, 50);
        first.close();
        CompletableFuture<Void> blocked = sendInBackground(sending, queue, 50, 100);
        try (Duramen second = start(port);
                connection) {
            blocked.get(30, TimeUnit.SECONDS);
            List<String> all = new ArrayList<>();
            while (!all.contains("m99")) {
                String next = heard.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
                assertThat(next).as("after %s", all).isNotNull();
                all.add(next);
            }
            assertThat(all.stream().distinct().toList()).hasSize(100);
            assertThat(second.port()).isEqualTo(port);
        }
    }

    @Test
    void shouldDeliverInOrderAgainAfterRecovering() throws Exception {
        try (Duramen node = start(0);
                Connection connection = connect(node, "prefetch=10")) {
            Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
            Queue queue = session.createQueue("orders");
            send(session, queue, 0, 40);
            MessageConsumer consumer = session.createConsumer(queue);
            connection.start();
            for (int i = 0; i < 3; i++) {
                assertThat(text(consumer.receive(PATIENCE_MILLIS))).isEqualTo("m" + i);
            }
            session.recover();
            Message last = null;
            for (int i = 0; i < 40; i++) {
                last = consumer.receive(PATIENCE_MILLIS);
                assertThat(text(last)).isEqualTo("m" + i);
                assertThat(last.getIntProperty("JMSXDeliveryCount")).isEqualTo(i < 3 ? 2 : 1);
            }
            last.acknowledge();
            assertThat(consumer.receiveNoWait()).isNull();
        }
    }

    @Test
    void shouldRedeliverAtOnceWhatAListenerThrewAt() throws Exception {
        try (Duramen node = start(0);
                Connection connection = connect(node, "")) {
            Session session = connection.createSession();
            Queue queue = session.createQueue("orders");
            send(session, queue, 0, 3);
            BlockingQueue<String> heard = new LinkedBlockingQueue<>();
            session.createConsumer(queue).setMessageListener(message -> {
                try {
                    heard.add(text(message) + "/" + message.getIntProperty("JMSXDeliveryCount"));
                    if (text(message).equals("m1") && !message.getJMSRedelivered()) {
                        throw new IllegalArgumentException("on purpose");
                    }
                } catch (JMSException e) {
                    heard.add(e.toString());
                }
            });
            connection.start();
            for (String expected : List.of("m0/1", "m1/1", "m1/2", "m2/1")) {
                assertThat(heard.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)).isEqualTo(expected);
            }
        }
    }

    @Test
    void shouldLeaveToOthersWhatIsNotFetchedWhenPrefetchIsZero() throws Exception {
        try (Duramen node = start(0);
                Connection connection = connect(node, "prefetch=0")) {
            Session session = connection.createSession();
            Queue queue = session.createQueue("orders");
            send(session, queue, 0, 4);
            MessageConsumer one = session.createConsumer(queue);
            MessageConsumer two = connection.createSession().createConsumer(queue);
            connection.start();
            assertThat(text(one.receive(PATIENCE_MILLIS))).isEqualTo("m0");
            assertThat(text(two.receive(PATIENCE_MILLIS))).isEqualTo("m1");
            assertThat(text(two.receiveNoWait())).isEqualTo("m2");
            assertThat(text(one.receive(PATIENCE_MILLIS))).isEqualTo("m3");
            assertThat(one.receive(1)).isNull();
            assertThat(two.receiveNoWait()).isNull();
        }
    }

    @Test
    void shouldSettleWhatAClosedConsumerGaveAndReturnTheRest() throws Exception {
        try (Duramen node = start(0);
                Connection connection = connect(node, "")) {
            Session session = connection.createSession(Session.SESSION_TRANSACTED);
            Queue queue = session.createQueue("orders");
            send(session, queue, 0, 3);
            session.commit();
            MessageConsumer consumer = session.createConsumer(queue);
            connection.start();
            assertThat(text(consumer.receive(PATIENCE_MILLIS))).isEqualTo("m0");
            consumer.close();
            MessageConsumer other = connection.createSession().createConsumer(queue);
            assertThat(text(other.receive(PATIENCE_MILLIS))).isEqualTo("m1");
            session.rollback();
            assertThat(text(other.receive(PATIENCE_MILLIS))).isIn("m0", "m2");
            assertThat(text(other.receive(PATIENCE_MILLIS))).isIn("m0", "m2");
        }
    }

    @Test
    void shouldAnswerThroughATemporaryQueueAndDeleteIt() throws Exception {
        try (Duramen node = start(0);
                Connection asking = connect(node, "");
                Connection answering = connect(node, "")) {
            Session asker = asking.createSession();
            Session answerer = answering.createSession();
            TemporaryQueue replies = asker.createTemporaryQueue();
            MessageConsumer replied = asker.createConsumer(replies);
            MessageConsumer asked = answerer.createConsumer(answerer.createQueue("questions"));
            asking.start();
            answering.start();
            Message question = asker.createTextMessage("?");
            question.setJMSReplyTo(replies);
            asker.createProducer(asker.createQueue("questions")).send(question);
            Message received = asked.receive(PATIENCE_MILLIS);
            answerer.createProducer(received.getJMSReplyTo()).send(answerer.createTextMessage("!"));
            assertThat(text(replied.receive(PATIENCE_MILLIS))).isEqualTo("!");
            assertThatThrownBy(replies::delete).isInstanceOf(JMSException.class);
            replied.close();
            replies.delete();
            assertThatThrownBy(() ->
                            answerer.createProducer(received.getJMSReplyTo()).send(answerer.createTextMessage("late")))
                    .isInstanceOf(InvalidDestinationException.class);
        }
    }
}
