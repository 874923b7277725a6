package io.duramen.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.jms.DuramenConnectionFactory;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Browsers of a real node: long queues, large messages, and consumers at the same time. */
@Timeout(120)
class BrowsingNodeTest {
    private static final long PATIENCE_MILLIS = 20_000;

    @TempDir
    Path data;

    private static void send(Session session, Queue queue, int count, int length) throws Exception {
        CountDownLatch sent = new CountDownLatch(count);
        MessageProducer producer = session.createProducer(queue);
        String filling = "x".repeat(length);
        for (int i = 0; i < count; i++) {
            Message message = session.createTextMessage(filling);
            message.setIntProperty("number", i);
            producer.send(message, new CompletionListener() {
                @Override
                public void onCompletion(Message done) {
                    sent.countDown();
                }

                @Override
                public void onException(Message failed, Exception cause) {
                    throw new AssertionError(cause);
                }
            });
        }
        assertThat(sent.await(60, TimeUnit.SECONDS)).isTrue();
    }

    private static List<Integer> numbers(Enumeration<?> messages) throws JMSException {
        List<Integer> numbers = new ArrayList<>();
        while (messages.hasMoreElements()) {
            numbers.add(((Message) messages.nextElement()).getIntProperty("number"));
        }
        return numbers;
    }

    private static List<Integer> upTo(int end) {
        return IntStream.range(0, end).boxed().toList();
    }

    @Test
    void shouldSeeAllOfALongQueueOnceAndInOrderWhileOthersConsumeAndSend() throws Exception {
        try (Duramen node = TestNodes.embedded().dataDirectory(data).start();
                Connection connection = new DuramenConnectionFactory(node.url()).createConnection()) {
            Session session = connection.createSession();
            Queue queue = session.createQueue("orders");
            send(session, queue, 20_000, 100);
            QueueBrowser browser = session.createBrowser(queue);
            Enumeration<?> view = browser.getEnumeration();
            connection.start();
            Session consuming = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
            MessageConsumer consumer = consuming.createConsumer(queue);
            Message first = consumer.receive(PATIENCE_MILLIS);
            assertThat(first.getIntProperty("number")).isZero();
            send(session, queue, 10, 100);
            assertThat(numbers(view)).as("held messages are on the queue").isEqualTo(upTo(20_000));
            first.acknowledge();
            assertThat(numbers(browser.getEnumeration())).hasSize(20_009).startsWith(1, 2, 3);
            Message second = consumer.receive(PATIENCE_MILLIS);
            assertThat(second.getIntProperty("number")).isEqualTo(1);
            assertThat(second.getJMSRedelivered()).isFalse();
        }
    }

    @Test
    void shouldSeeWhatTheSessionHasJustSentWithoutPersistence() throws Exception {
        try (Duramen node = TestNodes.embedded().dataDirectory(data).start();
                Connection connection = new DuramenConnectionFactory(node.url()).createConnection();
                Connection other = new DuramenConnectionFactory(node.url()).createConnection()) {
            Session session = connection.createSession();
            Queue queue = session.createQueue("orders");
            QueueBrowser own = session.createBrowser(queue);
            QueueBrowser others = other.createSession().createBrowser(queue);
            MessageProducer producer = session.createProducer(queue);
            for (int i = 0; i < 100; i += 2) {
                producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
                producer.send(numbered(session, i));
                assertThat(numbers(own.getEnumeration())).isEqualTo(upTo(i + 1));
                producer.setDeliveryMode(DeliveryMode.PERSISTENT);
                producer.send(numbered(session, i + 1));
                assertThat(numbers(others.getEnumeration())).isEqualTo(upTo(i + 2));
            }
        }
    }

    private static Message numbered(Session session, int number) throws JMSException {
        Message message = session.createMessage();
        message.setIntProperty("number", number);
        return message;
    }

    @Test
    void shouldSeeLargeMessagesAfterARestart() throws Exception {
        try (Duramen node = TestNodes.embedded().dataDirectory(data).start();
                JMSContext context = new DuramenConnectionFactory(node.url()).createContext()) {
            Queue queue = context.createQueue("orders");
            for (int i = 0; i < 20; i++) {
                context.createProducer().setProperty("number", i).send(queue, new byte[700_000]);
            }
        }
        try (Duramen node = TestNodes.embedded().dataDirectory(data).start();
                JMSContext context = new DuramenConnectionFactory(node.url()).createContext();
                QueueBrowser browser = context.createBrowser(context.createQueue("orders"))) {
            Enumeration<?> messages = browser.getEnumeration();
            Message first = (Message) messages.nextElement();
            assertThat(first.getBody(byte[].class)).hasSize(700_000);
            assertThat(first.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
            assertThat(numbers(messages)).hasSize(19).endsWith(19);
        }
    }
}
