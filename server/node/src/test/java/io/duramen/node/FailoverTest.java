package io.duramen.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.session.DuramenConnection;
import io.duramen.jms.session.Outcome;
import io.duramen.jms.session.OutcomeUnknownException;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node ends under a client's hands, and its data comes back at another address. */
@Timeout(120)
class FailoverTest {
    private static final long PATIENCE_MILLIS = 20_000;
    private static final int MESSAGES = 400;

    @TempDir
    Path data;

    private Duramen start(int port) throws Exception {
        return TestNodes.embedded().dataDirectory(data).port(port).start();
    }

    private static int freePort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static List<String> read(Session session, Queue queue, int count) throws JMSException {
        MessageConsumer consumer = session.createConsumer(queue);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Message message = consumer.receive(PATIENCE_MILLIS);
            texts.add(message == null ? null : message.getBody(String.class));
        }
        assertThat(consumer.receiveNoWait()).isNull();
        return texts;
    }

    @Test
    void shouldStoreEachSendOnceAndInOrderWhenTheNodeMovesToAnotherAddress() throws Exception {
        Duramen first = start(0);
        int otherPort = freePort();
        String url = first.url() + ",127.0.0.1:" + otherPort + "?reconnectDelayMillis=10&reconnectDelayMaxMillis=100";
        BlockingQueue<JMSException> told = new LinkedBlockingQueue<>();
        try (Connection connection = new DuramenConnectionFactory(url).createConnection()) {
            connection.setExceptionListener(told::add);
            connection.start();
            CountDownLatch half = new CountDownLatch(MESSAGES / 2);
            Session session = connection.createSession();
            Queue queue = session.createQueue("orders");
            CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> {
                try {
                    MessageProducer producer = session.createProducer(queue);
                    for (int i = 0; i < MESSAGES; i++) {
                        producer.send(session.createTextMessage("m" + i));
                        half.countDown();
                    }
                } catch (JMSException e) {
                    throw new java.util.concurrent.CompletionException(e);
                }
            });
            half.await();
            first.close();
            try (Duramen second = start(otherPort)) {
                sent.get(60, TimeUnit.SECONDS);
                assertThat(read(connection.createSession(), queue, MESSAGES))
                        .isEqualTo(IntStream.range(0, MESSAGES)
                                .mapToObj(i -> "m" + i)
                                .toList());
                assertThat(told).isEmpty();
                assertThat(second.port()).isEqualTo(otherPort);
            }
        }
    }

    @Test
    void shouldCloseInTimeWhenTheNodeIsAway() throws Exception {
        Duramen node = start(0);
        String url = node.url() + "?reconnectDelayMillis=10&reconnectDelayMaxMillis=100";
        Connection connection = new DuramenConnectionFactory(url).createConnection();
        connection.start();
        Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        Queue queue = session.createQueue("orders");
        session.createProducer(queue).send(session.createTextMessage("m"));
        MessageConsumer consumer = session.createConsumer(queue);
        assertThat(consumer.receive(PATIENCE_MILLIS)).isNotNull();
        node.close();
        consumer.close();
        session.close();
        connection.close();
        try (Duramen again = start(0);
                Connection other = new DuramenConnectionFactory(again.url()).createConnection()) {
            other.start();
            assertThat(read(other.createSession(), queue, 1)).containsExactly("m");
        }
    }

    /** @param inDoubt a transaction whose outcome is not known; null for none */
    private record Work(int committed, String inDoubt) {}

    /** Sends two messages in each transaction until the node is gone. */
    private static Work workUntilTheNodeEnds(DuramenConnectionFactory factory, CountDownLatch some) {
        int committed = 0;
        try (Connection connection = factory.createConnection()) {
            Session session = connection.createSession(Session.SESSION_TRANSACTED);
            MessageProducer producer = session.createProducer(session.createQueue("orders"));
            while (true) {
                producer.send(session.createTextMessage("a" + committed));
                producer.send(session.createTextMessage("b" + committed));
                session.commit();
                committed++;
                some.countDown();
            }
        } catch (OutcomeUnknownException e) {
            return new Work(committed, e.transactionId());
        } catch (JMSException e) {
            return new Work(committed, null);
        }
    }

    /** Whatever moment the node ends at, what is said of the last transaction and what is on the queue agree. */
    @Test
    void shouldTellWhatBecameOfATransactionWhoseCommitWasNotAnswered() throws Exception {
        Duramen first = start(0);
        int port = first.port();
        DuramenConnectionFactory factory = new DuramenConnectionFactory(first.url() + "?reconnect=false");
        CountDownLatch some = new CountDownLatch(20);
        CompletableFuture<Work> working = CompletableFuture.supplyAsync(() -> workUntilTheNodeEnds(factory, some));
        some.await();
        first.close();
        Work work = working.get(60, TimeUnit.SECONDS);
        try (Duramen second = start(port);
                Connection connection = factory.createConnection()) {
            connection.start();
            boolean happened = work.inDoubt != null
                    && ((DuramenConnection) connection).outcomeOf(work.inDoubt) == Outcome.COMMITTED;
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < work.committed + (happened ? 1 : 0); i++) {
                expected.add("a" + i);
                expected.add("b" + i);
            }
            Session session = connection.createSession();
            assertThat(read(session, session.createQueue("orders"), expected.size()))
                    .isEqualTo(expected);
            assertThat(second.port()).isEqualTo(port);
        }
    }
}
