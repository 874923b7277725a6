package io.duramen.jms.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.peer.ScriptedNode;
import io.duramen.jms.peer.Wires;
import io.duramen.protocol.frame.Publish;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that wait for their sends write to the socket themselves, beside the event loop. */
@Timeout(60)
class SendingOverTcpTest {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private ScriptedNode node;
    private Connection connection;

    @BeforeEach
    void connect() throws JMSException {
        node = ScriptedNode.startOnTcp().politely(Publish.Request.class, r -> answer(r));
        connection = new DuramenConnectionFactory(node.url("reconnectDelayMillis=1")).createConnection();
    }

    private static Record answer(Publish.Request publish) {
        return publish.acks() == Publish.Acks.NONE ? null : new Publish.Response(0);
    }

    @AfterEach
    void close() throws JMSException {
        threads.shutdownNow();
        connection.close();
        node.close();
    }

    /** One session and its producer, for one thread. */
    private Callable<Void> blocking(String name, int count, int length) throws JMSException {
        Session session = connection.createSession();
        MessageProducer producer = session.createProducer(session.createQueue("orders"));
        String rest = "x".repeat(length);
        return () -> {
            for (int i = 0; i < count; i++) {
                producer.send(session.createTextMessage(name + ":" + i + ":" + rest));
            }
            return null;
        };
    }

    private Callable<Void> completing(String name, int count) throws JMSException {
        Session session = connection.createSession();
        MessageProducer producer = session.createProducer(session.createQueue("orders"));
        return () -> {
            CountDownLatch left = new CountDownLatch(count);
            for (int i = 0; i < count; i++) {
                producer.send(session.createTextMessage(name + ":" + i + ":"), new CompletionListener() {
                    @Override
                    public void onCompletion(Message message) {
                        left.countDown();
                    }

                    @Override
                    public void onException(Message message, Exception exception) {
                        throw new AssertionError(exception);
                    }
                });
            }
            assertThat(left.await(30, TimeUnit.SECONDS)).isTrue();
            return null;
        };
    }

    /** The numbers of each sender in the order in which they came first. */
    private Map<String, Set<Integer>> received() {
        Map<String, Set<Integer>> numbers = new LinkedHashMap<>();
        for (Publish.Request publish : node.handled(Publish.Request.class)) {
            for (String text : Wires.texts(publish.batch())) {
                String[] parts = text.split(":", 3);
                numbers.computeIfAbsent(parts[0], name -> new LinkedHashSet<>()).add(Integer.valueOf(parts[1]));
            }
        }
        return numbers;
    }

    private void assertAllReceivedInOrder(int senders, int count) {
        Map<String, Set<Integer>> received = received();
        assertThat(received).hasSize(senders);
        received.forEach((name, numbers) -> {
            List<Integer> expected = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                expected.add(i);
            }
            assertThat(new ArrayList<>(numbers)).as(name).isEqualTo(expected);
        });
    }

    @Test
    void shouldSendWholeFramesInOrderHoweverManyThreadsWriteAndTheConnectionBreaks() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<Future<Void>> sending = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            sending.add(threads.submit(blocking("blocking" + i, 200, random.nextInt(300))));
            sending.add(threads.submit(completing("completing" + i, 200)));
        }
        for (int drops = 0; drops < 20; drops++) {
            int before = node.handled(Publish.Request.class).size();
            int more = 1 + random.nextInt(20);
            while (node.handled(Publish.Request.class).size() < before + more && !allDone(sending)) {
                Thread.onSpinWait();
            }
            if (allDone(sending)) {
                break;
            }
            node.drop();
        }
        for (Future<Void> each : sending) {
            each.get(30, TimeUnit.SECONDS);
        }
        assertAllReceivedInOrder(8, 200);
    }

    private static boolean allDone(List<Future<Void>> sending) {
        return sending.stream().allMatch(Future::isDone);
    }
}
